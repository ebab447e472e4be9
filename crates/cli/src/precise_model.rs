//! A mesh in the numbers that it needs.

use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::precision::Precision;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use estoc::mesh::{HitDetails, Material};
use estoc::{Hit, PrimId};
use estoc_mesh::parts::NeededMesh;
use estoc_scene::OpenedMesh;
use std::sync::Arc;

/// A mesh in `f32` or in `f64`, with the tree over it.
#[derive(Clone)]
pub(crate) enum PreciseModel {
    F32(MeshModel),
    F64(MeshModel<f64>),
}

/// Returns the value of an expression about either mesh.
macro_rules! either {
    ($of:expr, $mesh:ident => $found:expr) => {
        match $of {
            PreciseModel::F32($mesh) => $found,
            PreciseModel::F64($mesh) => $found,
        }
    };
}

impl PreciseModel {
    /// Opens a mesh in the numbers that the user chose or that it needs. Rejects one without triangles.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        PreciseModel::open_as(source, session.precision(), tree, session)
    }

    /// Opens a mesh in the numbers that are wanted or that it needs. Rejects one without triangles.
    pub(crate) fn open_as(
        source: &MeshSource,
        wanted: Precision,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        if let Some(path) = source.f64_file(wanted) {
            return MeshModel::open_file(source, path, tree, session).map(PreciseModel::F64);
        }
        if wanted == Precision::F32 || source.is_tree_file() {
            return MeshModel::open(source, tree, session).map(PreciseModel::F32);
        }
        PreciseModel::build(source, source.load_as(wanted, session)?, tree, session)
    }

    /// Opens a mesh of a scene, which may be without triangles. Where no precision is wanted, a mesh file is one of
    /// `f32`s, and a tree file is as it was written.
    pub(crate) fn open_object(
        source: &MeshSource,
        wanted: Option<Precision>,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        let accepted = wanted.unwrap_or(Precision::Auto);
        if let Some(path) = source.f64_file(accepted) {
            return MeshModel::open_file(source, path, tree, session).map(PreciseModel::F64);
        }
        if matches!(wanted, None | Some(Precision::F32)) || source.is_tree_file() {
            return MeshModel::open_even_empty(source, accepted, tree, session)
                .map(PreciseModel::F32);
        }
        let mesh = source.load_even_empty(accepted, session)?;
        PreciseModel::build(source, mesh, tree, session)
    }

    fn build(
        source: &MeshSource,
        mesh: NeededMesh,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        Ok(match mesh {
            NeededMesh::F32(mesh) => PreciseModel::F32(
                MeshModel::build(Arc::new(mesh), tree, session)?.of_source(source),
            ),
            NeededMesh::F64 { mesh, .. } => PreciseModel::F64(
                MeshModel::build(Arc::new(mesh), tree, session)?.of_source(source),
            ),
        })
    }

    /// Returns what is placed in a scene.
    pub(crate) fn placed(&self) -> OpenedMesh {
        either!(self, mesh => OpenedMesh::new(mesh.bvh().clone(), mesh.frame().0))
    }

    /// Returns what is known of a hit beside its triangle, whose numbers are 0.
    pub(crate) fn attributes(&self, hit: &Hit) -> Option<HitDetails<'_>> {
        either!(self, mesh => mesh.attributes(hit))
    }

    /// Returns the names of a triangle's object, group and material.
    pub(crate) fn names_of(&self, prim: PrimId) -> [Option<&str>; 3] {
        either!(self, mesh => mesh.known.names_of(prim))
    }

    pub(crate) fn materials(&self) -> &[Material] {
        either!(self, mesh => mesh.known.materials())
    }

    pub(crate) fn material_of(&self, prim: PrimId) -> Option<&Material> {
        either!(self, mesh => mesh.known.material_of(prim))
    }

    /// Returns the number of triangles and the bytes of the tree.
    pub(crate) fn stored(&self) -> (usize, usize) {
        either!(self, mesh => (mesh.bvh().triangle_count(), mesh.bvh().stats().bytes))
    }

    /// Checks that there is memory to look at all edges.
    pub(crate) fn check_room_for_edges(&self, session: &Session) -> Result<(), Failure> {
        either!(self, mesh => mesh.check_room_for_edges(session))
    }
}

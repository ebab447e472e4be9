//! A mesh with the tree over it.

use crate::failure::Failure;
use crate::frame::FileFrame;
use crate::mesh_source::MeshSource;
use crate::precision::Precision;
use crate::saved_tree::{load_file, tree_file};
use crate::session::Session;
use crate::tree_args::TreeArgs;
use estoc::glam::Vec3;
use estoc::{
    BruteForce, Bvh, Hit, Mesh, PrimId, Triangle,
    engine::Engine,
    io::TreeFile,
    mesh::{HitDetails, Material},
    query::Masks,
};
use estoc_core::Coordinate;
use estoc_mesh::parts::{blank_details, closing_distance, with_attributes};
use estoc_picture::TargetMesh;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A mesh with the tree over it, of a mesh file, a tree file or a demo scene.
#[derive(Clone)]
pub(crate) struct MeshModel<C: Coordinate = f32> {
    bvh: Arc<Bvh<C>>,
    pub(crate) known: KnownMesh<C>,
    /// Whether the triangles are a demo scene, which has no file and so no lines.
    is_generated: bool,
    /// The time to build the tree, or to read the tree file.
    pub(crate) taken: Duration,
}

/// What holds the triangles, beside the tree.
#[derive(Clone)]
pub(crate) enum KnownMesh<C: Coordinate = f32> {
    Mesh(Arc<Mesh<C>>),
    File(Arc<TreeFile<C>>),
}

impl<C: Coordinate> KnownMesh<C> {
    /// Returns the names of all objects, and of all groups.
    pub(crate) fn object_and_group_names(&self) -> [&[String]; 2] {
        match self {
            KnownMesh::Mesh(mesh) => [mesh.objects(), mesh.groups()],
            KnownMesh::File(file) => [file.objects(), file.groups()],
        }
    }

    /// Returns the names of a triangle's object, group and material.
    pub(crate) fn names_of(&self, prim: PrimId) -> [Option<&str>; 3] {
        let (object, group, material) = match self {
            KnownMesh::Mesh(mesh) => {
                let material = mesh.material_of(prim);
                (mesh.object_of(prim), mesh.group_of(prim), material)
            }
            KnownMesh::File(file) => {
                let material = file.material_of(prim);
                (file.object_of(prim), file.group_of(prim), material)
            }
        };
        [object, group, material.map(|material| &*material.name)]
    }
}

impl<C: Coordinate> KnownMesh<C> {
    /// Returns the materials of all triangles.
    pub(crate) fn materials(&self) -> &[Material] {
        match self {
            KnownMesh::Mesh(mesh) => mesh.materials(),
            KnownMesh::File(file) => file.materials(),
        }
    }

    /// Returns the material of a triangle, if it has one.
    pub(crate) fn material_of(&self, prim: PrimId) -> Option<&Material> {
        match self {
            KnownMesh::Mesh(mesh) => mesh.material_of(prim),
            KnownMesh::File(file) => file.material_of(prim),
        }
    }

    /// Returns what is known of a hit beside its triangle, whose numbers are 0; `None` if there is no such triangle.
    fn attributes(&self, hit: &Hit) -> Option<HitDetails<'_>> {
        let blank = blank_details(hit);
        match self {
            KnownMesh::Mesh(mesh) => with_attributes(mesh, blank),
            KnownMesh::File(file) => Some(file.with_attributes(blank)),
        }
    }
}

impl KnownMesh {
    pub(crate) fn details(&self, hit: &Hit) -> Option<HitDetails<'_>> {
        match self {
            KnownMesh::Mesh(mesh) => mesh.details(hit),
            KnownMesh::File(file) => file.details(hit),
        }
    }
}

impl MeshModel {
    /// Loads a mesh and builds a tree over it, or reads a tree file and keeps its tree. Rejects a
    /// source without triangles.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        if let Some(file) = tree_file(source, session.precision(), session)? {
            source.refuse_empty(file.facts().triangles, 0)?;
            return Ok(MeshModel::of_file(file, start, (source, tree), session));
        }
        let mesh = source.load(session)?;
        Ok(MeshModel::build(Arc::new(mesh), tree, session)?.of_source(source))
    }

    /// Like [`MeshModel::open`], but accepts a source without triangles, and surveys the rounding. Refuses a
    /// tree file if `f64` is wanted.
    pub(crate) fn open_even_empty(
        source: &MeshSource,
        wanted: Precision,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        if let Some(file) = tree_file(source, wanted, session)? {
            return Ok(MeshModel::of_file(file, start, (source, tree), session));
        }
        let mesh = source.survey_even_empty(session)?;
        Ok(MeshModel::build(Arc::new(mesh), tree, session)?.of_source(source))
    }

    /// Returns the mesh; that of a tree file is made from the tree's triangles.
    pub(crate) fn mesh(&self) -> Result<Arc<Mesh>, Failure> {
        Ok(match &self.known {
            KnownMesh::Mesh(mesh) => mesh.clone(),
            KnownMesh::File(file) => Arc::new(file.mesh()?),
        })
    }

    /// Returns the least distance within which `--weld auto` closes the mesh with this open edge, if
    /// there is one, and the option that does so.
    pub(crate) fn gap(
        &self,
        open_edge: [Vec3; 2],
        session: &Session,
    ) -> Option<(f64, &'static str)> {
        if self.is_generated {
            return None;
        }
        let gap = closing_distance(&*self.mesh().ok()?, open_edge, &session.cancel).ok()??;
        Some(match &self.known {
            KnownMesh::Mesh(_) => (gap, "--weld auto"),
            KnownMesh::File(_) => (gap, "estoc build --weld auto"),
        })
    }

    /// Returns what pictures know of the triangles.
    pub(crate) fn seen(&self) -> &dyn TargetMesh {
        match &self.known {
            KnownMesh::Mesh(mesh) => &**mesh,
            KnownMesh::File(file) => &**file,
        }
    }

    pub(crate) fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        self.seen().triangle(prim)
    }

    pub(crate) fn details(&self, hit: &Hit) -> Option<HitDetails<'_>> {
        let mut details = self.known.details(hit)?;
        if self.is_generated {
            details.line = None;
        }
        Some(details)
    }
}

impl MeshModel<f64> {
    /// Reads a tree file in `f64` and keeps its tree.
    pub(crate) fn open_file(
        source: &MeshSource,
        path: &Path,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        let file = load_file(session, |loader| loader.load_f64(path))?;
        Ok(MeshModel::of_file(file, start, (source, tree), session))
    }

    /// Returns the mesh, as [`MeshModel::mesh`] does.
    pub(crate) fn mesh(&self) -> Result<Arc<Mesh<f64>>, Failure> {
        Ok(match &self.known {
            KnownMesh::Mesh(mesh) => mesh.clone(),
            KnownMesh::File(file) => Arc::new(file.mesh()?),
        })
    }
}

impl<C: Coordinate> MeshModel<C> {
    /// Returns the model of a tree file, which was begun to be read at a time, and tells which options have no
    /// effect on it.
    fn of_file(
        file: TreeFile<C>,
        start: Instant,
        (source, tree): (&MeshSource, TreeArgs),
        session: &Session,
    ) -> Self {
        if tree.is_given() {
            session.note(format_args!(
                "{source}: the file contains a tree, so --quality and --layout have no effect; \
                 use them with estoc build"
            ));
        }
        if session.has_local_frame() {
            session.note(format_args!(
                "{source}: --local-frame has no effect on a tree file, which has an origin of its \
                 own; use it with estoc build"
            ));
        }
        if session.welds() {
            session.note(format_args!(
                "{source}: --weld has no effect on a tree file; use it with estoc build"
            ));
        }
        let named = file.facts().source.as_deref();
        MeshModel {
            bvh: file.shared_bvh().clone(),
            is_generated: named.is_some_and(|source| source.starts_with("demo:")),
            known: KnownMesh::File(Arc::new(file)),
            taken: start.elapsed(),
        }
    }

    /// Builds the tree over a mesh.
    pub(crate) fn build(
        mesh: Arc<Mesh<C>>,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        let (bvh, taken) = tree.build(&mesh, session)?;
        Ok(MeshModel {
            bvh: Arc::new(bvh),
            known: KnownMesh::Mesh(mesh),
            is_generated: false,
            taken,
        })
    }

    /// Returns the model of a mesh that was loaded from here.
    pub(crate) fn of_source(self, source: &MeshSource) -> Self {
        let is_generated = matches!(source, MeshSource::Demo(_));
        MeshModel {
            is_generated,
            ..self
        }
    }

    /// Returns what is known of a hit beside its triangle, whose numbers are 0.
    pub(crate) fn attributes(&self, hit: &Hit) -> Option<HitDetails<'_>> {
        let mut attributes = self.known.attributes(hit)?;
        attributes.line = attributes.line.filter(|_| !self.is_generated);
        Some(attributes)
    }

    /// Returns where the coordinates of the mesh are in its file.
    pub(crate) fn frame(&self) -> FileFrame {
        FileFrame(match &self.known {
            KnownMesh::Mesh(mesh) => mesh.origin(),
            KnownMesh::File(file) => file.facts().origin,
        })
    }

    pub(crate) fn bvh(&self) -> &Arc<Bvh<C>> {
        &self.bvh
    }

    /// Returns the content hash of the mesh, if it is known.
    pub(crate) fn content_hash(&self) -> Option<u64> {
        match &self.known {
            KnownMesh::Mesh(mesh) => Some(mesh.content_hash()),
            KnownMesh::File(file) => file.facts().mesh_hash,
        }
    }

    /// Checks that there is memory to look at all edges.
    pub(crate) fn check_room_for_edges(&self, session: &Session) -> Result<(), Failure> {
        // Three edges per triangle, of two points each, in a list that grows to twice its size.
        let bytes = self.bvh.triangle_count() * 3 * 2 * size_of::<C::Point>() * 3;
        session.check_room("checking the edges of the mesh", bytes)
    }

    /// Returns the line of a triangle in the file that it was read from.
    pub(crate) fn line_of(&self, prim: PrimId) -> Option<u64> {
        match &self.known {
            _ if self.is_generated => None,
            KnownMesh::Mesh(mesh) => mesh.line_of(prim),
            KnownMesh::File(file) => file.line_of(prim),
        }
    }
}

/// Loads only the mesh, and the masks of a tree file, for verbs that do without its tree.
pub(crate) fn load_mesh(
    source: &MeshSource,
    session: &Session,
) -> Result<(Mesh, Option<Masks>), Failure> {
    match tree_file(source, session.precision(), session)? {
        Some(file) => {
            source.refuse_empty(file.facts().triangles, 0)?;
            Ok((file.mesh()?, Engine::masks(file.bvh()).cloned()))
        }
        None => Ok((source.load(session)?, None)),
    }
}

/// Returns brute force over the triangles of a mesh, which see the same of it as a tree with these
/// masks.
pub(crate) fn brute_force(
    mesh: &Mesh,
    masks: Option<Masks>,
    session: &Session,
) -> Result<BruteForce, Failure> {
    let bytes = mesh.triangle_count() * size_of::<Triangle>();
    session.check_room("all triangles", bytes)?;
    let triangles: Vec<Triangle> = mesh.triangles().collect();
    let brute = BruteForce::new(triangles);
    Ok(match masks {
        Some(masks) => brute.with_masks(masks),
        None => brute,
    })
}

//! `MESH` on the command line, opened in the numbers that it needs.

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::precision::Precision;
use crate::scene_model::SceneModel;
use crate::tree_args::TreeArgs;
use estoc_mesh::parts::NeededMesh;
use std::sync::Arc;

/// A mesh in `f64`, or else a mesh in `f32` or a scene.
pub(crate) enum Opened {
    Scene(SceneModel),
    Wide(MeshModel<f64>),
}

impl Opened {
    /// Opens a mesh or a scene. Rejects one without anything that can be hit.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        if let Some(path) = source.f64_file(session.precision()) {
            return MeshModel::open_file(source, path, tree, session).map(Opened::Wide);
        }
        if session.precision() == Precision::F32 || source.is_scene() || source.is_tree_file() {
            return SceneModel::open_narrow(source, tree, session).map(Opened::Scene);
        }
        Ok(match source.load_in_precision(session)? {
            NeededMesh::F32(mesh) => {
                let model = MeshModel::build(Arc::new(mesh), tree, session)?;
                Opened::Scene(SceneModel::of_mesh(model.of_source(source))?)
            }
            NeededMesh::F64 { mesh, .. } => {
                Opened::Wide(MeshModel::build(Arc::new(mesh), tree, session)?.of_source(source))
            }
        })
    }
}

impl SceneModel {
    /// Opens a mesh in the numbers that it needs, or a scene, as what is shown. Rejects one without anything
    /// that can be hit.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        match Opened::open(source, tree, session)? {
            Opened::Scene(scene) => scene.shown(),
            Opened::Wide(mesh) => SceneModel::of_wide(source, mesh),
        }
    }
}

//! `MESH` on the command line, opened in the numbers that it needs.

use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::precise_model::PreciseModel;
use crate::scene_model::SceneModel;
use crate::session::Session;
use crate::tree_args::TreeArgs;

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
        if source.is_scene() {
            return SceneModel::open_narrow(source, tree, session).map(Opened::Scene);
        }
        Ok(match PreciseModel::open(source, tree, session)? {
            PreciseModel::F32(model) => Opened::Scene(SceneModel::of_mesh(model)?),
            PreciseModel::F64(model) => Opened::Wide(model),
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

//! What rays and points are asked about: a mesh, a mesh in a local frame, or a scene.

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::{MeshModel, Opened};
use crate::placed_mesh::PlacedMesh;
use crate::scene_model::SceneModel;
use crate::target::OpenedTarget;
use crate::tree_args::TreeArgs;
use estoc::Bvh;
use estoc::mesh::HitDetails;
use estoc::scene::{SceneHit, SceneSnapshot};

/// An opened `MESH` argument at which rays are cast, or which points are asked about, in the coordinates of
/// its file.
pub(crate) enum QueryTarget {
    /// A mesh whose coordinates are those of the file: rays and points are in `f32`.
    Mesh(Opened),
    /// A mesh in a local frame: rays and points are in `f64`.
    Placed(Box<PlacedMesh>),
    /// A scene: rays and points are in `f64`.
    Scene(Box<SceneModel>),
}

/// What answers.
#[derive(Clone, Copy)]
pub(crate) enum TargetEngine<'a> {
    /// In `f32`.
    Mesh(&'a Bvh),
    /// In `f64`.
    World(&'a SceneSnapshot),
}

impl QueryTarget {
    /// Opens a mesh or a scene. Rejects one without anything in it.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        QueryTarget::of(OpenedTarget::open(source, tree, session)?)
    }

    /// Places a mesh that is in a local frame where its file has it.
    pub(crate) fn of(opened: OpenedTarget) -> Result<Self, Failure> {
        Ok(match opened {
            OpenedTarget::Scene(scene) => QueryTarget::Scene(scene),
            OpenedTarget::Mesh(opened) if opened.model().frame().is_local() => {
                QueryTarget::Placed(Box::new(PlacedMesh::new(opened)?))
            }
            OpenedTarget::Mesh(opened) => QueryTarget::Mesh(opened),
        })
    }

    /// Returns the mesh, if it is one.
    pub(crate) fn model(&self) -> Option<MeshModel<'_>> {
        match self {
            QueryTarget::Mesh(opened) => Some(opened.model()),
            QueryTarget::Placed(placed) => Some(placed.object.model()),
            QueryTarget::Scene(_) => None,
        }
    }

    /// Returns what answers.
    pub(crate) fn engine(&self) -> TargetEngine<'_> {
        match self {
            QueryTarget::Mesh(opened) => TargetEngine::Mesh(opened.model().bvh),
            QueryTarget::Placed(placed) => TargetEngine::World(&placed.world),
            QueryTarget::Scene(scene) => TargetEngine::World(scene.snapshot()),
        }
    }

    /// Returns the scene, if it is one.
    pub(crate) fn scene(&self) -> Option<&SceneModel> {
        match self {
            QueryTarget::Scene(scene) => Some(scene),
            _ => None,
        }
    }

    /// Returns what a mesh knows of a hit; `None` for a sphere or a box.
    pub(crate) fn details(&self, hit: &SceneHit) -> Option<HitDetails<'_>> {
        match self {
            QueryTarget::Scene(scene) => scene.details(hit),
            mesh => mesh.model()?.details(&hit.hit()),
        }
    }
}

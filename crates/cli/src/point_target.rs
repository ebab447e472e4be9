//! What points are asked about: a mesh, a mesh in a local frame, or a scene.

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::{MeshModel, Opened};
use crate::placed_mesh::PlacedMesh;
use crate::scene_model::SceneModel;
use crate::target::OpenedTarget;
use crate::tree_args::TreeArgs;
use estoc::Bvh;
use estoc::scene::SceneSnapshot;

/// An opened `MESH` argument that points in the coordinates of its file are asked about.
pub(crate) enum PointTarget {
    /// A mesh whose coordinates are those of the file: points are in `f32`.
    Mesh(Opened),
    /// A mesh in a local frame: points are in `f64`.
    Placed(Box<PlacedMesh>),
    /// A scene: points are in `f64`.
    Scene(Box<SceneModel>),
}

/// What answers about points.
#[derive(Clone, Copy)]
pub(crate) enum PointAnswerer<'a> {
    /// Points are in `f32`.
    Mesh(&'a Bvh),
    /// Points are in `f64`.
    World(&'a SceneSnapshot),
}

impl PointTarget {
    /// Opens a mesh or a scene. Rejects one without anything in it.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        Ok(match OpenedTarget::open(source, tree, session)? {
            OpenedTarget::Scene(scene) => PointTarget::Scene(scene),
            OpenedTarget::Mesh(opened) if opened.model().frame().is_local() => {
                PointTarget::Placed(Box::new(PlacedMesh::new(opened)?))
            }
            OpenedTarget::Mesh(opened) => PointTarget::Mesh(opened),
        })
    }

    /// Returns the mesh, if it is one.
    pub(crate) fn model(&self) -> Option<MeshModel<'_>> {
        match self {
            PointTarget::Mesh(opened) => Some(opened.model()),
            PointTarget::Placed(placed) => Some(placed.object.model()),
            PointTarget::Scene(_) => None,
        }
    }

    /// Returns what answers about points.
    pub(crate) fn engine(&self) -> PointAnswerer<'_> {
        match self {
            PointTarget::Mesh(opened) => PointAnswerer::Mesh(opened.model().bvh),
            PointTarget::Placed(placed) => PointAnswerer::World(&placed.world),
            PointTarget::Scene(scene) => PointAnswerer::World(scene.snapshot()),
        }
    }

    /// Returns the scene, if it is one.
    pub(crate) fn scene(&self) -> Option<&SceneModel> {
        match self {
            PointTarget::Scene(scene) => Some(scene),
            _ => None,
        }
    }
}

//! Meshes that scene files name, and the trees over them.

use super::{NodeMesh, SceneLocation};
use estoc_bvh::Bvh;
use estoc_core::glam::DVec3;
use estoc_demo::DemoSpec;
use std::path::PathBuf;
use std::sync::Arc;

/// A mesh that an object of a scene file names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneMesh {
    /// A mesh file or a tree file, with the folder of the scene file.
    File(PathBuf),
    /// A generated mesh.
    Demo(DemoSpec),
    /// A mesh of a glTF file whose nodes are placements.
    Node(NodeMesh),
}

/// The tree over a mesh of a scene file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenedMesh {
    /// The tree.
    pub bvh: Arc<Bvh>,
    /// The origin of the mesh's local frame ([`Mesh::origin`](estoc_mesh::Mesh::origin)); 0 without one.
    pub origin: DVec3,
}

impl OpenedMesh {
    /// Returns a mesh in the local frame with this origin, which must be finite.
    pub fn new(bvh: Arc<Bvh>, origin: DVec3) -> Self {
        OpenedMesh { bvh, origin }
    }
}

impl From<Arc<Bvh>> for OpenedMesh {
    fn from(bvh: Arc<Bvh>) -> Self {
        OpenedMesh::new(bvh, DVec3::ZERO)
    }
}

/// A function that returns the tree over a mesh of a scene file, named at this place of the file; see
/// [`SceneFile::build_with`](super::SceneFile::build_with).
pub type OpenMesh<'o, E> = dyn FnMut(&SceneMesh, &SceneLocation) -> Result<OpenedMesh, E> + 'o;

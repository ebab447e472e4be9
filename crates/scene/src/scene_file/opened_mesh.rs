//! Meshes that scene files name, and the trees over them.

use super::{MeshPrecision, NodeMesh, SceneLocation};
use crate::SceneObject;
use estoc_core::glam::DVec3;
use estoc_demo::DemoSpec;
use std::path::PathBuf;

/// A mesh that an object of a scene file names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneMesh {
    /// A mesh file or a tree file.
    File {
        /// Its path, with the folder of the scene file.
        path: PathBuf,
        /// The numbers that its corners are to be kept in, if the object says.
        precision: Option<MeshPrecision>,
    },
    /// A generated mesh.
    Demo(DemoSpec),
    /// A mesh of a glTF file whose nodes are placements.
    Node(NodeMesh),
}

/// The tree over a mesh of a scene file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenedMesh {
    /// The tree, in `f32` or in `f64`.
    pub object: SceneObject,
    /// The origin of the mesh's local frame ([`Mesh::origin`](estoc_mesh::Mesh::origin)); 0 without one.
    pub origin: DVec3,
}

impl OpenedMesh {
    /// Returns a mesh in the local frame with this origin, which must be finite.
    pub fn new(object: impl Into<SceneObject>, origin: DVec3) -> Self {
        OpenedMesh {
            object: object.into(),
            origin,
        }
    }
}

/// At the origin 0.
impl<T: Into<SceneObject>> From<T> for OpenedMesh {
    fn from(object: T) -> Self {
        OpenedMesh::new(object, DVec3::ZERO)
    }
}

/// A function that returns the tree over a mesh of a scene file, named at this place of the file; see
/// [`SceneFile::build_with`](super::SceneFile::build_with).
pub type OpenMesh<'o, E> = dyn FnMut(&SceneMesh, &SceneLocation) -> Result<OpenedMesh, E> + 'o;

//! Meshes with the nodes that place them.

use estoc_core::glam::DAffine3;

use crate::mesh::Mesh;
use crate::report::MeshReport;

/// The meshes of a glTF file, each once, and the nodes that place them; made by
/// [`MeshLoader::load_nodes`](crate::MeshLoader::load_nodes).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MeshNodes {
    /// The meshes that nodes refer to, in the order of the first nodes that do. One with skins is there
    /// once for each skin.
    pub meshes: Vec<Mesh>,
    /// The names of the meshes.
    pub names: Vec<Option<String>>,
    /// The nodes with meshes, each before its children.
    pub nodes: Vec<MeshNode>,
    /// What is known of the file as a whole: the files that it names, and what was ignored besides what
    /// the reports of the meshes tell.
    pub report: MeshReport,
}

/// A node of a glTF file that places a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshNode {
    /// The index of the node in the file; `None` if the file has no nodes, and shows each mesh once.
    pub index: Option<usize>,
    /// Its name.
    pub name: Option<String>,
    /// The place of its mesh in [`MeshNodes::meshes`].
    pub mesh: usize,
    /// Maps the coordinates of the mesh to those of the scene: the product of the transforms of the node
    /// and of all nodes that contain it, computed in `f64` from the outermost inwards, and the identity
    /// for a mesh with a skin. It has an inverse, unless entries are not finite.
    pub transform: DAffine3,
    /// Whether the transform mirrors: its determinant is negative. Then the front of the mesh is where
    /// its corners run clockwise, as the format requires (3.7.4).
    pub is_mirrored: bool,
}

//! What a tree file says of itself.

use crate::{Layout, Quality};
use estoc_core::Aabb;

/// What a tree file says of itself; see [`TreeFile::facts`](crate::TreeFile::facts).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TreeFacts {
    /// Version of the format: 2 with masks, 1 without.
    pub version: u32,
    /// The program that wrote it, with its version.
    pub writer: String,
    /// What the mesh came from, if the writer was told.
    pub source: Option<String>,
    /// [`Mesh::content_hash`](estoc_mesh::Mesh::content_hash) of the mesh that was saved with the
    /// tree.
    pub mesh_hash: Option<u64>,
    /// Vertices of that mesh, used or not.
    pub vertices: Option<u64>,
    /// Faces of its source, used or not.
    pub faces: Option<u64>,
    /// Bytes of the file.
    pub bytes: u64,
    /// Triangles.
    pub triangles: usize,
    /// The smallest box around all triangles.
    pub bounds: Aabb,
    /// How the tree keeps its triangles.
    pub layout: Layout,
    /// How much work went into the tree, if it is known.
    pub quality: Option<Quality>,
}

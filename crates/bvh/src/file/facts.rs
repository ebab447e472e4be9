//! The metadata of a tree file.

use crate::{Layout, Quality};
use estoc_core::Coordinate;
use estoc_core::glam::DVec3;

/// The metadata of a tree file; see [`TreeFile::facts`](crate::TreeFile::facts).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TreeFacts<C: Coordinate = f32> {
    /// The version of the format: 4 in `f64`, 3 with an origin, otherwise 2 with masks and 1 without.
    pub version: u32,
    /// The program that wrote the file, with its version.
    pub writer: String,
    /// The source of the mesh, if the writer set it.
    pub source: Option<String>,
    /// [`Mesh::content_hash`](estoc_mesh::Mesh::content_hash) of the mesh that was saved with the
    /// tree.
    pub mesh_hash: Option<u64>,
    /// The number of vertices of that mesh, used or not.
    pub vertices: Option<u64>,
    /// The number of faces of its source, used or not.
    pub faces: Option<u64>,
    /// [`Mesh::origin`](estoc_mesh::Mesh::origin) of that mesh, which all coordinates are relative
    /// to; 0 if no mesh was saved, and in `f64`.
    pub origin: DVec3,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The number of triangles.
    pub triangles: usize,
    /// The smallest box around all triangles, relative to the origin.
    pub bounds: C::Bounds,
    /// How the tree stores its triangles.
    pub layout: Layout,
    /// The build quality of the tree, if known.
    pub quality: Option<Quality>,
}

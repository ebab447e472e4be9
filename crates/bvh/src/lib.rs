//! Triangle meshes and trees over them that answer ray queries exactly.
//!
//! ```
//! use estoc_bvh::{Bvh, Mesh};
//! use estoc_core::{Ray, RayQuery};
//! let mesh = Mesh::new([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]], [[0, 1, 2]])?;
//! let bvh = Bvh::build(&mesh);
//! let hit = bvh.closest_hit(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0])).unwrap();
//! assert_eq!((hit.t, hit.prim.get()), (5.0, 0));
//! # Ok::<(), estoc_bvh::MeshError>(())
//! ```
//!
//! # Features
//! [`MeshLoader`] reads OBJ, PLY, STL and OFF always, and with a feature each what needs other
//! crates: `gltf` (serde, serde_json), and files packed by `gzip` (flate2) or `zstd` (ruzstd).
//! Without it such a file is refused by an error that names the feature.
#![deny(unsafe_code)]

mod build;
pub mod demo;
mod file;
mod mesh;
mod traverse;
mod tree;
mod wide;

pub use build::{BuildError, BvhBuilder, Quality};
pub use file::{TreeFacts, TreeFile, TreeFileError, TreeLoader, TreeSection, TreeWriter};
pub use mesh::{
    AttributeIndex, FilePart, Format, FormatError, HitDetails, Ignored, Location, Material,
    MaterialProblem, Mesh, MeshError, MeshLoader, MeshReport, ObjLoader, Place, Policy, Tally,
    Warning,
};
#[cfg(feature = "kernels")]
#[doc(hidden)]
pub use traverse::kernels;
pub use traverse::{SimdLevel, SimdLevelError, Steps};
pub use tree::{
    Bvh, BvhStats, BytesByPart, ChildView, LeafPrims, NodeView, Refit, RefitError, ValidateError,
};
pub use wide::Layout;

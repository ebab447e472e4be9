//! Triangle meshes: validated, with the names, lines and materials of their source.
//!
//! ```
//! # use estoc_mesh as estoc;
//! use estoc::{Mesh, MeshLoader};
//! let mesh = MeshLoader::new().read(b"v 0 0 5\nv 1 0 5\nv 0 1 5\nf 1 2 3\n", "corner.obj")?;
//! assert_eq!((mesh.triangle_count(), mesh.positions().len()), (1, 3));
//! let same = Mesh::try_new([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]], [[0, 1, 2]])?;
//! assert_eq!(same.indices(), mesh.indices());
//! # Ok::<(), estoc::MeshError>(())
//! ```
//!
//! # Features
//! [`MeshLoader`] always reads OBJ, PLY, STL and OFF. Features add what needs other crates: `gltf`
//! (serde, serde_json), and files compressed by `gzip` (flate2) or `zstd` (ruzstd). Without the
//! feature such a file is refused with an error that names it. `rayon`, on by default, uses several
//! threads; without it the calling thread makes the same meshes.
//!
//! # How a mesh is made
//!
//! ```text
//!  positions and indices --one chunk----------------------------------.
//!                                                      assemble        join --survey--> Mesh
//!  OBJ text --blocks--> partials --gather--> pieces --many chunks----'         report
//!          text_blocks, block_parser, joined_blocks, mesh_of_blocks (formats/obj)
//!
//!  any file --packing, formats--> obj, or ply, stl, gltf, off --> draft --> assemble
//!             loader
//! ```
//!
//! Assembling a chunk validates its faces and triangulates polygons. Blocks, pieces and chunks
//! of an OBJ text are processed by all threads, and so is the survey. Readers pass the numbers of
//! vertices through `frame`, which subtracts the origin of a [`LocalFrame`] and rounds once. The mesh
//! that is made is welded last, where a [`Weld`] is asked for.

#![forbid(unsafe_code)]

mod affine_transform;
mod assemble;
mod bad_faces;
mod error;
mod foreign_format;
mod format;
mod formats;
mod frame;
mod in_pieces;
mod loader;
mod local_frame;
mod mesh;
mod mesh_nodes;
mod packing;
#[doc(hidden)]
pub mod parts;
#[doc(hidden)]
pub mod ply_header;
mod polygon;
mod report;
mod text;
mod tree_file;
mod value_runs;
mod weld;

pub use assemble::arrays::{TriangleIndices, VertexPosition};
pub use bad_faces::BadFaces;
pub use error::{FilePart, Location, MeshError};
pub use format::{Format, FormatError};
pub use formats::obj::ObjLoader;
pub use loader::MeshLoader;
pub use local_frame::LocalFrame;
pub use mesh::Mesh;
pub use mesh::detail_columns::DetailColumns;
pub use mesh::details::HitDetails;
pub use mesh::material::Material;
pub use mesh::triangle_groups::TriangleGroup;
pub use mesh_nodes::{MeshNode, MeshNodes};
pub use report::rounding::RoundingLoss;
pub use report::warning::{AttributeIndex, MaterialProblem, UnreadPart, Warning};
pub use report::weld::WeldReport;
pub use report::{Finding, Findings, MeshReport};
pub use weld::Weld;

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

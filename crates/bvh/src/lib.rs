//! Bounding volume hierarchies over triangle meshes that answer ray queries exactly.
//!
//! [`Bvh::build`] builds a tree with the default settings, and [`BvhBuilder`] with others.
//! [`Bvh::save`] and [`Bvh::load`] store trees in files. The queries are the methods of
//! [`RayQuery`](estoc_core::RayQuery), [`PointQuery`](estoc_core::PointQuery),
//! [`RegionQuery`](estoc_core::RegionQuery) and [`SweepQuery`](estoc_core::SweepQuery).
//!
//! ```
//! # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; }
//! use estoc::{Bvh, Mesh, Ray, RayQuery};
//! let mesh = Mesh::try_new([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]], [[0, 1, 2]])?;
//! let bvh = Bvh::build(&mesh);
//! let hit = bvh.closest_hit(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0])).unwrap();
//! assert_eq!((hit.t, hit.prim.get()), (5.0, 0));
//! # Ok::<(), estoc::MeshError>(())
//! ```
#![deny(unsafe_code)]
// `internals` re-exports what is `pub` in private modules; without that feature nothing does. The
// documented API is the same either way.
#![cfg_attr(
    feature = "kernels",
    allow(
        missing_docs,
        clippy::new_without_default,
        clippy::len_without_is_empty,
        rustdoc::private_intra_doc_links
    )
)]
#![cfg_attr(not(feature = "kernels"), allow(unreachable_pub))]

mod builder;
mod file;
#[cfg(feature = "kernels")]
#[doc(hidden)]
pub mod internals;
mod mask_runs;
pub mod object_space;
mod simd_level;
mod traverse;
mod tree;
mod wide;

pub use builder::Quality;
pub use file::{TreeFacts, TreeFile, TreeFileError, TreeLoader, TreeSection, TreeWriter};
pub use simd_level::{SimdLevel, SimdLevelError};
pub use traverse::TraversalSteps;
#[cfg(feature = "kernels")]
#[doc(hidden)]
pub use traverse::kernel_timing as kernels;
pub use tree::{
    BuildError, Bvh, BvhBuilder, BvhStats, BytesByPart, ChildView, LeafPrims, NodeView, RefitError,
    RefitReport, ValidateError,
};
pub use wide::Layout;

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

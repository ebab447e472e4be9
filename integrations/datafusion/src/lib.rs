//! Exact ray queries in SQL: an operator of DataFusion, which casts the rays of a table at a mesh, in one process or
//! on the machines of a Ballista cluster.
//!
//! ```text
//!  SQL: raycast('mesh', ox, ...)['t']        data frame: .raycast(mesh, columns)
//!    | marker, rule                            |
//!    v                                         v
//!  RaycastNode  --planner-->  RaycastExec  --> blocks of rays, cast beside the runtime's threads
//!    | codec                    | codec          | MeshCache: a tree is loaded once a process
//! ```
//!
//! Answers are those of [`Batch::closest_hits`](estoc::Batch): the same bits for any number of partitions, threads
//! and machines. Their columns are [`HitColumn`]; null means that a ray misses. A ray in which a number is null, NaN
//! or infinite is undefined and misses. Numbers are used as they are at a mesh in `f64`, and rounded once, to the nearest
//! `f32`, at others.

#![forbid(unsafe_code)]

#[cfg(feature = "cluster")]
pub mod cluster;
pub mod codec;
mod dataframe;
mod error;
mod hit_column;
mod marker;
mod mesh_cache;
mod mesh_reference;
mod plan;
mod ray_arguments;
mod rule;
mod session;

pub use codec::{RaycastLogicalCodec, RaycastPhysicalCodec};
pub use dataframe::RaycastExt;
pub use error::RaycastError;
pub use hit_column::{HitColumn, NamedHitColumn};
pub use marker::raycast_marker;
pub use mesh_cache::{LoadedMesh, LoadedTree, MeshCache};
pub use mesh_reference::{MeshNumbers, MeshReference, split_hash};
pub use plan::{Raycast, RaycastExec, RaycastExtensionPlanner, RaycastNode, RaycastQueryPlanner};
pub use ray_arguments::RayColumns;
pub use rule::RaycastRule;
pub use session::{session, session_state, with_raycast};

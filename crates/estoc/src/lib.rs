//! Exact and fast ray queries on triangle meshes.

pub use estoc_batch::{Batch, BatchError, HitRows};
pub use estoc_bvh::*;
pub use estoc_core::*;

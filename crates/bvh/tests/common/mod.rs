//! Shared by the tests of this crate: random numbers, shapes, and a comparison of brute force with
//! trees of every quality.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part")]

mod both;
mod shapes;
pub(crate) mod tree_bytes;
mod trees;

pub(crate) use both::{Answers, Both, Name};
pub(crate) use estoc_testkit::tables::Rng;
pub(crate) use shapes::Shape;
pub(crate) use trees::{MIXED, bits, brute, every_tree, mesh_of, mixed_sizes, refitted};

/// Whether rays are cast in flight or in tiles at a level: x86 has neither without AVX2.
pub(crate) fn has_kernels(level: estoc_bvh::SimdLevel) -> bool {
    let is_x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
    level != estoc_bvh::SimdLevel::Baseline || !is_x86
}

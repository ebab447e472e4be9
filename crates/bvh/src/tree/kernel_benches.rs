//! Timings of single node and leaf tests, on the public tree type.

use super::Bvh;
use crate::traverse::kernel_timing::{LeafBench, NodeBench, Pairs};
use estoc_core::Ray;

impl<'a> NodeBench<'a> {
    /// Collects about `many` tests of nodes that these rays reach.
    pub fn new(bvh: &'a Bvh, rays: &[Ray], pairs: Pairs, many: usize) -> Self {
        NodeBench::of_tree((bvh.tree(), bvh.token()), rays, pairs, many)
    }
}

impl<'a> LeafBench<'a> {
    /// Collects about `many` tests of leaves that these rays reach, of plain rays.
    pub fn new(bvh: &'a Bvh, rays: &[Ray], pairs: Pairs, many: usize) -> Self {
        LeafBench::of_tree((bvh.tree(), bvh.token()), rays, pairs, many)
    }
}

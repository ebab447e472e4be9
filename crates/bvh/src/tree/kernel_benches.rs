//! Tests of nodes and leaves on their own, of the tree that users hold.

use super::Bvh;
use crate::traverse::kernel_timing::{LeafBench, NodeBench, Pairs};
use estoc_core::Ray;

impl<'a> NodeBench<'a> {
    /// About `many` tests of nodes that these rays come to.
    pub fn new(bvh: &'a Bvh, rays: &[Ray], pairs: Pairs, many: usize) -> Self {
        NodeBench::of_tree((bvh.tree(), bvh.token()), rays, pairs, many)
    }
}

impl<'a> LeafBench<'a> {
    /// About `many` tests of leaves that these rays come to.
    pub fn new(bvh: &'a Bvh, rays: &[Ray], pairs: Pairs, many: usize) -> Self {
        LeafBench::of_tree((bvh.tree(), bvh.token()), rays, pairs, many)
    }
}

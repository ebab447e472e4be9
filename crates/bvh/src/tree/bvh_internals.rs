//! Access of tests to the wide tree within a [`Bvh`].

use super::Bvh;
use crate::wide::WideTree;
use estoc_core::{PrimId, Triangle};

/// Access of tests to the parts of a [`Bvh`].
pub trait BvhInternals {
    /// Returns a `Bvh` of a wide tree, of unknown quality and built cost.
    fn from_inner(tree: WideTree) -> Self;

    fn inner(&self) -> &WideTree;

    fn inner_mut(&mut self) -> &mut WideTree;

    fn into_inner(self) -> WideTree;

    /// Returns the triangles in the order of the leaves.
    fn triangles_by_leaf(&self) -> impl Iterator<Item = (PrimId, Triangle)> + '_;
}

impl BvhInternals for Bvh {
    fn from_inner(tree: WideTree) -> Self {
        Bvh::of(tree, ())
    }

    fn inner(&self) -> &WideTree {
        &self.tree
    }

    fn inner_mut(&mut self) -> &mut WideTree {
        &mut self.tree
    }

    fn into_inner(self) -> WideTree {
        self.tree
    }

    fn triangles_by_leaf(&self) -> impl Iterator<Item = (PrimId, Triangle)> + '_ {
        self.triangles()
    }
}

//! The binary tree that is built first and then collapsed, as one array of nodes.

use super::bounds::ReferenceBounds;
use bytemuck::{Pod, Zeroable};

/// A node of a [`BinaryTree`].
///
/// Boxes are in the unit of the tree ([`Scale`](crate::wide::Scale)), enclose all triangles
/// below, and have no -0.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct BinaryNode {
    pub min: [f32; 3],
    /// The first child of an inner node; the first index in the order of a leaf.
    pub first: u32,
    pub max: [f32; 3],
    /// The number of triangles of a leaf; 0 for an inner node.
    pub len: u32,
}

impl BinaryNode {
    pub fn leaf(bounds: ReferenceBounds, first: usize, len: usize) -> Self {
        BinaryNode {
            min: bounds.min,
            first: first as u32,
            max: bounds.max,
            len: len as u32,
        }
    }

    /// Returns an inner node; its children are `first` and `first + 1`.
    pub fn inner(bounds: ReferenceBounds, first: usize) -> Self {
        BinaryNode::leaf(bounds, first, 0)
    }

    pub(crate) fn is_leaf(&self) -> bool {
        self.len > 0
    }

    pub(crate) fn bounds(&self) -> ReferenceBounds {
        ReferenceBounds {
            min: self.min,
            max: self.max,
        }
    }

    /// Returns the node after its children have moved up by `by` indices. Leaves do not change.
    pub(crate) fn moved(self, by: usize) -> Self {
        match self.is_leaf() {
            true => self,
            false => BinaryNode {
                first: self.first + by as u32,
                ..self
            },
        }
    }
}

/// A binary tree; see [`BinaryNode`].
#[derive(Debug, Default)]
pub struct BinaryTree {
    /// Node 0 is the root; the array is empty if there are no triangles. Every other node is a
    /// child of exactly one inner node. No leaf is deeper than
    /// [`MAX_DEPTH`](crate::wide::MAX_DEPTH) steps.
    pub nodes: Vec<BinaryNode>,
    /// Numbers of the triangles. The leaves, from left to right, own consecutive ranges of it, so
    /// that the triangles below any node are contiguous.
    pub order: Vec<u32>,
}

impl BinaryTree {
    /// Returns the range, in the order, of all triangles below a node. Descends on both sides.
    pub(crate) fn range(&self, node: usize) -> std::ops::Range<usize> {
        let [mut left, mut right] = [&self.nodes[node]; 2];
        while !left.is_leaf() {
            left = &self.nodes[left.first as usize];
        }
        while !right.is_leaf() {
            right = &self.nodes[right.first as usize + 1];
        }
        left.first as usize..(right.first + right.len) as usize
    }
}

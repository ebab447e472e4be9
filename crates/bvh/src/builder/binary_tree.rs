//! The tree between building and collapsing: two children a node, in one array.

use super::bounds::Bounds;
use bytemuck::{Pod, Zeroable};

/// A node of a [`BinaryTree`].
///
/// Boxes are in the unit of the tree ([`Scale`](crate::wide::Scale)), enclose all triangles
/// below, and have no -0.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct BinaryNode {
    pub min: [f32; 3],
    /// Of an inner node its first child, of a leaf its first place in the order.
    pub first: u32,
    pub max: [f32; 3],
    /// How many triangles the leaf has; 0 for an inner node.
    pub len: u32,
}

impl BinaryNode {
    pub fn leaf(bounds: Bounds, first: usize, len: usize) -> Self {
        BinaryNode {
            min: bounds.min,
            first: first as u32,
            max: bounds.max,
            len: len as u32,
        }
    }

    /// An inner node; its children are `first` and the one after.
    pub fn inner(bounds: Bounds, first: usize) -> Self {
        BinaryNode::leaf(bounds, first, 0)
    }

    pub(crate) fn is_leaf(&self) -> bool {
        self.len > 0
    }

    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            min: self.min,
            max: self.max,
        }
    }

    /// The same node, after its children have moved up by so many places. Leaves stay.
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
    /// Node 0 is the root; there are none when there are no triangles. Every other node is a
    /// child of one inner node. No leaf is deeper than [`MAX_DEPTH`](crate::wide::MAX_DEPTH)
    /// steps.
    pub nodes: Vec<BinaryNode>,
    /// Numbers of the triangles. The leaves, read from left to right, have consecutive parts
    /// of it: the triangles below any node lie together.
    pub order: Vec<u32>,
}

impl BinaryTree {
    /// The places in the order of all triangles below a node. Goes down to both ends.
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

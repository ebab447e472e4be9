//! A binary tree whose subtrees can be moved, and moved back.

use crate::builder::binary_tree::{BinaryNode, BinaryTree};
use crate::builder::bounds::ReferenceBounds;
use crate::builder::unfinished::{Unfinished, room_for};
use crate::builder::watch::BuildWatch;
use crate::wide::MAX_DEPTH;
use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;
use estoc_core::glam::Vec3A;

/// The nodes with their parents, and a log of the moves.
pub struct Topology {
    nodes: Vec<BinaryNode>,
    parents: Vec<u32>,
    /// The total area of all inner nodes.
    area: f64,
    log: Vec<Moved>,
    /// 1 for nodes that a move of this round involved.
    touched: Vec<u8>,
}

/// A move that was made: the node, its former parent, and the node that it became the sibling of.
#[derive(Clone, Copy, Debug)]
struct Moved {
    from: u32,
    parent: u32,
    to: u32,
}

/// Returns the other child of a node's parent. Children lie in pairs, the first at an odd index,
/// since only the root lies before them.
pub(super) fn sibling(node: u32) -> u32 {
    ((node - 1) ^ 1) + 1
}

/// A box in the form in which two are joined fastest.
#[derive(Clone, Copy)]
pub struct NodeBounds {
    min: Vec3A,
    max: Vec3A,
}

impl NodeBounds {
    pub(super) fn of(node: &BinaryNode) -> Self {
        NodeBounds {
            min: node.min.into(),
            max: node.max.into(),
        }
    }

    pub(super) fn join(&self, other: &NodeBounds) -> Self {
        NodeBounds {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns half the surface area, in `f64` so that it does not overflow.
    pub(super) fn half_area(&self) -> f64 {
        let [x, y, z] = (self.max.as_dvec3() - self.min.as_dvec3()).to_array();
        x * y + y * z + z * x
    }

    /// Returns an inner node of this box, whose children are `first` and `first + 1`.
    fn inner(&self, first: u32) -> BinaryNode {
        let bounds = ReferenceBounds {
            min: self.min.into(),
            max: self.max.into(),
        };
        BinaryNode::inner(bounds, first as usize)
    }
}

impl Topology {
    /// Returns `None` if memory is exhausted.
    pub fn new(nodes: Vec<BinaryNode>) -> Option<Self> {
        let mut parents: Vec<u32> = try_zeroed_vec(nodes.len()).ok()?;
        let mut area = 0.0;
        for (place, node) in nodes.iter().enumerate() {
            if !node.is_leaf() {
                debug_assert!(node.first % 2 == 1);
                parents[node.first as usize] = place as u32;
                parents[node.first as usize + 1] = place as u32;
                area += NodeBounds::of(node).half_area();
            }
        }
        Some(Topology {
            touched: try_zeroed_vec(nodes.len()).ok()?,
            nodes,
            parents,
            area,
            log: Vec::new(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, place: u32) -> &BinaryNode {
        &self.nodes[place as usize]
    }

    pub(super) fn hull(&self, place: u32) -> NodeBounds {
        NodeBounds::of(self.node(place))
    }

    /// Returns the parent of a node; the root is its own parent.
    pub(super) fn parent(&self, place: u32) -> u32 {
        self.parents[place as usize]
    }

    /// Returns the total area of all inner nodes.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Returns the number of moves made.
    pub fn log_len(&self) -> usize {
        self.log.len()
    }

    /// Makes a node the sibling of another, unless a move of this round involved any of the nodes
    /// that take part, or the other now lies below it.
    pub(super) fn try_move(&mut self, from: u32, to: u32) {
        let parent = self.parent(from);
        let involved = [from, sibling(from), parent, to, self.parent(to)];
        if involved
            .iter()
            .any(|&node| self.touched[node as usize] != 0)
            || to == parent
        {
            return;
        }
        let mut above = to;
        while above != 0 {
            if above == from {
                return;
            }
            above = self.parent(above);
        }
        for node in involved {
            self.touched[node as usize] = 1;
        }
        self.make(Moved { from, parent, to });
    }

    /// Makes a move. The sibling takes the parent's place, the other node the sibling's, and the
    /// pair of both goes below where the other node was.
    fn make(&mut self, moved: Moved) {
        let Moved { from, parent, to } = moved;
        let aside = sibling(from);
        self.area -= self.hull(parent).half_area();
        let (target, left) = (self.nodes[to as usize], self.nodes[aside as usize]);
        self.put(parent, left);
        self.put(aside, target);
        let hull = NodeBounds::of(&target).join(&self.hull(from));
        self.area += hull.half_area();
        self.put(to, hull.inner(from.min(aside)));
        self.refit_above(parent);
        self.refit_above(to);
        self.log.push(moved);
    }

    /// Reverts a move, which must be the last one.
    fn unmake(&mut self, moved: Moved) {
        let Moved { from, parent, to } = moved;
        let aside = sibling(from);
        let (target, left) = (self.nodes[aside as usize], self.nodes[parent as usize]);
        self.put(to, target);
        self.put(aside, left);
        let hull = NodeBounds::of(&left).join(&self.hull(from));
        self.put(parent, hull.inner(from.min(aside)));
    }

    fn put(&mut self, place: u32, node: BinaryNode) {
        if !node.is_leaf() {
            self.parents[node.first as usize] = place;
            self.parents[node.first as usize + 1] = place;
        }
        self.nodes[place as usize] = node;
    }

    /// Allows all nodes to be moved again.
    pub(super) fn end_round(&mut self) {
        self.touched.fill(0);
    }

    /// Updates the boxes above a node, upwards to the first that does not change.
    fn refit_above(&mut self, mut place: u32) {
        while place != 0 {
            place = self.parent(place);
            if !self.is_changed(place) {
                break;
            }
        }
    }

    /// Returns the box of a pair of siblings.
    fn children(&self, first: u32) -> NodeBounds {
        self.hull(first).join(&self.hull(first + 1))
    }

    /// Sets the box of an inner node to that of its children, and returns whether it changed.
    fn is_changed(&mut self, place: u32) -> bool {
        let first = self.node(place).first;
        let (before, hull) = (self.hull(place), self.children(first));
        if (before.min, before.max) == (hull.min, hull.max) {
            return false;
        }
        self.area += hull.half_area() - before.half_area();
        self.nodes[place as usize] = hull.inner(first);
        true
    }

    /// Undoes the last moves until `log_len` remain.
    pub fn take_back(&mut self, log_len: usize) {
        for moved in self.log.split_off(log_len).into_iter().rev() {
            self.unmake(moved);
        }
        self.area = 0.0;
        let inner: Vec<u32> = self.walk().map(|(place, _)| place).collect();
        for &place in inner.iter().rev() {
            let first = self.node(place).first;
            let hull = self.children(first);
            self.area += hull.half_area();
            self.nodes[place as usize] = hull.inner(first);
        }
    }

    /// Iterates over inner nodes and their depths; each before its children.
    fn walk(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let mut pending = vec![(0, 0)];
        std::iter::from_fn(move || {
            loop {
                let (place, depth) = pending.pop()?;
                let node = self.node(place);
                if !node.is_leaf() {
                    pending.extend([(node.first + 1, depth + 1), (node.first, depth + 1)]);
                    return Some((place, depth));
                }
            }
        })
    }

    /// Returns the tree, with its nodes and triangles in the order of a traversal; `order` is the
    /// former order of the triangles. If the tree has become too deep for queries, all moves are
    /// undone first. Fails if memory is exhausted, or on cancellation.
    pub(super) fn finish(
        mut self,
        order: &[u32],
        watch: &BuildWatch<'_>,
    ) -> Result<BinaryTree, Unfinished> {
        /// The number of nodes between checks for cancellation.
        const CHUNK: usize = 1 << 13;
        let mut deep = false;
        for (node, depth) in self.walk() {
            if (node as usize).is_multiple_of(CHUNK) {
                watch.check()?;
            }
            deep |= depth >= MAX_DEPTH;
        }
        if deep {
            self.take_back(0);
        }
        let mut tree = BinaryTree {
            nodes: room_for(self.len())?,
            order: room_for(order.len())?,
        };
        tree.nodes.push(BinaryNode::zeroed());
        let mut pending = vec![(0, 0)];
        while let Some((from, to)) = pending.pop() {
            if to % CHUNK == 0 {
                watch.check()?;
            }
            let node = *self.node(from);
            tree.nodes[to] = if node.is_leaf() {
                let first = tree.order.len();
                let range = node.first as usize..(node.first + node.len) as usize;
                tree.order.extend_from_slice(&order[range]);
                BinaryNode::leaf(node.bounds(), first, node.len as usize)
            } else {
                let first = tree.nodes.len();
                tree.nodes.extend([BinaryNode::zeroed(); 2]);
                pending.extend([(node.first + 1, first + 1), (node.first, first)]);
                BinaryNode::inner(node.bounds(), first)
            };
        }
        Ok(tree)
    }
}

//! Sizes and quality of a tree.

use super::Bvh;
use crate::wide::{Child, LEAF_COST, NODE_COST, Node};

/// Sizes and quality of a tree; see [`Bvh::stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BvhStats {
    /// Triangles in the leaves.
    pub triangles: usize,
    /// Nodes, of up to eight children each.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Most triangles in one leaf.
    pub max_leaf: usize,
    /// Most nodes on the way from the root to a leaf.
    pub depth: usize,
    /// What the surface area heuristic expects a random ray that meets the root's box to
    /// cost, in tests of up to eight boxes; testing the triangles of a leaf counts 0.8. Of
    /// boxes as the tree has them, with the margin that kernels need; 0 when the root's box
    /// has no area even so.
    pub sah_cost: f64,
    /// Bytes of memory held.
    pub bytes: usize,
}

impl Bvh {
    /// Sizes and quality. Walks the whole tree.
    pub fn stats(&self) -> BvhStats {
        let tree = &self.tree;
        let mut stats = BvhStats {
            triangles: tree.leaves.len(),
            nodes: tree.nodes.len(),
            bytes: tree.nodes.bytes() + tree.leaves.bytes(),
            ..BvhStats::default()
        };
        let [min, max] = tree.bounds();
        let root_area = half_area((min, max));
        let mut cost = root_area * NODE_COST;
        let mut pending: Vec<(&Node, usize)> = tree
            .nodes
            .first()
            .map(|root| (root, 1))
            .into_iter()
            .collect();
        while let Some((node, depth)) = pending.pop() {
            stats.depth = stats.depth.max(depth);
            for lane in node.lanes() {
                let (min, max) = node.bounds(lane);
                let area = half_area((tree.unscaled(min), tree.unscaled(max)));
                match node.child(lane) {
                    Child::Leaf { len, .. } => {
                        stats.leaves += 1;
                        stats.max_leaf = stats.max_leaf.max(len);
                        cost += area * LEAF_COST;
                    }
                    Child::Node(place) => {
                        cost += area * NODE_COST;
                        pending.push((&tree.nodes[place], depth + 1));
                    }
                }
            }
        }
        // A scene on one line or point has no area to relate to.
        stats.sah_cost = if root_area > 0.0 {
            cost / root_area
        } else {
            0.0
        };
        stats
    }
}

fn half_area((min, max): ([f32; 3], [f32; 3])) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| f64::from(max[i]) - f64::from(min[i]));
    match x >= 0.0 {
        true => x * y + y * z + z * x,
        false => 0.0,
    }
}

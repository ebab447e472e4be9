//! Sizes and quality of a tree.

use super::{Bvh, Content, LeafTriangle, Node};
use crate::build::STEP_COST;

/// Sizes and quality of a tree; see [`Bvh::stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BvhStats {
    /// Triangles in the leaves.
    pub triangles: usize,
    /// Nodes, leaves included.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Most triangles in one leaf.
    pub max_leaf: usize,
    /// Most steps from the root to a leaf; 0 when the root is a leaf.
    pub depth: usize,
    /// What the surface area heuristic expects a random ray that meets the root's box to
    /// cost, in triangle tests, with a step down the tree counted as one. 0 when that box has
    /// no area.
    pub sah_cost: f64,
    /// Bytes of memory held.
    pub bytes: usize,
}

impl Bvh {
    /// Sizes and quality. Walks the whole tree.
    pub fn stats(&self) -> BvhStats {
        let mut stats = BvhStats {
            triangles: self.triangles.len(),
            nodes: self.nodes.len(),
            bytes: self.nodes.len() * size_of::<Node>()
                + self.triangles.len() * size_of::<LeafTriangle>()
                + self.slots.len() * size_of::<u32>(),
            ..BvhStats::default()
        };
        let Some(root) = self.nodes.first() else {
            return stats;
        };
        let mut cost = 0.0;
        let mut pending = vec![(root, 0)];
        while let Some((node, depth)) = pending.pop() {
            stats.depth = stats.depth.max(depth);
            cost += node.half_area()
                * match node.content() {
                    Content::Leaf { len, .. } => {
                        stats.leaves += 1;
                        stats.max_leaf = stats.max_leaf.max(len);
                        len as f64
                    }
                    Content::Inner { left } => {
                        pending.push((&self.nodes[left], depth + 1));
                        pending.push((&self.nodes[left + 1], depth + 1));
                        STEP_COST
                    }
                };
        }
        let area = root.half_area();
        // A scene on one line or point has no area to relate to.
        stats.sah_cost = if area > 0.0 { cost / area } else { 0.0 };
        stats
    }
}

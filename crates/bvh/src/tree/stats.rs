//! Sizes and quality of a tree.

use super::Bvh;
use crate::wide::{Child, LEAF_COST, Layout, NODE_COST, Node, WIDTH, WideTriangles};
use estoc_core::Coordinate;
use estoc_mesh::parts::Buffers;

/// Sizes and quality of a tree; see [`Bvh::stats`]. For a tree without triangles all numbers are
/// zero, except for a few bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BvhStats {
    /// The number of triangles in the leaves.
    pub triangles: usize,
    /// The number of nodes, of up to eight children each.
    pub nodes: usize,
    /// The number of leaves.
    pub leaves: usize,
    /// The largest number of triangles in one leaf.
    pub max_leaf: usize,
    /// The number of leaves that have `n` triangles, by `n`; none has 0.
    pub leaf_sizes: [usize; 9],
    /// The number of nodes that have `n` children, by `n`; none has 0.
    pub children: [usize; 9],
    /// The largest number of nodes on a path from the root to a leaf, the root included.
    pub depth: usize,
    /// The mean of that number over all leaves.
    pub mean_depth: f64,
    /// The cost that the surface area heuristic (Goldsmith and Salmon 1987) expects of a long
    /// random ray: [`expected_nodes`](Self::expected_nodes), whose test of up to eight boxes counts
    /// 1, plus 0.8 times [`expected_leaves`](Self::expected_leaves), whose triangles are tested
    /// together. The builder minimizes the same costs when it collapses the binary tree.
    pub sah_cost: f64,
    /// The expected number of nodes that a ray visits which passes through the root's box and
    /// through the whole scene. Random rays meet a convex box in proportion to its surface area.
    /// The boxes are those of the tree, with the margin that kernels need. 0 if the root's box has
    /// no area despite the margin.
    pub expected_nodes: f64,
    /// The expected number of leaves that such a ray visits.
    pub expected_leaves: f64,
    /// The expected number of triangles in the leaves that such a ray visits.
    pub expected_triangles: f64,
    /// How the leaves store their triangles.
    pub layout: Layout,
    /// The memory of the tree in bytes: the sum of [`bytes_by_part`](Self::bytes_by_part).
    pub bytes: usize,
    /// The parts of that memory.
    pub bytes_by_part: BytesByPart,
    /// Bytes of the mesh's vertices and indices, if the tree takes its triangles from there
    /// ([`Layout::Compact`], and every tree in `f64`), else 0. All trees and meshes that share them hold one copy, which is
    /// not counted in [`bytes`](Self::bytes).
    pub shared_bytes: usize,
}

/// The memory of a tree; see [`BvhStats::bytes_by_part`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BytesByPart {
    /// Bytes of the nodes.
    pub nodes: usize,
    /// Bytes of the corners of the triangles, with the padding for vector loads past the last one;
    /// 0 in a tree of [`Layout::Compact`].
    pub triangles: usize,
    /// Bytes of the names: which triangle of the mesh each one is.
    pub names: usize,
    /// Bytes of tables that a query made for later ones: the places of all triangles, and
    /// clusters for winding numbers (see [`Bvh`]).
    pub tables: usize,
}

impl BytesByPart {
    /// Returns the sum of all parts.
    pub fn total(&self) -> usize {
        self.nodes + self.triangles + self.names + self.tables
    }
}

impl BvhStats {
    /// Returns the memory of the tree in bytes per triangle; 0 without triangles.
    pub fn bytes_per_triangle(&self) -> f64 {
        match self.triangles {
            0 => 0.0,
            triangles => self.bytes as f64 / triangles as f64,
        }
    }
}

impl<C: Coordinate> Bvh<C> {
    /// Returns sizes and quality. Traverses the whole tree once, in the caller's thread.
    ///
    /// Areas are computed in `f64`, in which even those of the farthest finite `f32` corners are
    /// far from overflowing, so that all numbers are finite.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; }
    /// use estoc::{Bvh, Mesh};
    /// let mesh = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let stats = Bvh::build(&mesh).stats();
    /// // The root, and the one leaf in it.
    /// assert_eq!((stats.nodes, stats.children[1]), (1, 1));
    /// assert_eq!((stats.leaves, stats.leaf_sizes[1]), (1, 1));
    /// assert_eq!(stats.sah_cost, 1.0 + 0.8);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn stats(&self) -> BvhStats {
        let tree = &self.tree;
        let bytes_by_part = self.bytes_by_part();
        let mut stats = BvhStats {
            triangles: tree.leaves.len(),
            nodes: tree.nodes.len(),
            layout: tree.leaves.layout(),
            bytes: bytes_by_part.total(),
            shared_bytes: match C::kept(&self.wide) {
                Some(wide) => wide.shared_bytes(),
                None => tree.leaves.mesh().map_or(0, Buffers::bytes),
            },
            bytes_by_part,
            ..BvhStats::default()
        };
        let [min, max] = tree.bounds();
        let root_area = half_area((min, max));
        // Sums of areas, to be divided by the area of the root.
        let (mut nodes, mut leaves, mut triangles) = (root_area, 0.0, 0.0);
        let mut depths = 0;
        let mut pending: Vec<(&Node, usize)> = tree
            .nodes
            .first()
            .map(|root| (root, 1))
            .into_iter()
            .collect();
        while let Some((node, depth)) = pending.pop() {
            stats.depth = stats.depth.max(depth);
            stats.children[node.lanes().len()] += 1;
            for lane in node.lanes() {
                let (min, max) = node.bounds(lane);
                let area = half_area((tree.unscaled(min), tree.unscaled(max)));
                match node.child(lane) {
                    Child::Leaf { len, .. } => {
                        stats.leaves += 1;
                        stats.max_leaf = stats.max_leaf.max(len);
                        stats.leaf_sizes[len] += 1;
                        depths += depth;
                        leaves += area;
                        triangles += area * len as f64;
                    }
                    Child::Node(place) => {
                        nodes += area;
                        pending.push((&tree.nodes[place], depth + 1));
                    }
                }
            }
        }
        if stats.leaves > 0 {
            stats.mean_depth = depths as f64 / stats.leaves as f64;
        }
        // A scene on one line or point has no area to divide by.
        if root_area > 0.0 {
            stats.expected_nodes = nodes / root_area;
            stats.expected_leaves = leaves / root_area;
            stats.expected_triangles = triangles / root_area;
            stats.sah_cost = stats.expected_nodes * NODE_COST + stats.expected_leaves * LEAF_COST;
        }
        stats
    }

    fn bytes_by_part(&self) -> BytesByPart {
        let names = self.tree.leaves.len() * size_of::<u32>();
        BytesByPart {
            nodes: self.tree.nodes.bytes(),
            triangles: self.tree.leaves.bytes().saturating_sub(names)
                + C::kept(&self.wide).map_or(0, WideTriangles::own_bytes),
            names,
            tables: self.slots.get().map_or(0, super::slots::Slots::bytes)
                + self
                    .clusters
                    .get()
                    .map_or(0, super::clusters::Clusters::bytes),
        }
    }
}

// One entry for each number of children or triangles that a node can have.
const _: () = assert!(WIDTH + 1 == 9);

fn half_area((min, max): ([f32; 3], [f32; 3])) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| f64::from(max[i]) - f64::from(min[i]));
    match x >= 0.0 {
        true => x * y + y * z + z * x,
        false => 0.0,
    }
}

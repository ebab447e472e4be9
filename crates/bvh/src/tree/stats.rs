//! Sizes and quality of a tree.

use super::Bvh;
use crate::wide::{Child, LEAF_COST, Layout, NODE_COST, Node, WIDTH};
use estoc_mesh::parts::Buffers;

/// Sizes and quality of a tree; see [`Bvh::stats`]. Without triangles all zero, but for a few
/// bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// How many leaves have `n` triangles, by `n`; none has 0.
    pub leaf_sizes: [usize; 9],
    /// How many nodes have `n` children, by `n`; none has 0.
    pub children: [usize; 9],
    /// Most nodes on the way from the root to a leaf, both ends of it counted but the leaf.
    pub depth: usize,
    /// The same in the mean over leaves.
    pub mean_depth: f64,
    /// What the surface area heuristic (Goldsmith and Salmon 1987) expects of a long random ray:
    /// [`expected_nodes`](Self::expected_nodes), whose test of up to eight boxes counts 1, and 0.8
    /// times [`expected_leaves`](Self::expected_leaves), whose triangles are tested together.
    /// These are the costs that the tree was collapsed for.
    pub sah_cost: f64,
    /// How many nodes a ray visits that passes through the root's box, and through the whole
    /// scene. Random rays meet a convex box as often as its surface is large; the boxes are those
    /// that the tree has, with the margin that kernels need. 0 when the root's box has no area
    /// even so.
    pub expected_nodes: f64,
    /// How many leaves such a ray visits.
    pub expected_leaves: f64,
    /// How many triangles are in the leaves that such a ray visits.
    pub expected_triangles: f64,
    /// How the leaves keep their triangles.
    pub layout: Layout,
    /// Bytes of memory held: the sum of [`bytes_by_part`](Self::bytes_by_part).
    pub bytes: usize,
    /// What these bytes are for.
    pub bytes_by_part: BytesByPart,
    /// Bytes of the mesh's vertices and indices, if the tree takes its triangles from there
    /// ([`Layout::Compact`]); 0 else. They are there once however many share them, and are no
    /// part of [`bytes`](Self::bytes).
    pub shared_bytes: usize,
}

/// The memory of a tree; see [`BvhStats::bytes_by_part`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BytesByPart {
    /// Nodes.
    pub nodes: usize,
    /// Corners of the triangles, and the room that loads beyond the last ones need; none in a
    /// tree of [`Layout::Compact`].
    pub triangles: usize,
    /// Which triangle of the mesh each of them is.
    pub names: usize,
    /// Tables that a query made, and later ones use: where each triangle is (see [`Bvh`]).
    pub tables: usize,
}

impl BytesByPart {
    /// All parts together.
    pub fn total(&self) -> usize {
        self.nodes + self.triangles + self.names + self.tables
    }
}

impl BvhStats {
    /// Bytes of memory held for each triangle; 0 without triangles.
    pub fn bytes_per_triangle(&self) -> f64 {
        match self.triangles {
            0 => 0.0,
            triangles => self.bytes as f64 / triangles as f64,
        }
    }
}

impl Bvh {
    /// Sizes and quality. Walks the whole tree once, in the caller's thread.
    ///
    /// Areas are taken in `f64`, where those of the farthest corners that an `f32` can name are
    /// far from overflowing, so that all numbers are finite.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; }
    /// use estoc::{Bvh, Mesh};
    /// let mesh = Mesh::new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
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
            shared_bytes: tree.leaves.mesh().map_or(0, Buffers::bytes),
            bytes_by_part,
            ..BvhStats::default()
        };
        let [min, max] = tree.bounds();
        let root_area = half_area((min, max));
        // Sums of areas, to be divided by that of the root.
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
        // A scene on one line or point has no area to relate to.
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
            triangles: self.tree.leaves.bytes().saturating_sub(names),
            names,
            tables: self.slots.get().map_or(0, super::slots::Slots::bytes),
        }
    }
}

// One place for each number of children or triangles that a node can tell.
const _: () = assert!(WIDTH + 1 == 9);

fn half_area((min, max): ([f32; 3], [f32; 3])) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| f64::from(max[i]) - f64::from(min[i]));
    match x >= 0.0 {
        true => x * y + y * z + z * x,
        false => 0.0,
    }
}

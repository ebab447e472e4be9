//! Refits a tree to a mesh whose corners have moved.

use super::{Bvh, plural};
use crate::builder::BuildWatch;
use crate::wide::{Child, Node, Scale, WideTree, wide_triangles};
use estoc_core::Coordinate;
use estoc_mesh::Mesh;
use estoc_mesh::parts::{Buffers, buffers};
use estoc_system::NoMemory;
use estoc_system::parallel::FirstUse;
use estoc_system::parallel::prelude::*;

/// The expected cost of a tree before and after [`Bvh::refit`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RefitReport {
    /// [`BvhStats::sah_cost`](crate::BvhStats::sah_cost) of the tree as it was built.
    pub built_cost: f64,
    /// The same after the refit.
    pub cost: f64,
}

impl RefitReport {
    /// Returns the ratio of the expected cost of a long random ray to that in the tree as built: 1
    /// if nothing has moved, less than 1 if the mesh has come to fit its tree better, infinite if
    /// the mesh had no area when the tree was built and has some now.
    ///
    /// A rebuilt tree has about the cost of the tree as built, so this is what a rebuild gains. A
    /// build takes about two to five times as long as a refit.
    pub fn decay(&self) -> f64 {
        if self.built_cost == self.cost {
            return 1.0;
        }
        // Without any area, the heuristic had nothing to minimize when the tree was built.
        match self.built_cost > 0.0 {
            true => self.cost / self.built_cost,
            false => f64::INFINITY,
        }
    }

    /// Returns whether rays are expected to take more than 1.5 times as long as when the tree was
    /// built.
    pub fn should_rebuild(&self) -> bool {
        self.decay() > 1.5
    }
}

/// The reason why a refit failed. The tree is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefitError {
    /// The mesh has another number of triangles than the tree.
    #[error(
        "the tree was built for {tree} triangle{}, but the mesh has {mesh}; a refit cannot add or \
         remove triangles: build a new tree",
        plural(*.tree)
    )]
    TriangleCount {
        /// The number of triangles of the tree.
        tree: usize,
        /// The number of triangles of the mesh.
        mesh: usize,
    },
    /// The system does not have enough memory.
    #[error("not enough memory to refit the tree; free some")]
    NoMemory,
}

/// The number of triangles from which a range is worth another thread.
const FORK_FROM: usize = 4096;

impl<C: Coordinate> Bvh<C> {
    /// Moves the triangles to the corners of a mesh with the same number of triangles: triangle `i`
    /// of the mesh becomes primitive `i`. Answers are then those of a tree built for this mesh;
    /// [`RefitReport`] estimates how much slower queries are. This runs in the rayon pool of the
    /// caller; without the feature `rayon`, on the calling thread. The tree does not depend on the
    /// number of threads.
    ///
    /// A tree of [`Layout::Compact`](crate::Layout::Compact) then takes its triangles from the new
    /// mesh, and drops its reference to the old one.
    ///
    /// Boxes are recomputed from the leaves up; which triangles share a leaf does not change (Wald,
    /// Boulos and Shirley 2007, "Ray Tracing Deformable Scenes Using Dynamic Bounding Volume
    /// Hierarchies").
    ///
    /// # Errors
    /// [`RefitError::TriangleCount`] if the mesh has more or fewer triangles, and
    /// [`RefitError::NoMemory`] if there is not enough memory. The tree is unchanged.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; }
    /// use estoc::{Bvh, Mesh, Ray, RayQuery};
    /// let at = |z: f32| Mesh::try_new([[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]], [[0, 1, 2]]);
    /// let mut bvh = Bvh::build(&at(1.0)?);
    /// let refit = bvh.refit(&at(5.0)?)?;
    /// assert!(!refit.should_rebuild());
    /// let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// assert_eq!(bvh.closest_hit(&ray).unwrap().t, 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refit(&mut self, mesh: &Mesh<C>) -> Result<RefitReport, RefitError> {
        let (tree, mesh_count) = (self.tree.leaves.len(), mesh.triangle_count());
        if tree != mesh_count {
            return Err(RefitError::TriangleCount {
                tree,
                mesh: mesh_count,
            });
        }
        let wide = wide_triangles(mesh, &self.tree).map_err(|NoMemory| RefitError::NoMemory)?;
        let built_cost = self.built_cost.unwrap_or_else(|| self.stats().sah_cost);
        self.built_cost = Some(built_cost);
        self.tree.refit(buffers(mesh));
        self.wide = wide;
        self.closed = FirstUse::new();
        self.surface = FirstUse::new();
        self.clusters = FirstUse::new();
        self.bounds = FirstUse::new();
        self.outline = FirstUse::new();
        Ok(RefitReport {
            built_cost,
            cost: self.stats().sah_cost,
        })
    }
}

impl WideTree {
    fn refit(&mut self, mesh: &Buffers) {
        // A refit cannot be cancelled.
        self.scale = Scale::of_mesh(mesh, &BuildWatch::new(None, None, 0)).unwrap_or_default();
        // Packed, they sort faster.
        let packed = |(first, len): (usize, usize)| (first as u64) << u32::BITS | len as u64;
        let mut ranges: Vec<u64> = self.leaf_ranges().map(packed).collect();
        ranges.par_sort_unstable();
        let unpacked = |range: u64| ((range >> u32::BITS) as usize, range as u32 as usize);
        let ranges: Vec<(usize, usize)> = ranges.into_iter().map(unpacked).collect();
        self.leaves.rewrite(&ranges, mesh, self.scale);
        self.refit_boxes();
        self.measure();
    }

    fn refit_boxes(&mut self) {
        let leaves = self.leaves.view(self.scale);
        // First the leaves' boxes, for all nodes at once; then the nodes in reverse order, since a
        // node comes before those below it.
        let mut whole = vec![Extent::EMPTY; self.nodes.len()];
        let least = FORK_FROM / 32;
        let nodes = self.nodes.par_iter_mut().with_min_len(least);
        nodes.zip(&mut whole).for_each(|(node, whole)| {
            for lane in node.lanes() {
                if let child @ Child::Leaf { first, len } = node.child(lane) {
                    let mut extent = Extent::EMPTY;
                    for place in 0..len {
                        for corner in leaves.scaled_triangle(first, len, place).corners() {
                            let corner = corner.to_array();
                            extent.add(corner, corner);
                        }
                    }
                    extent.give(node, lane, child);
                    whole.add(extent.min, extent.max);
                }
            }
        });
        for at in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[at];
            let mut sum = whole[at];
            for lane in node.lanes() {
                if let child @ Child::Node(below) = node.child(lane) {
                    debug_assert!(below > at, "a node is stored before its children");
                    let extent = whole[below];
                    extent.give(node, lane, child);
                    sum.add(extent.min, extent.max);
                }
            }
            whole[at] = sum;
        }
    }
}

/// A box that grows.
#[derive(Clone, Copy)]
struct Extent {
    min: [f32; 3],
    max: [f32; 3],
}

impl Extent {
    const EMPTY: Extent = Extent {
        min: [f32::INFINITY; 3],
        max: [f32::NEG_INFINITY; 3],
    };

    fn add(&mut self, min: [f32; 3], max: [f32; 3]) {
        for axis in 0..3 {
            // Turns -0 into +0, so that the result does not depend on the order in which boxes are
            // joined.
            self.min[axis] = self.min[axis].min(min[axis] + 0.0);
            self.max[axis] = self.max[axis].max(max[axis] + 0.0);
        }
    }

    fn give(&self, node: &mut Node, lane: usize, child: Child) {
        node.set(lane, self.min, self.max, child);
    }
}

//! A tree for a mesh whose corners have moved.

use super::Bvh;
use crate::builder::Watch;
use crate::wide::{Child, Node, Scale, WideTree};
use estoc_mesh::Mesh;
use rayon::prelude::*;
use std::sync::OnceLock;

/// How far a tree has decayed by [`Bvh::refit`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RefitReport {
    /// [`BvhStats::sah_cost`](crate::BvhStats::sah_cost) as the tree was built.
    pub built_cost: f64,
    /// The same now.
    pub cost: f64,
}

impl RefitReport {
    /// How many times the work of the built tree a long random ray is expected to be: 1 where
    /// nothing has moved, less where a scene has come to fit its tree better; infinite where it had
    /// no area when the tree was built, and has now.
    ///
    /// A tree that is rebuilt has about the cost of a built one, so this is what is to be gained.
    /// A build takes some two to five times as long as a refit.
    pub fn decay(&self) -> f64 {
        if self.built_cost == self.cost {
            return 1.0;
        }
        // Without an area there was nothing to go by when it was built.
        match self.built_cost > 0.0 {
            true => self.cost / self.built_cost,
            false => f64::INFINITY,
        }
    }

    /// Whether rays are expected to take half as long again as when the tree was built, or
    /// longer.
    pub fn should_rebuild(&self) -> bool {
        self.decay() > 1.5
    }
}

/// Why a tree could not be refitted. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefitError {
    /// The mesh does not have as many triangles as the tree.
    #[error(
        "the tree was built for {tree} triangles and the mesh has {mesh}; \
         a refit moves triangles: build another tree for this mesh"
    )]
    TriangleCount {
        /// How many the tree has.
        tree: usize,
        /// How many the mesh has.
        mesh: usize,
    },
}

/// Fewer triangles are no work for another thread.
const FORK_FROM: usize = 4096;

impl Bvh {
    /// Takes over the corners of a mesh with as many triangles as the tree has: its triangle `i`
    /// is the new primitive `i`. Answers are from then on those of a tree that is built for this
    /// mesh; how fast they come, [`RefitReport`] estimates. Works in the rayon pool that the caller is
    /// in, and gives the same tree for any number of threads.
    ///
    /// A tree of [`Layout::Compact`](crate::Layout::Compact) takes its triangles from the new
    /// mesh, and lets go of the old one.
    ///
    /// Boxes are made anew from the leaves up, while which triangles share a leaf remains as it
    /// was (Wald, Boulos and Shirley 2007, "Ray Tracing Deformable Scenes Using Dynamic Bounding
    /// Volume Hierarchies").
    ///
    /// # Errors
    /// [`RefitError::TriangleCount`], and the tree is unchanged, if the mesh has more or fewer
    /// triangles.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; }
    /// use estoc::{Bvh, Mesh, Ray, RayQuery};
    /// let at = |z: f32| Mesh::new([[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]], [[0, 1, 2]]);
    /// let mut bvh = Bvh::build(&at(1.0)?);
    /// let refit = bvh.refit(&at(5.0)?)?;
    /// assert!(!refit.should_rebuild());
    /// let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// assert_eq!(bvh.closest_hit(&ray).unwrap().t, 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refit(&mut self, mesh: &Mesh) -> Result<RefitReport, RefitError> {
        let (tree, mesh_count) = (self.tree.leaves.len(), mesh.triangle_count());
        if tree != mesh_count {
            return Err(RefitError::TriangleCount {
                tree,
                mesh: mesh_count,
            });
        }
        let built_cost = self.built_cost.unwrap_or_else(|| self.stats().sah_cost);
        self.built_cost = Some(built_cost);
        self.tree.refit(mesh);
        self.closed = OnceLock::new();
        self.bounds = OnceLock::new();
        Ok(RefitReport {
            built_cost,
            cost: self.stats().sah_cost,
        })
    }
}

impl WideTree {
    fn refit(&mut self, mesh: &Mesh) {
        // Nobody can cancel it.
        self.scale = Scale::of_mesh(mesh, &Watch::new(None, None, 0)).unwrap_or_default();
        let mut ranges: Vec<(usize, usize)> = self.leaf_ranges().collect();
        ranges.par_sort_unstable();
        self.leaves.rewrite(&ranges, mesh, self.scale);
        self.refit_boxes();
        self.measure();
    }

    fn refit_boxes(&mut self) {
        let leaves = self.leaves.view(self.scale);
        // First what is known of leaves, for all nodes at once; then from below, as a node comes
        // before those below it.
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
                    debug_assert!(below > at, "a node comes before those below it");
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
            // +0 for -0, so that the order in which boxes are joined leaves no trace.
            self.min[axis] = self.min[axis].min(min[axis] + 0.0);
            self.max[axis] = self.max[axis].max(max[axis] + 0.0);
        }
    }

    fn give(&self, node: &mut Node, lane: usize, child: Child) {
        node.set(lane, self.min, self.max, child);
    }
}

//! The tree as queries see it.

mod node;
mod stats;
mod validate;

pub use stats::BvhStats;
pub use validate::ValidateError;

pub(crate) use node::{Content, LeafTriangle, Node};

use crate::{BvhBuilder, Mesh, traverse};
use estoc_core::exact::RayQuestion;
use estoc_core::{Collect, PrimId, RayQuery, Triangle, is_closed};
use std::sync::OnceLock;

/// The most steps from the root to a leaf that any tree has.
pub(crate) const MAX_DEPTH: usize = 96;

/// A bounding volume hierarchy over the triangles of a mesh, which it keeps a copy of.
///
/// Ask it through [`RayQuery`]. Its answers are exact and do not depend on how it was built;
/// queries allocate nothing unless they return a `Vec` (or have to decide exactly between
/// numbers that mix magnitudes by hundreds of bits), and any number of threads may ask at once.
#[derive(Clone, Debug)]
pub struct Bvh {
    /// Node 0 is the root; empty when there are no triangles.
    nodes: Vec<Node>,
    triangles: Vec<LeafTriangle>,
    /// The slot of each primitive.
    slots: Vec<u32>,
    closed: OnceLock<bool>,
}

impl Bvh {
    /// Builds a tree with the usual settings, in the rayon pool that the caller is in; see
    /// [`Bvh::builder`] for others. A mesh without triangles gives a tree that nothing hits.
    pub fn build(mesh: &Mesh) -> Self {
        BvhBuilder::default()
            .build_here(mesh)
            .expect("only a raised token cancels, and none was given")
    }

    /// Settings of a build: quality, threads, progress, and a way to cancel.
    ///
    /// ```
    /// use estoc_bvh::{Bvh, Mesh, Quality};
    /// let mesh = Mesh::new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let bvh = Bvh::builder().quality(Quality::Best).build(&mesh)?;
    /// assert_eq!(bvh.stats().triangles, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder<'a>() -> BvhBuilder<'a> {
        BvhBuilder::default()
    }

    /// Every primitive must be in `triangles` once.
    pub(crate) fn new(nodes: Vec<Node>, triangles: Vec<LeafTriangle>) -> Self {
        let mut slots = vec![0; triangles.len()];
        for (slot, leaf) in triangles.iter().enumerate() {
            slots[leaf.prim.index()] = slot as u32;
        }
        Bvh {
            nodes,
            triangles,
            slots,
            closed: OnceLock::new(),
        }
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn leaf_triangles(&self) -> &[LeafTriangle] {
        &self.triangles
    }
}

impl RayQuery for Bvh {
    fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        let slot = *self.slots.get(prim.index())?;
        Some(self.triangles[slot as usize].triangle)
    }

    /// Found out at the first call, by sorting all edges, and kept.
    fn is_closed(&self) -> bool {
        *self
            .closed
            .get_or_init(|| is_closed(self.triangles.iter().map(|leaf| leaf.triangle)))
    }

    fn visit<C: Collect>(&self, ray: &RayQuestion, collector: &mut C) {
        traverse::nearest_first(self, ray, collector, &mut ());
    }
}

//! Traversal with up to sixteen rays of another space at once, such as those of a picture in a scene.
//!
//! Lanes are rays, from the mapping to an object's space (by the caller) to the tests of triangles. The
//! rays whose numbers suit kernels share traversals, in parts with one octant and one longest axis;
//! the caller traverses with the others one by one. The bounds are those of single rays
//! (`mapped_frame.rs`), and boxes are tested as by bundles (`bundle/`).

mod bundle_descent;
mod item_bundle_walk;
mod kernel_lanes;
mod lanes_leaf;
mod mapped_rays;
mod mesh_bundle_walk;

pub(crate) use item_bundle_walk::visit_items_bundled;
pub use mapped_rays::MappedRays;
pub(crate) use mesh_bundle_walk::visit_bundled;

use kernel_lanes::KernelLanes;

use crate::traverse::bundle::LANES;
use crate::traverse::bundle::bundle_trial::Trial;
use crate::traverse::bundle::bundle_walk::{Item, Shared, Stack};
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::ROOM;
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_core::{HitRule, PrimId, Triangle};

/// How many traversals of one tree within another may wait at the same time.
const LEVELS: usize = 4;

/// What the traversals of a bundle share, from the world down to meshes.
pub struct BundleState {
    /// By ray, the parameter beyond which nothing is wanted any more.
    pub t_limit: [f64; LANES],
    /// The rays whose answer is known, as bits.
    pub done: u32,
    stack: Stack<{ LEVELS * ROOM }>,
    /// Buffers of traversals that may still begin within others.
    kernels: ArrayVec<Box<KernelLanes>, LEVELS>,
    mapped: ArrayVec<Box<MappedRays>, LEVELS>,
    shared: Shared,
    trial: Trial,
}

impl BundleState {
    /// Returns the state for rays in trees of so many bytes in all. On the heap: it is too large for the
    /// stacks of some threads.
    pub fn new(bytes: usize) -> Box<Self> {
        Box::new(BundleState {
            t_limit: [0.0; LANES],
            done: 0,
            stack: Stack::new(),
            kernels: (0..LEVELS).map(|_| Box::new(KernelLanes::new())).collect(),
            mapped: (0..LEVELS).map(|_| Box::new(MappedRays::NONE)).collect(),
            shared: Shared::default(),
            trial: Trial::new(bytes),
        })
    }

    /// Forgets other rays.
    pub fn begin(&mut self) {
        self.done = 0;
        self.shared = Shared::default();
    }

    /// Learns from the traversals since the beginning whether it pays that rays share them.
    pub fn end(&mut self) {
        self.trial.take(self.shared);
    }

    /// Returns whether the next sixteen rays are faster one by one, as recent ones had too little in common.
    pub fn is_alone(&mut self) -> bool {
        let is_alone = self.trial.is_alone();
        if is_alone {
            self.trial.pass(LANES as u32);
        }
        is_alone
    }

    /// Counts a subtree that each of these rays, as bits, traverses alone, outside of the bundle.
    pub fn traverse_alone(&mut self, lanes: u32) {
        self.shared.traverse_alone(lanes);
    }

    /// Records what a ray may want from now on; `None` if its answer is known.
    pub fn record(&mut self, lane: usize, t_limit: Option<f64>) {
        match t_limit {
            Some(t_limit) => self.t_limit[lane % LANES] = t_limit,
            None => self.done |= 1 << lane,
        }
    }

    /// Returns the next child above the first `least` that rays may still want, and these rays. The limit is
    /// the greatest of theirs.
    #[inline(always)]
    fn next(&mut self, least: usize, limit: f32) -> Option<Item> {
        loop {
            let item = self.stack.pop_above(least)?;
            let lanes = item.lanes & !self.done;
            if lanes != 0 && item.key as i32 <= last_key(limit) {
                return Some(Item { lanes, ..item });
            }
        }
    }

    /// Calls `visit` with rays that `map` sets and that may be mapped; returns `None` if `map` returns
    /// false, or if too many traversals wait.
    pub fn with_mapped<T>(
        &mut self,
        map: impl FnOnce(&mut MappedRays) -> bool,
        visit: impl FnOnce(&MappedRays, &mut BundleState) -> T,
    ) -> Option<T> {
        let mut mapped = self.mapped.pop()?;
        let visited = map(&mut mapped).then(|| visit(&mapped, self));
        self.mapped.push(mapped);
        visited
    }
}

/// Takes the triangles that rays of another space may hit.
pub trait BundleTriangleSink {
    /// Returns which hits of the ray of a lane may be counted; see
    /// [`TriangleSink::counts`](super::TriangleSink::counts).
    fn counts(&self, lane: usize) -> Option<(bool, HitRule<PrimId>)>;

    /// Takes a candidate of the ray of a lane. Returns the parameter beyond which nothing is wanted of it any
    /// more; `None` ends its traversal.
    fn offer(&mut self, lane: usize, prim: PrimId, triangle: &Triangle) -> Option<f64>;

    /// Takes certain hits on the ray of a lane; see [`TriangleSink::count`](super::TriangleSink::count).
    fn count(&mut self, lane: usize, hits: usize) -> ControlFlow<()>;
}

/// Takes the items that rays may hit.
pub trait BundleItemSink {
    /// Is told of an item that it may be given soon.
    fn prefetch(&self, item: u32) {
        let _ = item;
    }

    /// Takes an item with the rays that meet its box, as bits, and by ray a lower bound of the parameters
    /// at which it is in the box. Records in the state what they want then.
    fn enter(&mut self, item: u32, lanes: u32, entry: &[f64; LANES], state: &mut BundleState);
}

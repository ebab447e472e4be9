//! How far a traversal has to look, and what takes the triangles that it finds.

use super::near_point::NearPoint;
use core::ops::ControlFlow;
use estoc_core::{PointCollector, PrimId, Triangle};

/// A point in units of a tree, which may stand for one of another space, with the limits that squared
/// distances in these units are compared with.
pub(super) trait NearLimits {
    /// Returns the point that distances are measured from.
    fn near(&self) -> &NearPoint;

    /// Returns the limit for a squared distance where it is wanted.
    fn limit(&self, square: f64) -> f32;

    /// Returns the limit where some triangle has this upper bound of its squared distance, in units of
    /// the tree.
    fn limit_of_high(&self, high: f32) -> f32;
}

/// Takes the triangles of a tree that may be near a point.
pub trait NearSink {
    /// Returns the squared distance beyond which nothing is wanted any more; it may fall with every
    /// offer.
    fn limit(&self) -> f64;

    /// Takes a candidate, which lies in a slot of the tree. `Break` ends the traversal.
    fn offer(&mut self, prim: PrimId, slot: usize, triangle: &Triangle) -> ControlFlow<()>;

    /// Returns whether it pays to call the following two.
    #[inline(always)]
    fn foresees(&self) -> bool {
        false
    }

    /// Prefetches what offers of the triangles in these slots need first.
    fn foresee_slots(&self, first: usize, len: usize) {
        let _ = (first, len);
    }

    /// Prefetches the rest of what the offer of a triangle needs.
    fn foresee(&self, slot: usize) {
        let _ = slot;
    }
}

impl NearSink for PointCollector {
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit()
    }

    #[inline(always)]
    fn offer(&mut self, prim: PrimId, _: usize, triangle: &Triangle) -> ControlFlow<()> {
        self.offer(prim, triangle)
    }
}

/// Takes the items whose boxes may be near a point.
pub trait NearItemSink {
    /// Returns the squared distance beyond which nothing is wanted any more; it may fall with every
    /// item.
    fn limit(&self) -> f64;

    /// Takes an item. `Break` ends the traversal.
    fn enter(&mut self, item: u32) -> ControlFlow<()>;
}

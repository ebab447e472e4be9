//! Hits whose triangles are fetched from memory before their rays are completed.

use super::ray_target::Place;
use arrayvec::ArrayVec;
use core::mem;
use estoc_core::exact::PreparedRay;

/// The number of hits that are fetched together: while these are, as many others end.
const TOGETHER: usize = 8;

/// A ray with its place, and the triangle that its first hit is certainly on.
pub(super) type LateHit<'r, R> = ((usize, PreparedRay<'r, R>), Place);

pub(super) type HitsTogether<'r, R> = ArrayVec<LateHit<'r, R>, TOGETHER>;

/// The hits of rays that ended, in two stages: the names of some triangles are being fetched, the corners of others.
pub(super) struct LateHits<'r, R> {
    named: HitsTogether<'r, R>,
    fetched: HitsTogether<'r, R>,
}

impl<'r, R> LateHits<'r, R> {
    pub(super) fn new() -> Self {
        LateHits {
            named: ArrayVec::new(),
            fetched: ArrayVec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty() && self.fetched.is_empty()
    }

    /// Adds a hit, whose names are being fetched. Returns whether it is time for the next stage.
    #[inline(always)]
    pub(super) fn push(&mut self, hit: LateHit<'r, R>) -> bool {
        self.named.push(hit);
        self.named.is_full()
    }

    /// Calls `fetch` for the hits whose names have been fetched, which enter the second stage, and returns those
    /// that leave it.
    #[inline(always)]
    pub(super) fn advance(&mut self, fetch: impl Fn(Place)) -> HitsTogether<'r, R> {
        self.named.iter().for_each(|&(_, hit)| fetch(hit));
        mem::replace(&mut self.fetched, mem::take(&mut self.named))
    }
}

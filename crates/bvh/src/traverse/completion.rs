//! Completes rays and reports their results to the queue.

use super::collector_walk::offering;
use super::late_hits::LateHits;
use super::leaf_visits::LeafVisits;
use super::ray_target::{Place, RayTarget};
use super::wanted::Wanted;
use crate::wide::LeafView;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, Queue, RayKind, RayTest};
use fearless_simd::Simd;

/// Completes a ray that is unfit for `f32` by a traversal of its own.
#[cold]
#[inline(never)]
pub(super) fn complete_unfit<'r, R: RayKind, P: RayTest<R>>(
    place: usize,
    question: PreparedRay<'r, R>,
    queue: &mut Queue<'r, P, R>,
    walk: impl FnOnce(&mut Collector<'r, P, R>),
) {
    let mut collector = queue.collector(place, question);
    walk(&mut collector);
    queue.finish(place, &mut collector);
}

/// Creates the collector of a ray when there is a candidate for it.
pub(super) struct DeferredCollector<'a, 'r, R: RayKind, T: RayTarget<R>> {
    pub(super) queue: &'a mut Queue<'r, T::Primitive, R>,
    pub(super) place: usize,
    pub(super) question: PreparedRay<'r, R>,
    pub(super) collector: &'a mut Option<Collector<'r, T::Primitive, R>>,
    pub(super) target: T,
    pub(super) leaves: LeafView<'a>,
}

impl<R: RayKind, T: RayTarget<R>> DeferredCollector<'_, '_, R, T> {
    /// Offers the collector a candidate. Returns the limit; `None` at the end of the query.
    #[inline(always)]
    pub(super) fn offer(&mut self, candidate: Place) -> Option<f64> {
        let (queue, place, question) = (&mut *self.queue, self.place, self.question);
        let new = || queue.collector(place, question);
        let collector = self.collector.get_or_insert_with(new);
        match self.target.triangle(self.leaves, candidate) {
            Some((prim, triangle)) => offering(collector)(prim, &triangle),
            None => Some(collector.t_limit()),
        }
    }
}

/// Completes a ray at the end of its traversal.
#[inline(always)]
pub(super) fn end<'r, S: Simd, R: RayKind, T: RayTarget<R>, W: Wanted>(
    simd: S,
    target: T,
    (place, question): (usize, PreparedRay<'r, R>),
    (all, leaves): (LeafView<'_>, &LeafVisits),
    collector: &mut Option<Collector<'r, T::Primitive, R>>,
    late: &mut LateHits<'r, R>,
    queue: &mut Queue<'r, T::Primitive, R>,
) {
    if let Some(shown) = collector {
        leaves.end(target, all, shown, &());
        queue.finish(place, shown);
        *collector = None;
    } else if W::NUMBER && leaves.counted() > 0 {
        queue.counted(place, leaves.counted());
    } else if let Some(hit) = leaves.kept() {
        target.complete(simd, all, (place, question), hit, late, queue);
    } else {
        queue.miss(place);
    }
}

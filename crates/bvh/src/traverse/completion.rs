//! Completes rays and reports their results to the queue.

use super::collector_walk::offering;
use super::f64_walk::walk_f64;
use super::leaf_visits::LeafVisits;
use super::wanted::Wanted;
use crate::wide::{LeafView, WideTree};
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, PrimId, Queue, Triangle};

/// Traverses with a ray that is unfit for `f32`, and completes it.
#[cold]
#[inline(never)]
pub(super) fn unfit<'r>(
    tree: &WideTree,
    place: usize,
    question: PreparedRay<'r>,
    queue: &mut Queue<'r>,
) {
    let mut collector = queue.collector(place, question);
    walk_f64(tree, &question, &mut collector, &());
    queue.finish(place, &mut collector);
}

/// Creates the collector of a ray when there is a candidate for it.
pub(super) struct DeferredCollector<'a, 'r> {
    queue: &'a mut Queue<'r>,
    place: usize,
    question: PreparedRay<'r>,
    collector: &'a mut Option<Collector<'r>>,
}

impl<'a, 'r> DeferredCollector<'a, 'r> {
    #[inline(always)]
    pub(super) fn new(
        queue: &'a mut Queue<'r>,
        place: usize,
        question: PreparedRay<'r>,
        collector: &'a mut Option<Collector<'r>>,
    ) -> Self {
        DeferredCollector {
            queue,
            place,
            question,
            collector,
        }
    }
}

impl DeferredCollector<'_, '_> {
    /// Offers the collector a candidate. Returns the limit; `None` at the end of the query.
    #[inline(always)]
    pub(super) fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        let (queue, place, question) = (&mut *self.queue, self.place, self.question);
        let new = || queue.collector(place, question);
        offering(self.collector.get_or_insert_with(new))(prim, triangle)
    }
}

/// Completes a ray at the end of its traversal.
#[inline(always)]
pub(super) fn end<'r, W: Wanted>(
    place: usize,
    question: PreparedRay<'r>,
    (all, leaves): (LeafView<'_>, &LeafVisits),
    collector: &mut Option<Collector<'r>>,
    queue: &mut Queue<'r>,
) {
    if let Some(shown) = collector {
        leaves.end(all, shown, &());
        queue.finish(place, shown);
        *collector = None;
    } else if W::NUMBER && leaves.counted() > 0 {
        queue.counted(place, leaves.counted());
    } else if let Some((prim, triangle)) = leaves.kept(all) {
        queue.only(place, question, prim, &triangle);
    } else {
        queue.miss(place);
    }
}

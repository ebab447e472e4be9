//! Completes rays and reports their results to the queue.

use super::f64_walk::walk_f64;
use super::leaf_visits::{CollectorSource, LeafVisits};
use super::wanted::Wanted;
use crate::wide::{LeafView, WideTree};
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, Queue};

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

impl<'r> CollectorSource<'r> for DeferredCollector<'_, 'r> {
    #[inline(always)]
    fn collector(&mut self) -> &mut Collector<'r> {
        if self.collector.is_none() {
            *self.collector = Some(self.queue.collector(self.place, self.question));
        }
        self.collector.as_mut().expect("just made")
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

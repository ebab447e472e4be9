//! What a queue is told of its rays: who takes their candidates, and how they end.

use super::leaves::{Audience, Leaves};
use super::plain::plain;
use crate::wide::WideTree;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collect, Queue};

/// Answers a ray that is not for `f32`.
#[cold]
#[inline(never)]
pub(super) fn unfit<'r, Q: Queue<'r>>(
    tree: &WideTree,
    place: usize,
    question: PreparedRay<'r>,
    queue: &mut Q,
) {
    let mut collector = queue.collector(place, question);
    plain(tree, &question, &mut collector, &mut ());
    queue.finish(place, &mut collector);
}

/// Makes the collector of a ray when there is something to show.
pub(super) struct Later<'a, 'r, Q: Queue<'r>> {
    queue: &'a mut Q,
    place: usize,
    question: PreparedRay<'r>,
    collector: &'a mut Option<Q::Collector>,
}

impl<'a, 'r, Q: Queue<'r>> Later<'a, 'r, Q> {
    #[inline(always)]
    pub(super) fn new(
        queue: &'a mut Q,
        place: usize,
        question: PreparedRay<'r>,
        collector: &'a mut Option<Q::Collector>,
    ) -> Self {
        Later {
            queue,
            place,
            question,
            collector,
        }
    }
}

impl<'r, Q: Queue<'r>> Audience for Later<'_, 'r, Q> {
    type Collector = Q::Collector;

    #[inline(always)]
    fn collector(&mut self) -> &mut Q::Collector {
        if self.collector.is_none() {
            *self.collector = Some(self.queue.collector(self.place, self.question));
        }
        self.collector.as_mut().expect("just made")
    }
}

/// Answers a ray that has come to its end.
#[inline(always)]
pub(super) fn end<'r, Q: Queue<'r>>(
    place: usize,
    question: PreparedRay<'r>,
    leaves: &Leaves<'_>,
    collector: &mut Option<Q::Collector>,
    queue: &mut Q,
) {
    if let Some(shown) = collector {
        leaves.end(shown, &mut ());
        queue.finish(place, shown);
        *collector = None;
    } else if Q::Collector::HITS_ARE_EQUAL && leaves.counted() > 0 {
        queue.counted(place, leaves.counted());
    } else if let Some((prim, triangle)) = leaves.kept() {
        queue.only(place, question, prim, &triangle);
    } else {
        queue.miss(place);
    }
}

//! What each kind of query does with the hits that count.

use super::HitBuffer;
use super::collect::Goal;
use crate::Hit;
use crate::exact::{PreparedRay, Touch};
use core::borrow::BorrowMut;
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// The first hit.
pub(super) struct Closest {
    best: Option<Touch>,
    /// The least that any best hit so far was known to lie below: a nearer hit may be known
    /// less sharply.
    t_limit: f64,
}

impl Default for Closest {
    fn default() -> Self {
        Closest {
            best: None,
            t_limit: f64::INFINITY,
        }
    }
}

impl Goal for Closest {
    type Answer = Option<Hit>;
    const NEAREST_FIRST: bool = true;
    const FIRST_HIT_ONLY: bool = true;

    #[inline(always)]
    fn take(&mut self, ray: &PreparedRay<'_>, touch: Touch) -> ControlFlow<()> {
        let closer = match &self.best {
            None => true,
            Some(best) => ray.order(&touch, best) == Ordering::Less,
        };
        if closer {
            if touch.t_high() < self.t_limit {
                self.t_limit = touch.t_high();
            }
            self.best = Some(touch);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn t_limit(&self) -> f64 {
        self.t_limit
    }

    #[inline(always)]
    fn finish(&mut self, ray: &PreparedRay<'_>) -> Option<Hit> {
        self.best.as_ref().map(|best| ray.hit(best))
    }

    fn finish_empty(self) -> Option<Hit> {
        None
    }

    #[inline(always)]
    fn finish_first(self, hit: Hit) -> Option<Option<Hit>> {
        Some(Some(hit))
    }
}

/// Whether there is a hit.
#[derive(Default)]
pub(super) struct Any(bool);

impl Goal for Any {
    type Answer = bool;
    const NEAREST_FIRST: bool = false;
    const HITS_ARE_EQUAL: bool = true;
    const STOPS_AT_FIRST: bool = true;

    #[inline(always)]
    fn count(&mut self, _: usize) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }

    fn take(&mut self, _: &PreparedRay<'_>, _: Touch) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }

    fn finish(&mut self, _: &PreparedRay<'_>) -> bool {
        self.0
    }

    fn finish_empty(self) -> bool {
        self.0
    }
}

/// How many hits.
#[derive(Default)]
pub(super) struct Count(usize);

impl Goal for Count {
    type Answer = usize;
    const NEAREST_FIRST: bool = false;
    const HITS_ARE_EQUAL: bool = true;

    #[inline(always)]
    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        self.0 += hits;
        ControlFlow::Continue(())
    }

    fn take(&mut self, _: &PreparedRay<'_>, _: Touch) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn finish(&mut self, _: &PreparedRay<'_>) -> usize {
        self.0
    }

    fn finish_empty(self) -> usize {
        self.0
    }
}

/// All hits, in order.
pub(super) struct All<B>(pub(super) B);

impl<B: BorrowMut<HitBuffer>> Goal for All<B> {
    type Answer = ();
    const NEAREST_FIRST: bool = false;

    fn take(&mut self, _: &PreparedRay<'_>, touch: Touch) -> ControlFlow<()> {
        self.0.borrow_mut().touches.push(touch);
        ControlFlow::Continue(())
    }

    fn finish(&mut self, ray: &PreparedRay<'_>) {
        let buffer = self.0.borrow_mut();
        buffer.touches.sort_unstable_by(|a, b| ray.order(a, b));
        buffer.round(ray);
    }

    fn finish_empty(self) {}
}

/// The first k hits, in order, kept sorted as they come.
pub(super) struct FirstK<'b> {
    buffer: &'b mut HitBuffer,
    k: usize,
}

impl<'b> FirstK<'b> {
    pub(super) fn new(buffer: &'b mut HitBuffer, k: usize) -> Self {
        FirstK { buffer, k }
    }
}

impl Goal for FirstK<'_> {
    type Answer = ();
    const NEAREST_FIRST: bool = true;

    fn take(&mut self, ray: &PreparedRay<'_>, touch: Touch) -> ControlFlow<()> {
        if self.k == 0 {
            return ControlFlow::Break(());
        }
        let kept = &mut self.buffer.touches;
        let place = kept.partition_point(|other| ray.order(other, &touch) == Ordering::Less);
        if place < self.k {
            kept.truncate(self.k - 1);
            kept.insert(place, touch);
        }
        ControlFlow::Continue(())
    }

    fn t_limit(&self) -> f64 {
        let kept = &self.buffer.touches;
        match kept.last() {
            Some(last) if kept.len() == self.k => last.t_high(),
            _ => f64::INFINITY,
        }
    }

    fn finish(&mut self, ray: &PreparedRay<'_>) {
        self.buffer.round(ray);
    }

    fn finish_empty(self) {}
}

/// Only those hits that cross the surface.
pub(super) struct Crossings<G>(pub(super) G);

impl<G: Goal> Goal for Crossings<G> {
    type Answer = G::Answer;
    const NEAREST_FIRST: bool = G::NEAREST_FIRST;

    fn take(&mut self, ray: &PreparedRay<'_>, touch: Touch) -> ControlFlow<()> {
        if ray.crosses(&touch) {
            self.0.take(ray, touch)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn t_limit(&self) -> f64 {
        self.0.t_limit()
    }

    fn finish(&mut self, ray: &PreparedRay<'_>) -> G::Answer {
        self.0.finish(ray)
    }

    fn finish_empty(self) -> G::Answer {
        self.0.finish_empty()
    }
}

//! One way through the candidates, many questions: what is kept of the hits.

use super::{Cull, QueryOptions};
use crate::exact::{RayQuestion, Touch, Verdict};
use crate::{Hit, PrimId, Triangle};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// Takes candidates from an engine (see [`RayQuery::visit`](crate::RayQuery::visit)).
pub trait Collect {
    /// Whether nearer triangles are better shown first, since they lower the limit. Without,
    /// any order is as good, and an engine shows first what is most likely to be hit.
    const NEAREST_FIRST: bool = true;

    /// Whether it may be that nothing matters about hits but how many there are.
    const HITS_ARE_EQUAL: bool = false;

    /// Beyond this parameter nothing is wanted any more; it falls as hits are found. What
    /// lies exactly at it is wanted: ties go to the lowest id.
    fn t_limit(&self) -> f64;

    /// Whether all hits up to the ray's own end are wanted and equal: then an engine that is
    /// certain of one may [`count`](Self::count) it instead of offering the triangle.
    fn counts(&self) -> bool;

    /// Takes a triangle that the ray may hit. `Break` means that the answer is known.
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> ControlFlow<()>;

    /// Takes so many triangles that the ray hits for sure, and more than none. Is only called
    /// where [`counts`](Self::counts) says so.
    fn count(&mut self, hits: usize) -> ControlFlow<()>;
}

/// Room for the hits of one ray, used again for the next.
#[derive(Clone, Debug, Default)]
pub struct HitBuffer {
    touches: Vec<Touch>,
    hits: Vec<Hit>,
}

impl HitBuffer {
    /// An empty buffer; it grows to the largest number of hits that one ray has.
    pub const fn new() -> Self {
        HitBuffer {
            touches: Vec::new(),
            hits: Vec::new(),
        }
    }

    /// The hits of the ray asked last, in its order.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    pub(super) fn clear(&mut self) -> &mut Self {
        self.touches.clear();
        self.hits.clear();
        self
    }

    pub(super) fn into_hits(self) -> Vec<Hit> {
        self.hits
    }

    fn round(&mut self, ray: &RayQuestion<'_>) {
        self.hits
            .extend(self.touches.iter().map(|touch| ray.hit(touch)));
    }
}

/// What one kind of query does with the hits that count.
pub(super) trait Goal {
    type Answer;
    /// As [`Collect::NEAREST_FIRST`].
    const NEAREST_FIRST: bool;
    /// As [`Collect::HITS_ARE_EQUAL`].
    const HITS_ARE_EQUAL: bool = false;
    /// As [`Collect::count`].
    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        let _ = hits;
        ControlFlow::Continue(())
    }
    fn take(&mut self, ray: &RayQuestion<'_>, touch: Touch) -> ControlFlow<()>;
    /// As [`Collect::t_limit`], before the ray's own end is considered.
    fn t_limit(&self) -> f64 {
        f64::INFINITY
    }
    fn finish(&mut self, ray: &RayQuestion<'_>) -> Self::Answer;
    /// The answer for a ray that hits nothing.
    fn finish_empty(self) -> Self::Answer;
}

/// Certifies candidates, applies the options, and hands on what counts.
pub(super) struct Filter<'a, G> {
    ray: &'a RayQuestion<'a>,
    options: &'a QueryOptions,
    after: Option<Touch>,
    goal: G,
}

impl<'a, G: Goal> Filter<'a, G> {
    #[inline(always)]
    pub(super) fn new(
        ray: &'a RayQuestion<'a>,
        options: &'a QueryOptions,
        after: Option<Touch>,
        goal: G,
    ) -> Self {
        Filter {
            ray,
            options,
            after,
            goal,
        }
    }

    #[inline(always)]
    pub(super) fn finish(&mut self) -> G::Answer {
        self.goal.finish(self.ray)
    }
}

impl<G: Goal> Collect for Filter<'_, G> {
    const NEAREST_FIRST: bool = G::NEAREST_FIRST;
    const HITS_ARE_EQUAL: bool = G::HITS_ARE_EQUAL;

    #[inline(always)]
    fn counts(&self) -> bool {
        let QueryOptions { skip, after, cull } = *self.options;
        G::HITS_ARE_EQUAL && skip.is_none() && after.is_none() && cull == Cull::None
    }

    #[inline(always)]
    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        self.goal.count(hits)
    }

    #[inline(always)]
    fn t_limit(&self) -> f64 {
        // Neither is NaN.
        let (wanted, end) = (self.goal.t_limit(), self.ray.t_max());
        if wanted < end { wanted } else { end }
    }

    #[inline(always)]
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> ControlFlow<()> {
        if self.options.skip == Some(prim) {
            return ControlFlow::Continue(());
        }
        match self.ray.touch_quickly(prim, triangle, self.goal.t_limit()) {
            Verdict::Missed => ControlFlow::Continue(()),
            Verdict::Touched(touch) => self.take(touch),
            Verdict::Open => self.offer_slowly(prim, *triangle),
        }
    }
}

impl<G: Goal> Filter<'_, G> {
    /// Takes the triangle itself: were its address known here, [`Collect::offer`] could not
    /// keep it in registers.
    #[cold]
    #[inline(never)]
    fn offer_slowly(&mut self, prim: PrimId, triangle: Triangle) -> ControlFlow<()> {
        let t_limit = self.goal.t_limit();
        match self.ray.touch_slowly(prim, &triangle, t_limit) {
            None => ControlFlow::Continue(()),
            Some(touch) => self.take(touch),
        }
    }

    #[inline(always)]
    fn take(&mut self, touch: Touch) -> ControlFlow<()> {
        let counts = self.options.cull.keeps(touch.side())
            && match &self.after {
                None => true,
                Some(after) => self.ray.order(&touch, after) == Ordering::Greater,
            };
        if counts {
            self.goal.take(self.ray, touch)
        } else {
            ControlFlow::Continue(())
        }
    }
}

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

    #[inline(always)]
    fn take(&mut self, ray: &RayQuestion<'_>, touch: Touch) -> ControlFlow<()> {
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
    fn finish(&mut self, ray: &RayQuestion<'_>) -> Option<Hit> {
        self.best.as_ref().map(|best| ray.hit(best))
    }

    fn finish_empty(self) -> Option<Hit> {
        None
    }
}

/// Whether there is a hit.
#[derive(Default)]
pub(super) struct Any(bool);

impl Goal for Any {
    type Answer = bool;
    const NEAREST_FIRST: bool = false;
    const HITS_ARE_EQUAL: bool = true;

    #[inline(always)]
    fn count(&mut self, _: usize) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }

    fn take(&mut self, _: &RayQuestion<'_>, _: Touch) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }

    fn finish(&mut self, _: &RayQuestion<'_>) -> bool {
        self.0
    }

    fn finish_empty(self) -> bool {
        false
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

    fn take(&mut self, _: &RayQuestion<'_>, _: Touch) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn finish(&mut self, _: &RayQuestion<'_>) -> usize {
        self.0
    }

    fn finish_empty(self) -> usize {
        0
    }
}

/// All hits, in order.
pub(super) struct All<'b>(pub(super) &'b mut HitBuffer);

impl Goal for All<'_> {
    type Answer = ();
    const NEAREST_FIRST: bool = false;

    fn take(&mut self, _: &RayQuestion<'_>, touch: Touch) -> ControlFlow<()> {
        self.0.touches.push(touch);
        ControlFlow::Continue(())
    }

    fn finish(&mut self, ray: &RayQuestion<'_>) {
        self.0.touches.sort_unstable_by(|a, b| ray.order(a, b));
        self.0.round(ray);
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

    fn take(&mut self, ray: &RayQuestion<'_>, touch: Touch) -> ControlFlow<()> {
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

    fn finish(&mut self, ray: &RayQuestion<'_>) {
        self.buffer.round(ray);
    }

    fn finish_empty(self) {}
}

/// Only those hits that cross the surface.
pub(super) struct Crossings<G>(pub(super) G);

impl<G: Goal> Goal for Crossings<G> {
    type Answer = G::Answer;
    const NEAREST_FIRST: bool = G::NEAREST_FIRST;

    fn take(&mut self, ray: &RayQuestion<'_>, touch: Touch) -> ControlFlow<()> {
        if ray.crosses(&touch) {
            self.0.take(ray, touch)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn t_limit(&self) -> f64 {
        self.0.t_limit()
    }

    fn finish(&mut self, ray: &RayQuestion<'_>) -> G::Answer {
        self.0.finish(ray)
    }

    fn finish_empty(self) -> G::Answer {
        self.0.finish_empty()
    }
}

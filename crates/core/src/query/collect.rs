//! One way through the candidates, many questions: what is kept of the hits.

use super::QueryOptions;
use crate::exact::{PreparedRay, Touch, Verdict};
use crate::{Hit, PrimId, Triangle};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// Takes candidates from an engine (see [`RayQuery::visit`](crate::RayQuery::visit)).
pub trait Collect {
    /// Whether nearer triangles are better shown first, since they lower the limit. Without,
    /// any order is as good, and an engine shows first what is most likely to be hit.
    const NEAREST_FIRST: bool = true;

    /// Whether nothing matters about hits but how many there are.
    const HITS_ARE_EQUAL: bool = false;

    /// Whether nothing but the first hit matters. An engine that knows for certain of a hit
    /// may then keep it back, show nothing that lies behind it, and show it in the end.
    const FIRST_HIT_ONLY: bool = false;

    /// Whether one hit, whichever it is, is the whole answer.
    const STOPS_AT_FIRST: bool = false;

    /// Beyond this parameter nothing is wanted any more; it falls as hits are found. What
    /// lies exactly at it is wanted: ties go to the lowest id.
    fn t_limit(&self) -> f64;

    /// Whether no option leaves out any hit on the ray. Then an engine that is certain of one
    /// knows that it counts: where [all are equal](Self::HITS_ARE_EQUAL) it may
    /// [`count`](Self::count) it instead of offering the triangle.
    fn takes_every_hit(&self) -> bool;

    /// Takes a triangle that the ray may hit. `Break` means that the answer is known.
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> ControlFlow<()>;

    /// Takes so many triangles that the ray hits for sure, and more than none. Is only called
    /// where all hits are equal and [every one is taken](Self::takes_every_hit).
    fn count(&mut self, hits: usize) -> ControlFlow<()>;
}

/// Room for the hits of one ray, used again for the next.
#[derive(Clone, Debug, Default)]
pub struct HitBuffer {
    pub(super) touches: Vec<Touch>,
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

    pub(super) fn round(&mut self, ray: &PreparedRay<'_>) {
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
    /// As [`Collect::FIRST_HIT_ONLY`].
    const FIRST_HIT_ONLY: bool = false;
    /// As [`Collect::STOPS_AT_FIRST`].
    const STOPS_AT_FIRST: bool = false;
    /// As [`Collect::count`].
    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        let _ = hits;
        ControlFlow::Continue(())
    }
    fn take(&mut self, ray: &PreparedRay<'_>, touch: Touch) -> ControlFlow<()>;
    /// As [`Collect::t_limit`], before the ray's own end is considered.
    fn t_limit(&self) -> f64 {
        f64::INFINITY
    }
    fn finish(&mut self, ray: &PreparedRay<'_>) -> Self::Answer;
    /// The answer for a ray that hits nothing.
    fn finish_empty(self) -> Self::Answer;
    /// The answer for a ray whose first hit is this, where that is enough.
    fn finish_first(self, hit: Hit) -> Option<Self::Answer>
    where
        Self: Sized,
    {
        let _ = hit;
        None
    }
    /// The answer for a ray of which no more is known than how many triangles it hits; only where
    /// that is enough.
    fn finish_counted(mut self, hits: usize) -> Self::Answer
    where
        Self: Sized,
    {
        let _ = self.count(hits);
        self.finish_empty()
    }
}

/// Certifies candidates, applies the options, and hands on what counts.
pub(super) struct Filter<'a, G> {
    ray: PreparedRay<'a>,
    options: &'a QueryOptions,
    after: Option<Touch>,
    goal: G,
}

impl<'a, G: Goal> Filter<'a, G> {
    #[inline(always)]
    pub(super) fn new(
        ray: PreparedRay<'a>,
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

    pub(super) fn goal_mut(&mut self) -> &mut G {
        &mut self.goal
    }

    #[inline(always)]
    pub(super) fn finish(&mut self) -> G::Answer {
        self.goal.finish(&self.ray)
    }
}

impl<G: Goal> Collect for Filter<'_, G> {
    const NEAREST_FIRST: bool = G::NEAREST_FIRST;
    const HITS_ARE_EQUAL: bool = G::HITS_ARE_EQUAL;
    const FIRST_HIT_ONLY: bool = G::FIRST_HIT_ONLY;
    const STOPS_AT_FIRST: bool = G::STOPS_AT_FIRST;

    #[inline(always)]
    fn takes_every_hit(&self) -> bool {
        self.options.leave_out_nothing()
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
            self.goal.take(&self.ray, touch)
        } else {
            ControlFlow::Continue(())
        }
    }
}

//! One question about many rays: what becomes of their answers.

use super::{Many, ManyError, Queue};
use crate::exact::{EIGHT, Eight, Hits, PreparedRay, level};
use crate::query::collect::{Filter, Goal};
use crate::query::find_after;
use crate::query::goals::{All, Crossings};
use crate::{Collect, Hit, HitBuffer, PrimId, RayQuery, Triangle};
use alloc::vec::Vec;
use arrayvec::ArrayVec;
use fearless_simd::Level;

/// Where answers go.
pub(in crate::query) trait Answers {
    type Goal: Goal;

    fn start(&mut self) -> Self::Goal;

    fn take(&mut self, place: usize, filter: &mut Filter<'_, Self::Goal>);

    fn take_empty(&mut self, place: usize);

    /// As [`Goal::finish_first`].
    fn take_first(&mut self, _place: usize, _hit: Hit) {}

    /// As [`Goal::finish_counted`].
    fn take_counted(&mut self, place: usize, _hits: usize) {
        self.take_empty(place);
    }
}

/// One answer a ray, into its place.
pub(in crate::query) struct Slots<'a, A, F> {
    pub(in crate::query) answers: &'a mut [A],
    pub(in crate::query) start: F,
}

impl<G: Goal, F: FnMut() -> G> Answers for Slots<'_, G::Answer, F> {
    type Goal = G;

    #[inline(always)]
    fn start(&mut self) -> G {
        (self.start)()
    }

    #[inline(always)]
    fn take(&mut self, place: usize, filter: &mut Filter<'_, G>) {
        self.answers[place] = filter.finish();
    }

    #[inline(always)]
    fn take_empty(&mut self, place: usize) {
        self.answers[place] = self.start().finish_empty();
    }

    #[inline(always)]
    fn take_first(&mut self, place: usize, hit: Hit) {
        if let Some(answer) = self.start().finish_first(hit) {
            self.answers[place] = answer;
        }
    }

    #[inline(always)]
    fn take_counted(&mut self, place: usize, hits: usize) {
        self.answers[place] = self.start().finish_counted(hits);
    }
}

/// Any number of hits a ray, handed on. Buffers are used again.
pub(in crate::query) struct Rows<F> {
    emit: F,
    free: Vec<HitBuffer>,
}

impl<F: FnMut(usize, &[Hit])> Rows<F> {
    pub(in crate::query) fn new(emit: F) -> Self {
        let free = Vec::new();
        Rows { emit, free }
    }

    /// Hands a ray's hits on, and keeps the buffer for another.
    fn take_buffer(&mut self, place: usize, mut buffer: HitBuffer) {
        if !buffer.hits().is_empty() {
            (self.emit)(place, buffer.hits());
        }
        buffer.clear();
        self.free.push(buffer);
    }
}

impl<F: FnMut(usize, &[Hit])> Answers for Rows<F> {
    type Goal = All<HitBuffer>;

    fn start(&mut self) -> All<HitBuffer> {
        All(self.free.pop().unwrap_or_default())
    }

    fn take(&mut self, place: usize, filter: &mut Filter<'_, Self::Goal>) {
        filter.finish();
        self.take_buffer(place, core::mem::take(&mut filter.goal_mut().0));
    }

    fn take_empty(&mut self, _: usize) {}
}

/// As [`Rows`], of crossings.
pub(in crate::query) struct CrossingRows<F>(pub(in crate::query) Rows<F>);

impl<F: FnMut(usize, &[Hit])> Answers for CrossingRows<F> {
    type Goal = Crossings<All<HitBuffer>>;

    fn start(&mut self) -> Self::Goal {
        Crossings(self.0.start())
    }

    fn take(&mut self, place: usize, filter: &mut Filter<'_, Self::Goal>) {
        filter.finish();
        self.0
            .take_buffer(place, core::mem::take(&mut filter.goal_mut().0.0));
    }

    fn take_empty(&mut self, _: usize) {}
}

/// The rays of one question, in their order.
pub(in crate::query) struct Asking<'a, E: ?Sized, A> {
    engine: &'a E,
    many: &'a Many<'a>,
    next: usize,
    /// Whether there is neither an option nor a flag.
    is_plain: bool,
    answers: A,
    /// Hits that wait to be certified, several at a time.
    uncertified: Uncertified<'a>,
    error: Option<ManyError>,
}

/// Up to eight rays, each with the one triangle that it may hit.
struct Uncertified<'a> {
    numbers: Eight,
    rays: ArrayVec<(usize, PreparedRay<'a>, PrimId), EIGHT>,
    level: Level,
}

impl<'a, E: RayQuery + ?Sized, A: Answers> Asking<'a, E, A> {
    pub(in crate::query) fn new(engine: &'a E, many: &'a Many<'a>, answers: A) -> Self {
        Asking {
            engine,
            many,
            next: 0,
            is_plain: many.is_plain(),
            answers,
            uncertified: Uncertified {
                numbers: Eight::NONE,
                rays: ArrayVec::new(),
                level: level(),
            },
            error: None,
        }
    }

    pub(in crate::query) fn end(mut self) -> Result<(), ManyError> {
        self.certify();
        self.error.map_or(Ok(()), Err)
    }

    /// Answers those that wait to be certified.
    #[inline(never)]
    fn certify(&mut self) {
        let Uncertified {
            numbers,
            rays,
            level,
        } = &self.uncertified;
        if rays.is_empty() {
            return;
        }
        let Hits { t, u, v, certain } = numbers.hits(*level);
        let mut open = ArrayVec::<_, EIGHT>::new();
        for (lane, &(place, ray, prim)) in rays.iter().enumerate() {
            if certain >> lane & 1 == 1 {
                let (t, u, v) = (t[lane], u[lane], v[lane]);
                self.answers.take_first(place, Hit { t, u, v, prim });
            } else {
                open.push((place, ray, prim, numbers.triangle(lane)));
            }
        }
        self.uncertified.rays.clear();
        for (place, ray, prim, triangle) in open {
            self.offer_only(place, ray, prim, &triangle);
        }
    }

    /// Ends a ray with its only candidate.
    #[cold]
    fn offer_only(
        &mut self,
        place: usize,
        ray: PreparedRay<'a>,
        prim: PrimId,
        triangle: &Triangle,
    ) {
        let mut collector = self.collector(place, ray);
        let _ = collector.offer(prim, triangle);
        self.finish(place, &mut collector);
    }

    /// What stands in the way of asking this ray.
    #[cold]
    fn look_behind(&mut self, place: usize, ray: Option<&PreparedRay<'_>>) -> Result<(), ()> {
        let Some(prim) = self.many.options_of(place).after else {
            return Ok(());
        };
        find_after(self.engine, ray, prim)
            .map(drop)
            .map_err(|error| {
                let ray = place;
                self.error = Some(ManyError::Query { ray, error });
            })
    }
}

impl<'a, E: RayQuery + ?Sized, A: Answers> Queue<'a> for Asking<'a, E, A> {
    type Collector = Filter<'a, A::Goal>;

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, PreparedRay<'a>)> {
        // Whoever comes again after an error gets nothing, so that it is the first one's.
        while self.error.is_none() {
            let place = self.next;
            let ray = self.many.rays.get(place)?;
            self.next += 1;
            let is_active = self.many.active.is_none_or(|active| active[place]);
            let question = PreparedRay::new(ray).filter(|_| is_active);
            if !self.is_plain && is_active && self.look_behind(place, question.as_ref()).is_err() {
                return None;
            }
            match question {
                Some(question) => return Some((place, question)),
                None => self.answers.take_empty(place),
            }
        }
        None
    }

    #[inline(always)]
    fn takes_every_hit(&self, place: usize) -> bool {
        self.is_plain || self.many.options_of(place).leave_out_nothing()
    }

    #[inline(always)]
    fn collector(&mut self, place: usize, ray: PreparedRay<'a>) -> Self::Collector {
        let options = self.many.options_of(place);
        // That it is there was found out when the ray was handed out.
        let after = options
            .after
            .and_then(|prim| find_after(self.engine, Some(&ray), prim).ok());
        Filter::new(ray, options, after, self.answers.start())
    }

    #[inline(always)]
    fn finish(&mut self, place: usize, collector: &mut Self::Collector) {
        self.answers.take(place, collector);
    }

    #[inline(always)]
    fn only(&mut self, place: usize, ray: PreparedRay<'a>, prim: PrimId, triangle: &Triangle) {
        if !(A::Goal::FIRST_HIT_ONLY && self.takes_every_hit(place)) {
            return self.offer_only(place, ray, prim, triangle);
        }
        let Uncertified { numbers, rays, .. } = &mut self.uncertified;
        numbers.set(rays.len(), &ray, triangle);
        rays.push((place, ray, prim));
        if rays.is_full() {
            self.certify();
        }
    }

    #[inline(always)]
    fn counted(&mut self, place: usize, hits: usize) {
        self.answers.take_counted(place, hits);
    }

    #[inline(always)]
    fn miss(&mut self, place: usize) {
        self.answers.take_empty(place);
    }
}

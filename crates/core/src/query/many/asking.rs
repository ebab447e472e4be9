//! One question about many rays: what becomes of their answers.

use super::{Many, ManyError, Queue};
use crate::exact::RayQuestion;
use crate::query::collect::{Filter, Goal};
use crate::query::find_after;
use crate::query::goals::{All, Crossings};
use crate::{Hit, HitBuffer, RayQuery};
use alloc::vec::Vec;

/// Where answers go.
pub(in crate::query) trait Answers {
    type Goal: Goal;

    fn start(&mut self) -> Self::Goal;

    fn take(&mut self, place: usize, filter: &mut Filter<'_, Self::Goal>);

    fn take_empty(&mut self, place: usize);
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
    answers: A,
    error: Option<ManyError>,
}

impl<'a, E: RayQuery + ?Sized, A: Answers> Asking<'a, E, A> {
    pub(in crate::query) fn new(engine: &'a E, many: &'a Many<'a>, answers: A) -> Self {
        Asking {
            engine,
            many,
            next: 0,
            answers,
            error: None,
        }
    }

    pub(in crate::query) fn end(self) -> Result<(), ManyError> {
        self.error.map_or(Ok(()), Err)
    }

    /// What stands in the way of asking this ray.
    #[cold]
    fn look_behind(&mut self, place: usize, ray: &RayQuestion<'_>) -> Result<(), ()> {
        let Some(prim) = self.many.options_of(place).after else {
            return Ok(());
        };
        find_after(self.engine, Some(ray), prim)
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
    fn next(&mut self) -> Option<(usize, RayQuestion<'a>)> {
        loop {
            let place = self.next;
            let ray = self.many.rays.get(place)?;
            self.next += 1;
            let is_active = self.many.active.is_none_or(|active| active[place]);
            match RayQuestion::new(ray) {
                Some(question) if is_active => {
                    if self.many.options_of(place).after.is_some()
                        && self.look_behind(place, &question).is_err()
                    {
                        return None;
                    }
                    return Some((place, question));
                }
                _ => self.answers.take_empty(place),
            }
        }
    }

    #[inline(always)]
    fn takes_every_hit(&self, place: usize) -> bool {
        self.many.options_of(place).leave_out_nothing()
    }

    #[inline(always)]
    fn collector(&mut self, place: usize, ray: RayQuestion<'a>) -> Self::Collector {
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
    fn miss(&mut self, place: usize) {
        self.answers.take_empty(place);
    }
}

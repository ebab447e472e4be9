//! Rays that wait to be traced, and what becomes of their answers.

use super::collector::{Accept, Collector, HitBuffer, Rules};
use super::goal::{Goal, Want};
use super::many::{Many, ManyError, Options};
use super::primitive::{Certifier, Primitive};
use super::{Engine, Masks, QueryError, find_after};
use crate::exact::{EIGHT, PreparedRay};
use crate::{Ray, Triangle};
use alloc::vec::Vec;
use arrayvec::ArrayVec;

/// Where the answers of many rays go: into the place of each, or row by row.
pub(super) enum Sink<'a, P: Primitive> {
    First(&'a mut [Option<P::Hit>]),
    Any(&'a mut [bool]),
    Count(&'a mut [usize]),
    /// The first `k` hits of each ray, all by default.
    Rows(&'a mut dyn FnMut(usize, &[P::Hit]), Option<usize>),
}

/// Rays that wait to be traced, for an engine that has several under way at once (see
/// [`Engine::visit_many`]).
///
/// Each ray that [`next`](Queue::next) hands out has a place, which names it from then on. It
/// ends with exactly one of [`finish`](Queue::finish), [`only`](Queue::only),
/// [`counted`](Queue::counted) and [`miss`](Queue::miss); rays may end in any order.
pub struct Queue<'a, P: Primitive = Triangle> {
    many: &'a Many<'a, Ray, P::Id>,
    rules: Rules<'a, P>,
    find_after: &'a FindAfter<'a, P>,
    next: usize,
    /// Whether each ray is asked, and every hit on it counts.
    is_plain: bool,
    /// Whether a ray may name a primitive to continue behind.
    may_continue: bool,
    sink: Sink<'a, P>,
    /// Candidates that wait to be certified, several at a time, and their rays.
    certifier: P::Certifier,
    uncertified: ArrayVec<(usize, PreparedRay<'a>), EIGHT>,
    /// Buffers to be used again.
    buffers: Vec<HitBuffer<P>>,
    error: Option<ManyError>,
}

/// Finds the hit that a query continues behind.
type FindAfter<'a, P> = dyn Fn(
        Option<&PreparedRay<'_>>,
        <P as Primitive>::Id,
    ) -> Result<<P as Primitive>::Touch, QueryError>
    + 'a;

/// Traces many rays; returns how many went by which technique.
pub(super) fn trace<E: Engine + ?Sized>(
    engine: &E,
    many: &Many<'_, Ray, super::IdOf<E>>,
    accept: Option<Accept<'_, E::Primitive>>,
    crossings: bool,
    sink: Sink<'_, E::Primitive>,
) -> Result<super::Shares, ManyError> {
    many.check()?;
    let find = |ray: Option<&PreparedRay<'_>>, id| find_after(engine, ray, id);
    // Borrowed for as long as the queue.
    let sink = match sink {
        Sink::First(hits) => Sink::First(&mut *hits),
        Sink::Any(any) => Sink::Any(&mut *any),
        Sink::Count(counts) => Sink::Count(&mut *counts),
        Sink::Rows(emit, k) => Sink::Rows(&mut *emit, k),
    };
    let mut queue = Queue::new(many, engine.masks(), accept, crossings, &find, sink);
    let shares = engine.visit_many(many.technique, &mut queue);
    queue.end().map(|()| shares)
}

impl<'a, P: Primitive> Queue<'a, P> {
    fn new(
        many: &'a Many<'a, Ray, P::Id>,
        masks: Option<&'a Masks>,
        accept: Option<Accept<'a, P>>,
        crossings: bool,
        find_after: &'a FindAfter<'a, P>,
        sink: Sink<'a, P>,
    ) -> Self {
        let same = match many.options {
            Options::Same(options) => Some(options),
            Options::Each(_) => None,
        };
        let rules = Rules {
            options: same.unwrap_or(const { &super::QueryOptions::DEFAULT }),
            masks,
            accept,
            crossings,
        };
        Queue {
            many,
            rules,
            find_after,
            next: 0,
            may_continue: same.is_none_or(|options| options.after.is_some()),
            is_plain: same.is_some() && many.active.is_none() && rules.take_every_hit(),
            sink,
            certifier: P::Certifier::new(),
            uncertified: ArrayVec::new(),
            buffers: Vec::new(),
            error: None,
        }
    }

    fn end(mut self) -> Result<(), ManyError> {
        self.certify();
        self.error.map_or(Ok(()), Err)
    }

    /// Returns what is wanted of each ray; as [`Collector::want`].
    #[inline(always)]
    pub fn want(&self) -> Want {
        match &self.sink {
            Sink::First(_) => Want::First,
            Sink::Any(_) => Want::Any,
            Sink::Count(_) if self.rules.crossings => Want::All,
            Sink::Count(_) => Want::Count,
            Sink::Rows(_, None) => Want::All,
            Sink::Rows(_, Some(k)) => Want::FirstK(*k),
        }
    }

    /// Returns the next ray, if there are more.
    #[inline(always)]
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator would borrow the queue"
    )]
    pub fn next(&mut self) -> Option<(usize, PreparedRay<'a>)> {
        // Whoever comes again after an error gets nothing, so that it is the first one's.
        while self.error.is_none() {
            let place = self.next;
            let ray = self.many.items.get(place)?;
            self.next += 1;
            let is_active = self.many.active.is_none_or(|active| active[place]);
            let ray = PreparedRay::new(ray).filter(|_| is_active);
            if self.may_continue && is_active && self.check_after(place, ray.as_ref()).is_err() {
                return None;
            }
            match ray {
                Some(ray) => return Some((place, ray)),
                None => self.miss(place),
            }
        }
        None
    }

    /// Returns whether no option leaves out any hit on this ray; as
    /// [`Collector::takes_every_hit`].
    #[inline(always)]
    pub fn takes_every_hit(&self, place: usize) -> bool {
        self.is_plain || self.rules_of(place).take_every_hit()
    }

    #[inline(always)]
    fn rules_of(&self, place: usize) -> Rules<'a, P> {
        Rules {
            options: self.many.options_of(place),
            ..self.rules
        }
    }

    /// Returns a collector for the candidates of this ray, which are offered as
    /// [`Engine::visit`] offers them.
    #[inline(always)]
    pub fn collector(&mut self, place: usize, ray: PreparedRay<'a>) -> Collector<'a, P> {
        let rules = self.rules_of(place);
        let after = match rules.options.after {
            None => None,
            // That it is hit was found out when the ray was handed out.
            Some(id) => (self.find_after)(Some(&ray), id).ok(),
        };
        let goal = match &self.sink {
            Sink::First(_) => Goal::First(None),
            Sink::Any(_) => Goal::Any(false),
            Sink::Count(_) => Goal::Count(0),
            Sink::Rows(_, None) => Goal::All(self.buffers.pop().unwrap_or_else(HitBuffer::telling)),
            Sink::Rows(_, Some(k)) => Goal::FirstK(self.buffers.pop().unwrap_or_default(), *k),
        };
        Collector::new(ray, rules, after, goal)
    }

    /// Ends a ray whose candidates were all offered, or enough of them.
    #[inline(always)]
    pub fn finish(&mut self, place: usize, collector: &mut Collector<'a, P>) {
        match &mut self.sink {
            Sink::First(hits) => hits[place] = collector.first_found(),
            Sink::Any(any) => any[place] = collector.any_found(),
            Sink::Count(counts) => counts[place] = collector.number_found(),
            Sink::Rows(emit, _) => {
                let mut buffer = collector.take_buffer();
                if buffer.has_no_memory() {
                    let ray = place;
                    self.error.get_or_insert(ManyError::NoMemory { ray });
                } else if !buffer.hits().is_empty() {
                    emit(place, buffer.hits());
                }
                buffer.clear();
                self.buffers.push(buffer);
            }
        }
    }

    /// Ends a ray that may hit this primitive and no other, or none that matters.
    #[inline(always)]
    pub fn only(&mut self, place: usize, ray: PreparedRay<'a>, id: P::Id, primitive: &P) {
        if !(matches!(self.sink, Sink::First(_)) && self.takes_every_hit(place)) {
            return self.offer_only(place, ray, id, primitive);
        }
        self.certifier.push(&ray, id, primitive);
        self.uncertified.push((place, ray));
        if self.certifier.is_full() {
            self.certify();
        }
    }

    /// Ends a ray that certainly hits `hits` primitives, maybe 0, and no others. Only allowed where
    /// [`Want::Any`] or [`Want::Count`] is wanted and
    /// [every hit counts](Queue::takes_every_hit).
    #[inline(always)]
    pub fn counted(&mut self, place: usize, hits: usize) {
        match &mut self.sink {
            Sink::Any(any) => any[place] = hits > 0,
            Sink::Count(counts) => counts[place] = hits,
            Sink::First(_) | Sink::Rows(..) => {
                debug_assert!(false, "hits are wanted, not their number");
            }
        }
    }

    /// Ends a ray that hits nothing.
    #[inline(always)]
    pub fn miss(&mut self, place: usize) {
        match &mut self.sink {
            Sink::First(hits) => hits[place] = None,
            Sink::Any(any) => any[place] = false,
            Sink::Count(counts) => counts[place] = 0,
            Sink::Rows(..) => {}
        }
    }

    /// Ends the rays whose candidates wait to be certified.
    #[inline(never)]
    fn certify(&mut self) {
        let mut open = ArrayVec::<_, EIGHT>::new();
        let Sink::First(hits) = &mut self.sink else {
            return;
        };
        let rays = &self.uncertified;
        self.certifier.drain(|lane, certified| {
            let (place, ray) = rays[lane];
            match certified {
                Ok(hit) => hits[place] = Some(hit),
                Err((id, primitive)) => open.push((place, ray, id, primitive)),
            }
        });
        self.uncertified.clear();
        for (place, ray, id, primitive) in open {
            self.offer_only(place, ray, id, &primitive);
        }
    }

    /// Ends a ray with its only candidate.
    #[cold]
    fn offer_only(&mut self, place: usize, ray: PreparedRay<'a>, id: P::Id, primitive: &P) {
        let mut collector = self.collector(place, ray);
        let _ = collector.offer(id, primitive);
        self.finish(place, &mut collector);
    }

    /// Looks for what stands in the way of asking this ray.
    #[cold]
    fn check_after(&mut self, place: usize, ray: Option<&PreparedRay<'_>>) -> Result<(), ()> {
        let Some(id) = self.many.options_of(place).after else {
            return Ok(());
        };
        (self.find_after)(ray, id).map(drop).map_err(|error| {
            let ray = place;
            self.error = Some(ManyError::Query { ray, error });
        })
    }
}

//! The queue of rays to trace, which completes rays and reports results.

use crate::collect::{
    Certifier, Collector, Goal, HitBuffer, HitRule, Listed, Primitive, QueryError, RayTest, Rules,
    Want,
};
use crate::engine::{
    IdOf, Options, QuerySlice, QuerySliceError, RayEngine, TechniqueCounts, find_after,
};
use crate::exact::{EIGHT, PreparedRay};
use crate::shapes::{Ray, RayKind, Triangle};
use alloc::vec::Vec;
use arrayvec::ArrayVec;
use core::ops::Range;

/// Where the results of many rays go: to each ray's index, or row by row.
pub(crate) enum Sink<'a, P: Primitive> {
    First(&'a mut [Option<P::Hit>]),
    Any(&'a mut [bool]),
    Count(&'a mut [usize]),
    /// The hits from behind minus those from the front.
    Winding(&'a mut [i64]),
    Rows(&'a mut dyn FnMut(usize, &[P::Hit]), Listed),
}

impl<P: Primitive> Sink<'_, P> {
    /// Returns the same for the lifetime of a queue.
    pub(super) fn reborrow(&mut self) -> Sink<'_, P> {
        match self {
            Sink::First(hits) => Sink::First(hits),
            Sink::Any(any) => Sink::Any(any),
            Sink::Count(counts) => Sink::Count(counts),
            Sink::Winding(sums) => Sink::Winding(sums),
            Sink::Rows(emit, listed) => Sink::Rows(&mut **emit, *listed),
        }
    }

    /// Calls `trace` with the part for the items at these places, which are numbered from 0 there.
    pub(super) fn in_part<O>(
        &mut self,
        places: Range<usize>,
        trace: impl FnOnce(Sink<'_, P>) -> O,
    ) -> O {
        match self {
            Sink::First(hits) => trace(Sink::First(&mut hits[places])),
            Sink::Any(any) => trace(Sink::Any(&mut any[places])),
            Sink::Count(counts) => trace(Sink::Count(&mut counts[places])),
            Sink::Winding(sums) => trace(Sink::Winding(&mut sums[places])),
            Sink::Rows(emit, listed) => {
                let mut emit = |place: usize, hits: &[P::Hit]| emit(places.start + place, hits);
                trace(Sink::Rows(&mut emit, *listed))
            }
        }
    }
}

/// Rays to be traced, for an engine that has several in flight at once (see
/// [`Engine::visit_many`](crate::Engine::visit_many)).
///
/// Each ray that [`next`](Queue::next) returns has a place, which identifies it in all other calls.
/// Complete it with exactly one of [`finish`](Queue::finish), [`only`](Queue::only),
/// [`certified`](Queue::certified), [`counted`](Queue::counted),
/// [`first_hits`](Queue::first_hits), [`miss`](Queue::miss) and
/// [`complete_by_single_call`](Queue::complete_by_single_call), if that returns true. Rays may be completed in any order.
pub struct Queue<'a, P: RayTest<R> = Triangle, R: RayKind = Ray> {
    pub(crate) many: &'a QuerySlice<'a, R, P::Id>,
    pub(crate) rules: Rules<'a, P, R>,
    pub(super) find_after: &'a FindAfter<'a, P, R>,
    pub(crate) next: usize,
    /// Whether every ray is active, and every hit on it counts.
    is_plain: bool,
    /// Whether the options of a ray may have `after`.
    may_continue: bool,
    pub(crate) sink: Sink<'a, P>,
    /// Candidates to be certified together, and their rays.
    certifier: P::Certifier,
    uncertified: ArrayVec<(usize, PreparedRay<'a, R>), EIGHT>,
    /// Buffers for reuse.
    buffers: Vec<HitBuffer<P>>,
    pub(crate) error: Option<QuerySliceError>,
}

/// Returns the hit after which a query continues.
type FindAfter<'a, P, R> = dyn Fn(
        Option<&PreparedRay<'_, R>>,
        <P as Primitive>::Id,
    ) -> Result<<P as Primitive>::Touch, QueryError>
    + 'a;

/// Traces many rays by rules, each with its own options; returns how many rays each technique traced.
pub(crate) fn trace<R: RayKind, E: RayEngine<R> + ?Sized>(
    engine: &E,
    many: &QuerySlice<'_, R, IdOf<E>>,
    rules: Rules<'_, E::Primitive, R>,
    mut sink: Sink<'_, E::Primitive>,
) -> Result<TechniqueCounts, QuerySliceError> {
    many.check()?;
    let find = |ray: Option<&PreparedRay<'_, R>>, id| find_after(engine, ray, id);
    let mut queue = Queue::new(many, rules, &find, sink.reborrow());
    let techniques = engine.visit_rays(many.technique, &mut queue);
    queue.end().map(|()| techniques)
}

impl<'a, P: RayTest<R>, R: RayKind> Queue<'a, P, R> {
    pub(super) fn new(
        many: &'a QuerySlice<'a, R, P::Id>,
        rules: Rules<'a, P, R>,
        find_after: &'a FindAfter<'a, P, R>,
        sink: Sink<'a, P>,
    ) -> Self {
        let same = match many.options {
            Options::Same(options) => Some(options),
            Options::Each(_) => None,
        };
        let rules = Rules {
            options: same.unwrap_or(rules.options),
            ..rules
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

    /// Returns the counts of another queue that traced the rays from `first` on; or keeps its error, and
    /// returns zeros.
    pub(super) fn take_result(
        &mut self,
        first: usize,
        traced: Result<TechniqueCounts, QuerySliceError>,
    ) -> TechniqueCounts {
        traced.unwrap_or_else(|error| {
            self.error.get_or_insert(match error {
                QuerySliceError::NoMemory { ray } => QuerySliceError::NoMemory { ray: first + ray },
                QuerySliceError::Query { ray, error } => QuerySliceError::Query {
                    ray: first + ray,
                    error,
                },
                QuerySliceError::Engine { ray } => QuerySliceError::Engine { ray: first + ray },
                QuerySliceError::Length { .. } => error,
            });
            TechniqueCounts::default()
        })
    }

    pub(super) fn end(mut self) -> Result<(), QuerySliceError> {
        self.certify();
        self.error.map_or(Ok(()), Err)
    }

    /// Returns what the query wants of each ray; as [`Collector::want`].
    #[inline(always)]
    pub fn want(&self) -> Want {
        match &self.sink {
            Sink::First(_) => Want::First,
            Sink::Any(_) => Want::Any,
            Sink::Count(_) => Want::Count,
            Sink::Winding(_) => Want::All,
            Sink::Rows(_, listed) => listed.want(),
        }
    }

    /// Returns whether rays may be traced by another technique than the one asked for; see
    /// [`QuerySlice::adaptive`].
    pub fn is_adaptive(&self) -> bool {
        self.many.is_adaptive
    }

    /// Returns the next ray and its place, or `None` when there are no more.
    #[inline(always)]
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator would borrow the queue"
    )]
    pub fn next(&mut self) -> Option<(usize, PreparedRay<'a, R>)> {
        // No rays follow an error, so that the first error is reported.
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

    /// Returns the next rays, at most `most`, and the place of the first of them, whose successors
    /// the others have. Returns `None` when there are no more, and where not every hit on every ray
    /// counts: use [`next`](Queue::next) then.
    ///
    /// Unlike those of `next`, the rays may be undefined ([`Ray::check`]); such a ray must be
    /// completed too, as a [`miss`](Queue::miss).
    #[inline(always)]
    pub fn next_slice(&mut self, most: usize) -> Option<(usize, &'a [R])> {
        if !self.is_plain || self.may_continue || self.error.is_some() {
            return None;
        }
        let place = self.next;
        let rest = &self.many.items[place..];
        let rays = &rest[..most.min(rest.len())];
        self.next += rays.len();
        (!rays.is_empty()).then_some((place, rays))
    }

    /// Returns the next rays like [`next_slice`](Queue::next_slice), also if they skip primitives:
    /// [`hit_rule`](Queue::hit_rule) tells which. Returns `None` when there are no more, and where one
    /// of these rays is inactive or has other options: use [`next`](Queue::next) for it then.
    #[inline(always)]
    pub fn next_slice_skipping(&mut self, most: usize) -> Option<(usize, &'a [R])> {
        if self.is_plain {
            return self.next_slice(most);
        }
        let place = self.next;
        let places = place..self.many.items.len().min(place.saturating_add(most));
        let is_active = |place: usize| self.many.active.is_none_or(|active| active[place]);
        let fits = |place| is_active(place) && self.hit_rule(place).is_sure();
        if places.is_empty() || self.error.is_some() || !places.clone().all(fits) {
            return None;
        }
        self.next = places.end;
        Some((place, &self.many.items[places]))
    }

    /// Returns whether every hit on every ray counts.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Returns where the first hits of `rays` rays from this place on belong, to complete any of
    /// them by writing it there. Allowed only where [`Want::First`] is wanted and [every hit
    /// counts](Queue::takes_every_hit); otherwise there are none.
    #[inline(always)]
    pub fn first_hits(&mut self, place: usize, rays: usize) -> &mut [Option<P::Hit>] {
        match &mut self.sink {
            Sink::First(hits) => &mut hits[place..place + rays],
            Sink::Any(_) | Sink::Count(_) | Sink::Winding(_) | Sink::Rows(..) => {
                debug_assert!(false, "the question does not ask for first hits");
                &mut []
            }
        }
    }

    /// Returns whether every hit on this ray counts; as [`Collector::takes_every_hit`].
    #[inline(always)]
    pub fn takes_every_hit(&self, place: usize) -> bool {
        self.is_plain || self.rules_of(place).take_every_hit()
    }

    /// Returns which hits on this ray count; as [`Collector::hit_rule`].
    #[inline(always)]
    pub fn hit_rule(&self, place: usize) -> HitRule<P::Id> {
        match self.is_plain {
            true => HitRule::Every,
            false => self.rules_of(place).hit_rule(),
        }
    }

    #[inline(always)]
    fn rules_of(&self, place: usize) -> Rules<'a, P, R> {
        Rules {
            options: self.many.options_of(place),
            ..self.rules
        }
    }

    /// Returns a collector for the candidates of this ray; the rules of [`Engine::visit`](crate::Engine::visit) apply.
    #[inline(always)]
    pub fn collector(&mut self, place: usize, ray: PreparedRay<'a, R>) -> Collector<'a, P, R> {
        let rules = self.rules_of(place);
        let after = match rules.options.after {
            None => None,
            // `next` has found that the ray hits it.
            Some(id) => (self.find_after)(Some(&ray), id).ok(),
        };
        let goal = match &self.sink {
            Sink::First(_) => Goal::First(None),
            Sink::Any(_) => Goal::Any(false),
            Sink::Count(_) => Goal::Count(0),
            Sink::Winding(_) => Goal::Winding(0),
            Sink::Rows(_, listed) => {
                let buffer = self.buffers.pop();
                listed.goal(buffer.unwrap_or_else(match listed {
                    Listed::FirstK(_) => HitBuffer::new,
                    Listed::All | Listed::Distinct => HitBuffer::telling,
                }))
            }
        };
        Collector::new(ray, rules, after, goal)
    }

    /// Completes a ray with the result of its collector.
    #[inline(always)]
    pub fn finish(&mut self, place: usize, collector: &mut Collector<'a, P, R>) {
        match &mut self.sink {
            Sink::First(hits) => hits[place] = collector.first_found(),
            Sink::Any(any) => any[place] = collector.any_found(),
            Sink::Count(counts) => counts[place] = collector.number_found(),
            Sink::Winding(sums) => sums[place] = collector.winding_found(),
            Sink::Rows(emit, _) => {
                let mut buffer = collector.take_buffer();
                if buffer.has_no_memory() {
                    let ray = place;
                    self.error.get_or_insert(QuerySliceError::NoMemory { ray });
                } else if !buffer.hits().is_empty() {
                    emit(place, buffer.hits());
                }
                buffer.clear();
                self.buffers.push(buffer);
            }
        }
    }

    /// Completes a ray of which this primitive is the only candidate that matters.
    #[inline(always)]
    pub fn only(&mut self, place: usize, ray: PreparedRay<'a, R>, id: P::Id, primitive: &P) {
        let counts = match self.hit_rule(place) {
            HitRule::Every => true,
            HitRule::EveryBut(skip) => id != skip,
            HitRule::Inner | HitRule::Chosen => false,
        };
        if !(P::Certifier::takes_any() && matches!(self.sink, Sink::First(_)) && counts) {
            return self.offer_only(place, ray, id, primitive);
        }
        self.certifier.push(&ray, id, primitive);
        self.uncertified.push((place, ray));
        if self.certifier.is_full() {
            self.certify();
        }
    }

    /// Completes a ray whose first hit, or that it has none, the engine has found and certified.
    /// Allowed only where [`Want::First`] is wanted and the hit [counts](Queue::hit_rule).
    #[inline(always)]
    pub fn certified(&mut self, place: usize, hit: Option<P::Hit>) {
        match &mut self.sink {
            Sink::First(hits) => hits[place] = hit,
            _ => debug_assert!(false, "the question does not ask for first hits"),
        }
    }

    /// Completes a ray of which `hits` certain hits, possibly 0, [count](Queue::hit_rule), and no
    /// others. Allowed only where [`Want::Any`] or [`Want::Count`] is wanted.
    #[inline(always)]
    pub fn counted(&mut self, place: usize, hits: usize) {
        match &mut self.sink {
            Sink::Any(any) => any[place] = hits > 0,
            Sink::Count(counts) => counts[place] = hits,
            Sink::First(_) | Sink::Winding(_) | Sink::Rows(..) => {
                debug_assert!(false, "the question asks for hits, not for their number");
            }
        }
    }

    /// Completes a ray that hits nothing.
    #[inline(always)]
    pub fn miss(&mut self, place: usize) {
        match &mut self.sink {
            Sink::First(hits) => hits[place] = None,
            Sink::Any(any) => any[place] = false,
            Sink::Count(counts) => counts[place] = 0,
            Sink::Winding(sums) => sums[place] = 0,
            Sink::Rows(..) => {}
        }
    }

    /// Ends the query at a ray that the engine cannot answer: [`QuerySliceError::Engine`], unless there was another error.
    pub fn fail(&mut self, place: usize) {
        self.error
            .get_or_insert(QuerySliceError::Engine { ray: place });
    }

    /// Certifies the candidates that were put off and completes their rays.
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

    /// Completes a ray with its only candidate.
    #[cold]
    fn offer_only(&mut self, place: usize, ray: PreparedRay<'a, R>, id: P::Id, primitive: &P) {
        let mut collector = self.collector(place, ray);
        let _ = collector.offer(id, primitive);
        self.finish(place, &mut collector);
    }

    /// Checks that the ray hits the primitive after which it continues.
    #[cold]
    fn check_after(&mut self, place: usize, ray: Option<&PreparedRay<'_, R>>) -> Result<(), ()> {
        let Some(id) = self.many.options_of(place).after else {
            return Ok(());
        };
        (self.find_after)(ray, id).map(drop).map_err(|error| {
            let ray = place;
            self.error = Some(QuerySliceError::Query { ray, error });
        })
    }
}

//! Takes the candidates of one ray, certifies them, applies the options and keeps what is wanted.

use crate::collect::{Goal, HitBuffer, HitRule, Masks, Primitive, QueryOptions, RayTest, Want};
use crate::compact_sort::sort_compactly;
use crate::exact::{PreparedRay, Verdict};
use crate::shapes::{Ray, RayKind, Triangle};
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// Decides whether a certified hit counts. The result must depend on the two arguments alone.
/// Called in any order, and not for every hit.
pub(crate) type Accept<'a, P, R> = &'a dyn Fn(&R, &<P as Primitive>::Hit) -> bool;

/// The rules that decide which hits count.
pub(crate) struct Rules<'a, P: Primitive, R> {
    pub(crate) options: &'a QueryOptions<P::Id>,
    pub(crate) masks: Option<&'a Masks>,
    pub(crate) accept: Option<Accept<'a, P, R>>,
    /// Whether only hits count that cross the surface.
    pub(crate) crossings: bool,
}

impl<P: Primitive, R> Clone for Rules<'_, P, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Primitive, R> Copy for Rules<'_, P, R> {}

/// Every hit counts.
impl<P: Primitive, R> Default for Rules<'_, P, R> {
    fn default() -> Self {
        Rules::of(const { &QueryOptions::DEFAULT }, None)
    }
}

impl<'a, P: Primitive, R> Rules<'a, P, R> {
    /// Returns rules without a filter.
    #[inline(always)]
    fn of(options: &'a QueryOptions<P::Id>, masks: Option<&'a Masks>) -> Self {
        debug_assert!(options.after.is_none());
        Rules {
            options,
            masks,
            accept: None,
            crossings: false,
        }
    }

    /// Returns whether every hit on the ray counts.
    #[inline(always)]
    pub(crate) fn take_every_hit(&self) -> bool {
        self.options.leave_out_nothing(self.masks) && self.accept.is_none() && !self.crossings
    }

    /// Returns which hits on the ray count.
    #[inline(always)]
    pub(crate) fn hit_rule(&self) -> HitRule<P::Id> {
        let at_most_skip = self.options.leave_out_at_most_skip(self.masks);
        match self.options.skip {
            _ if !at_most_skip || self.accept.is_some() => HitRule::Chosen,
            // Inside a primitive, every hit is a crossing.
            None if self.crossings => HitRule::Inner,
            Some(_) if self.crossings => HitRule::Chosen,
            None => HitRule::Every,
            Some(skip) => HitRule::EveryBut(skip),
        }
    }
}

/// Takes candidates from an engine (see [`Engine::visit`](crate::Engine::visit)).
pub struct Collector<'a, P: Primitive = Triangle, R = Ray> {
    ray: PreparedRay<'a, R>,
    /// The rules that leave out hits; `None` where every hit counts.
    restriction: Option<Restriction<'a, P, R>>,
    t_limit: f64,
    pub(crate) goal: Goal<P>,
}

/// Rules that leave out hits.
struct Restriction<'a, P: Primitive, R> {
    rules: Rules<'a, P, R>,
    after: Option<P::Touch>,
}

impl<'a, P: RayTest<R>, R: RayKind> Collector<'a, P, R> {
    #[inline(always)]
    pub(crate) fn new(
        ray: PreparedRay<'a, R>,
        rules: Rules<'a, P, R>,
        after: Option<P::Touch>,
        goal: Goal<P>,
    ) -> Self {
        let restriction = match rules.take_every_hit() {
            true => None,
            false => Some(Restriction { rules, after }),
        };
        Collector {
            ray,
            restriction,
            t_limit: ray.t_max(),
            goal,
        }
    }

    /// Returns a collector of the first hit, for [`Engine::closest`](crate::Engine::closest). The options
    /// may not continue after a primitive.
    #[inline(always)]
    pub fn first(
        ray: PreparedRay<'a, R>,
        options: &'a QueryOptions<P::Id>,
        masks: Option<&'a Masks>,
    ) -> Self {
        Collector::new(ray, Rules::of(options, masks), None, Goal::First(None))
    }

    /// Returns a collector that breaks at any hit, for [`Engine::any`](crate::Engine::any). The options
    /// may not continue after a primitive.
    #[inline(always)]
    pub fn any(
        ray: PreparedRay<'a, R>,
        options: &'a QueryOptions<P::Id>,
        masks: Option<&'a Masks>,
    ) -> Self {
        Collector::new(ray, Rules::of(options, masks), None, Goal::Any(false))
    }

    /// Returns what the query wants.
    #[inline(always)]
    pub fn want(&self) -> Want {
        match &self.goal {
            Goal::First(_) => Want::First,
            Goal::Any(_) => Want::Any,
            Goal::Count(_) => Want::Count,
            Goal::Winding(_) | Goal::All(_) | Goal::Distinct(_) => Want::All,
            Goal::FirstK(_, k) => Want::FirstK(*k),
        }
    }

    /// Returns the parameter beyond which nothing is wanted any more; it falls as hits are found.
    /// Hits exactly at it are still wanted: ties go to the lowest id.
    #[inline(always)]
    pub fn t_limit(&self) -> f64 {
        self.t_limit
    }

    /// Returns whether every hit on the ray counts, that is, no option leaves out any. Then an
    /// engine that is certain of a hit may [`count`](Self::count) it instead of offering the
    /// primitive, where [`Want::Any`] or [`Want::Count`] is wanted.
    #[inline(always)]
    pub fn takes_every_hit(&self) -> bool {
        self.restriction.is_none()
    }

    /// Returns which hits on the ray count. Where that is every hit but one on a primitive, an
    /// engine that leaves that one out may [`count`](Self::count) others.
    #[inline(always)]
    pub fn hit_rule(&self) -> HitRule<P::Id> {
        let restriction = self.restriction.as_ref();
        restriction.map_or(HitRule::Every, |restriction| restriction.rules.hit_rule())
    }

    /// Returns whether any hit will do and [which hits count](Self::hit_rule), if an engine may
    /// [`count`](Self::count) hits; `None` if it has to offer all primitives.
    #[inline(always)]
    pub fn counts(&self) -> Option<(bool, HitRule<P::Id>)> {
        let ends_at_any = match self.want() {
            Want::Any => true,
            Want::Count => false,
            _ => return None,
        };
        let rule = self.hit_rule();
        rule.is_sure().then_some((ends_at_any, rule))
    }

    /// Returns whether the ray may see primitives all of whose masks have no bits but those of
    /// `group`. An engine need not offer others.
    pub fn may_see(&self, group: u32) -> bool {
        self.restriction.as_ref().is_none_or(|restriction| {
            let Rules { options, masks, .. } = restriction.rules;
            masks.is_none() || options.mask & group != 0
        })
    }

    /// Takes a candidate. `Break` means that the answer is known.
    #[inline(always)]
    pub fn offer(&mut self, id: P::Id, primitive: &P) -> ControlFlow<()> {
        if let Some(restriction) = &self.restriction
            && restriction.hides(&self.ray, id, primitive)
        {
            return ControlFlow::Continue(());
        }
        match primitive.touch_quickly(&self.ray, id, self.t_limit) {
            Verdict::Missed => ControlFlow::Continue(()),
            Verdict::Touched(touch) => self.take(touch),
            Verdict::Open => self.offer_slowly(id, *primitive),
        }
    }

    #[cold]
    #[inline(never)]
    fn offer_slowly(&mut self, id: P::Id, primitive: P) -> ControlFlow<()> {
        match primitive.touch_slowly(&self.ray, id, self.t_limit) {
            None => ControlFlow::Continue(()),
            Some(touch) => self.take(touch),
        }
    }

    /// Records `hits >= 1` certain hits of primitives that are not offered. Allowed only where
    /// [`Want::Any`] or [`Want::Count`] is wanted and these hits [count](Self::hit_rule): with [`HitRule::Inner`],
    /// those strictly inside their primitives.
    #[inline(always)]
    pub fn count(&mut self, hits: usize) -> ControlFlow<()> {
        debug_assert!(self.hit_rule() != HitRule::Chosen && hits > 0);
        match &mut self.goal {
            Goal::Count(count) => *count += hits,
            Goal::Any(found) => {
                *found = true;
                return ControlFlow::Break(());
            }
            Goal::First(_)
            | Goal::Winding(_)
            | Goal::All(_)
            | Goal::Distinct(_)
            | Goal::FirstK(..) => {
                debug_assert!(false, "the question asks for hits, not for their number");
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn take(&mut self, touch: P::Touch) -> ControlFlow<()> {
        if let Some(restriction) = &self.restriction
            && !restriction.lets_count(&self.ray, &touch)
        {
            return ControlFlow::Continue(());
        }
        self.goal.take(&self.ray, touch, &mut self.t_limit)
    }

    /// Returns the first hit, if that was wanted.
    #[inline(always)]
    pub fn first_found(&self) -> Option<P::Hit> {
        match &self.goal {
            Goal::First(Some(best)) => Some(P::hit(&self.ray, best)),
            _ => None,
        }
    }

    /// Returns whether any hit was found, if that was wanted.
    #[inline(always)]
    pub fn any_found(&self) -> bool {
        matches!(self.goal, Goal::Any(true))
    }

    /// Returns the number of hits, if that was wanted.
    pub(crate) fn number_found(&self) -> usize {
        match self.goal {
            Goal::Count(hits) => hits,
            _ => 0,
        }
    }

    /// Returns the hits from behind minus those from the front, if that was wanted.
    pub(crate) fn winding_found(&self) -> i64 {
        match self.goal {
            Goal::Winding(sum) => sum,
            _ => 0,
        }
    }

    /// Sorts and rounds the hits; empty where no list of hits was wanted.
    pub(crate) fn take_buffer(&mut self) -> HitBuffer<P> {
        let is_distinct = matches!(self.goal, Goal::Distinct(_));
        match &mut self.goal {
            Goal::All(buffer) | Goal::Distinct(buffer) => {
                let (mut buffer, ray) = (core::mem::take(buffer), &self.ray);
                sort_compactly(&mut buffer.touches, |a, b| P::order(ray, a, b));
                if is_distinct {
                    let same = |b: &mut P::Touch, a: &mut P::Touch| P::order_t(ray, a, b).is_eq();
                    buffer.touches.dedup_by(same);
                }
                buffer.round(ray);
                buffer
            }
            Goal::FirstK(buffer, _) => {
                let mut buffer = core::mem::take(buffer);
                buffer.round(&self.ray);
                buffer
            }
            Goal::First(_) | Goal::Any(_) | Goal::Count(_) | Goal::Winding(_) => {
                HitBuffer::default()
            }
        }
    }
}

impl<P: RayTest<R>, R: RayKind> Restriction<'_, P, R> {
    /// Returns whether a primitive is left out, however it is hit between the ends of the ray.
    fn hides(&self, ray: &PreparedRay<'_, R>, id: P::Id, primitive: &P) -> bool {
        let QueryOptions {
            skip,
            mask,
            open_ends,
            ..
        } = *self.rules.options;
        skip == Some(id)
            || !primitive.is_seen(id, mask, self.rules.masks)
            || (open_ends && is_hit_at_an_end(ray, id, primitive))
    }

    /// Returns whether a hit counts.
    fn lets_count(&self, ray: &PreparedRay<'_, R>, touch: &P::Touch) -> bool {
        let Rules {
            options,
            accept,
            crossings,
            ..
        } = self.rules;
        options.cull.keeps(P::side(touch))
            && match &self.after {
                None => true,
                Some(after) => P::order(ray, touch, after) == Ordering::Greater,
            }
            && (!crossings || P::crosses(ray, touch))
            && accept.is_none_or(|accept| accept(ray.ray(), &P::hit(ray, touch)))
    }
}

/// Returns whether a ray hits a primitive exactly at an end of its interval: as one does whose interval is
/// that number alone.
#[cold]
fn is_hit_at_an_end<R: RayKind, P: RayTest<R>>(
    ray: &PreparedRay<'_, R>,
    id: P::Id,
    primitive: &P,
) -> bool {
    ray.ray().ends().iter().any(|at_end| {
        let at_end = PreparedRay::new(at_end);
        at_end.is_some_and(|at_end| primitive.touch(&at_end, id, at_end.t_max()).is_some())
    })
}

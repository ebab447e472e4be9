//! Completes rays of a queue by single calls of an engine.

use crate::collect::{HitRule, RayTest, Want};
use crate::engine::{Queue, RayEngine, Sink};
use crate::exact::PreparedRay;
use crate::shapes::RayKind;

impl<'a, P: RayTest<R>, R: RayKind> Queue<'a, P, R> {
    /// Completes a ray by a single call of the engine, if the query wants no more of it than that
    /// answers; returns whether it did. Where masks of the engine hide anything, it does not: single calls
    /// apply them, and the queue may leave them out ([`Unmasked`](crate::Unmasked)).
    #[inline(always)]
    pub fn complete_by_single_call<E>(
        &mut self,
        engine: &E,
        place: usize,
        ray: &PreparedRay<'a, R>,
    ) -> bool
    where
        E: RayEngine<R, Primitive = P> + ?Sized,
    {
        if !hides_nothing(engine) {
            return false;
        }
        let ray = ray.ray();
        let skip = match self.hit_rule(place) {
            HitRule::Every => None,
            HitRule::EveryBut(skip) => Some(skip),
            HitRule::Inner | HitRule::Chosen => return false,
        };
        match &mut self.sink {
            Sink::First(hits) => hits[place] = engine.closest_on(ray, skip),
            Sink::Any(any) => any[place] = engine.any_on(ray, skip),
            Sink::Count(_) | Sink::Winding(_) | Sink::Rows(..) => return false,
        }
        true
    }

    /// Completes all rays by single calls of the engine, if the query wants no more of them than
    /// these answer and every hit on every ray counts. Returns the number of those that are
    /// defined.
    pub(crate) fn complete_all_by_single_calls<E>(&mut self, engine: &E) -> usize
    where
        E: RayEngine<R, Primitive = P> + ?Sized,
    {
        if !matches!(self.want(), Want::First | Want::Any) || !hides_nothing(engine) {
            return 0;
        }
        let Some((place, rays)) = self.next_slice(usize::MAX) else {
            return 0;
        };
        match &mut self.sink {
            Sink::First(hits) => answer_each(
                rays,
                &mut hits[place..],
                #[inline(always)]
                |ray| engine.closest_on(ray, None),
            ),
            Sink::Any(any) => answer_each(
                rays,
                &mut any[place..],
                #[inline(always)]
                |ray| engine.any_on(ray, None),
            ),
            Sink::Count(_) | Sink::Winding(_) | Sink::Rows(..) => 0,
        }
    }
}

/// Returns whether every ray that sees anything sees all of an engine.
#[inline(always)]
fn hides_nothing<R: RayKind, E: RayEngine<R> + ?Sized>(engine: &E) -> bool {
    engine.masks().is_none_or(|masks| masks.shows_all(u32::MAX))
}

/// Answers for each ray; an undefined one hits nothing. Returns the number of the others.
#[inline(always)]
fn answer_each<T: Default, R: RayKind>(
    rays: &[R],
    answers: &mut [T],
    answer: impl Fn(&R) -> T,
) -> usize {
    let mut defined = 0;
    for (ray, to) in rays.iter().zip(answers) {
        *to = match ray.is_defined() {
            false => T::default(),
            true => {
                defined += 1;
                answer(ray)
            }
        };
    }
    defined
}

//! Questions about the side of a surface that a point is on, each a type of its own.

use super::item_question::item_question;
use crate::collect::{PointCollector, PointGoal, PointKind};
use crate::engine::{IdOf, LengthOf, PointEngine, QuerySlice, QuerySliceError, TechniqueCounts};
use crate::exact::proximity::Length;
use crate::exact::sign::{SignRule, SignedDistance, Winding, WindingCollector, WindingEstimate};
use crate::query::{
    AcceptHit, AnyWithin, CountCrossings, PointQuery, RayQuery, SumCrossings, Unmasked,
    ValueQuestion, ask_each,
};
use crate::shapes::SurfaceError;
use alloc::vec::Vec;

/// The question for the signed distance by a rule; see [`PointQuery::signed_distance_by`].
///
/// There is no answer where there is no closest point, and none where the surface has no inside by
/// this rule; [`PointEngine::surface`] tells these apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignedDistanceBy(pub SignRule);

/// The question for the winding number; see [`PointQuery::winding_number`].
///
/// There is no answer where the surface is not closed and oriented; [`PointEngine::surface`] tells
/// the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindingNumber;

/// The question for an estimate of the winding number; see [`PointQuery::winding_estimate`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EstimatedWinding;

impl SignedDistanceBy {
    /// Returns an error if the engine's surface has no inside by the rule, so that no point has an
    /// answer.
    ///
    /// # Errors
    /// [`SurfaceError::Open`] for parity, this or [`SurfaceError::Unpaired`] for winding numbers,
    /// none for estimates.
    pub fn check_surface<V: PointKind, E: PointEngine<V> + ?Sized>(
        self,
        engine: &E,
    ) -> Result<(), SurfaceError<V::Coordinate>> {
        match self.0 {
            // The report takes longer.
            SignRule::Parity if engine.is_closed() => Ok(()),
            SignRule::Parity => engine.surface().check_closed(),
            SignRule::WindingNumber => engine.surface().check_oriented(),
            SignRule::WindingEstimate => Ok(()),
        }
    }
}

impl WindingNumber {
    /// Returns an error if the engine's surface is not closed and oriented, so that no point has an
    /// answer.
    ///
    /// # Errors
    /// [`SurfaceError`], with the first edge in the way.
    pub fn check_surface<V: PointKind, E: PointEngine<V> + ?Sized>(
        self,
        engine: &E,
    ) -> Result<(), SurfaceError<V::Coordinate>> {
        engine.surface().check_oriented()
    }
}

/// Returns the signed distance where the surface has an inside by the rule.
pub(crate) fn signed_distance<V, E>(
    engine: &E,
    point: V,
    rule: SignRule,
) -> Option<SignedDistance<V::Coordinate>>
where
    V: PointKind,
    E: PointEngine<V> + ?Sized,
{
    let (distance, is_contact) = distance_and_contact(engine, point)?;
    let ray = point.to_the_outside();
    let inside = is_contact
        || match rule {
            SignRule::Parity => is_odd(engine.ask(Unmasked(CountCrossings), &ray)),
            SignRule::WindingNumber => engine.ask(Unmasked(SumCrossings), &ray) > 0,
            SignRule::WindingEstimate => winding_estimate(engine, point).is_inside(),
        };
    Some(SignedDistance::new(distance, inside, rule))
}

/// Returns the winding number where the surface is closed and oriented. A point that is not finite
/// is outside.
pub(crate) fn winding_number<V, E>(engine: &E, point: V) -> Winding
where
    V: PointKind,
    E: PointEngine<V> + ?Sized,
{
    match engine.any_within(point, Length::ZERO) {
        true => Winding::OnSurface,
        false => Winding::Number(engine.ask(Unmasked(SumCrossings), &point.to_the_outside())),
    }
}

/// Returns the estimate of the winding number. A point that is not finite is outside.
pub(crate) fn winding_estimate<V: PointKind, E: PointEngine<V> + ?Sized>(
    engine: &E,
    point: V,
) -> WindingEstimate {
    let Some(mut collector) = WindingCollector::new(point.into()) else {
        return WindingEstimate::default();
    };
    engine.visit_winding(&mut collector);
    collector.estimate()
}

/// The question for the distance of the closest point, and whether it is exactly 0.
#[derive(Clone, Copy)]
struct DistanceAndContact;

item_question! { [V: PointKind, E: PointEngine<V>] V, DistanceAndContact => Option<(V::Coordinate, bool)>:
    |_question, engine, point| distance_and_contact(engine, *point);
}

impl<V: PointKind, E: PointEngine<V> + ?Sized> ValueQuestion<E, V> for DistanceAndContact {}

fn distance_and_contact<V: PointKind, E: PointEngine<V> + ?Sized>(
    engine: &E,
    point: V,
) -> Option<(V::Coordinate, bool)> {
    let mut collector = PointCollector::new(point, Length::INFINITY, PointGoal::Closest(None))?;
    engine.visit_near(&mut collector);
    collector.distance_and_contact_found()
}

fn is_odd(crossings: usize) -> bool {
    crossings % 2 == 1
}

/// Asks about the rays of those points that need it, which see every triangle.
fn ask_many<V, E, Q, A>(
    engine: &E,
    question: Q,
    many: &QuerySlice<'_, V, IdOf<E>>,
    needs: &[bool],
) -> Result<(Vec<A>, TechniqueCounts), QuerySliceError>
where
    V: PointKind,
    E: PointEngine<V> + ?Sized,
    A: Clone + Default,
    Unmasked<Q>: ValueQuestion<E, V::Ray, Answer = A>,
{
    let rays = many.items.iter().map(|&point| point.to_the_outside());
    let rays: Vec<V::Ray> = rays.collect();
    let mut answers = alloc::vec![A::default(); rays.len()];
    let rays = QuerySlice {
        active: Some(needs),
        ..many.about(&rays)
    };
    let techniques = Unmasked(question).ask_many(engine, &rays, None, &mut answers)?;
    Ok((answers, techniques))
}

item_question! { [V: PointKind, E: PointEngine<V>] V,
    SignedDistanceBy => Option<SignedDistance<V::Coordinate>>:
    |question, engine, point| engine.signed_distance_by(*point, question.0).ok().flatten();

    fn is_one_by_one(&self, engine: &E) -> bool {
        self.0 == SignRule::WindingEstimate || !engine.traces_together()
    }
}

impl<V, E> ValueQuestion<E, V> for SignedDistanceBy
where
    V: PointKind,
    E: PointEngine<V> + ?Sized,
{
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, V, IdOf<E>>,
        _: Option<AcceptHit<'_, E, V>>,
        answers: &mut [Option<SignedDistance<V::Coordinate>>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        let rule = self.0;
        many.check_room(answers.len())?;
        many.check()?;
        if self.check_surface(engine).is_err() {
            answers.fill(None);
            return Ok(TechniqueCounts::default());
        }
        if rule == SignRule::WindingEstimate {
            answers.fill(None);
            return ask_each(self, engine, many, None, |place, answer| {
                answers[place] = answer;
            });
        }
        let mut found = alloc::vec![None; many.len()];
        let mut techniques = DistanceAndContact.ask_many(engine, many, None, &mut found)?;
        let needs: Vec<bool> = found
            .iter()
            .map(|found| matches!(found, Some((_, false))))
            .collect();
        let inside: Vec<bool> = match rule {
            SignRule::WindingNumber => {
                let (sums, asked) = ask_many(engine, SumCrossings, many, &needs)?;
                techniques += asked;
                sums.into_iter().map(|sum| sum > 0).collect()
            }
            _ => {
                let (counts, asked) = ask_many(engine, CountCrossings, many, &needs)?;
                techniques += asked;
                counts.into_iter().map(is_odd).collect()
            }
        };
        for ((answer, found), inside) in answers.iter_mut().zip(found).zip(inside) {
            *answer = found.map(|(distance, is_contact)| {
                SignedDistance::new(distance, is_contact || inside, rule)
            });
        }
        Ok(techniques)
    }
}

item_question! { [V: PointKind, E: PointEngine<V>] V, WindingNumber => Option<Winding>:
    |_question, engine, point| engine.winding_number(*point).ok();

    fn is_one_by_one(&self, engine: &E) -> bool {
        !engine.traces_together()
    }
}

impl<V, E> ValueQuestion<E, V> for WindingNumber
where
    V: PointKind,
    E: PointEngine<V> + ?Sized,
{
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, V, IdOf<E>>,
        _: Option<AcceptHit<'_, E, V>>,
        answers: &mut [Option<Winding>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        many.check_room(answers.len())?;
        many.check()?;
        if self.check_surface(engine).is_err() {
            answers.fill(None);
            return Ok(TechniqueCounts::default());
        }
        let mut is_contact = alloc::vec![false; many.len()];
        let mut techniques =
            AnyWithin(LengthOf::<E, V>::ZERO).ask_many(engine, many, None, &mut is_contact)?;
        let needs: Vec<bool> = (is_contact.iter().enumerate())
            .map(|(place, is_contact)| !is_contact && many.is_active(place))
            .collect();
        let (sums, asked) = ask_many(engine, SumCrossings, many, &needs)?;
        techniques += asked;
        for (place, answer) in answers.iter_mut().enumerate() {
            *answer = many.is_active(place).then_some(match is_contact[place] {
                true => Winding::OnSurface,
                false => Winding::Number(sums[place]),
            });
        }
        Ok(techniques)
    }
}

item_question! { [V: PointKind, E: PointEngine<V>] V, EstimatedWinding => WindingEstimate:
    |_question, engine, point| winding_estimate(engine, *point);
}

impl<V: PointKind, E: PointEngine<V> + ?Sized> ValueQuestion<E, V> for EstimatedWinding {}

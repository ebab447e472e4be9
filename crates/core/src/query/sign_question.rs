//! Questions about the side of a surface that a point is on, each a type of its own.

use super::item_question::item_question;
use crate::collect::{PointCollector, PointGoal, PointKind, QueryOptions};
use crate::engine::{IdOf, PointEngine, QuerySlice, QuerySliceError, TechniqueCounts, Unmasked};
use crate::exact::sign::{SignRule, SignedDistance, Winding, WindingCollector, WindingEstimate};
use crate::query::{
    AcceptHit, AnyWithin, CountCrossings, PointQuery, Question, SumCrossings, ValueQuestion,
    ask_each,
};
use crate::shapes::{Ray, SurfaceError};
use alloc::vec::Vec;
use glam::Vec3;

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
    pub fn check_surface<E: PointEngine + ?Sized>(self, engine: &E) -> Result<(), SurfaceError> {
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
    pub fn check_surface<E: PointEngine + ?Sized>(self, engine: &E) -> Result<(), SurfaceError> {
        engine.surface().check_oriented()
    }
}

/// Returns the signed distance where the surface has an inside by the rule.
pub(crate) fn signed_distance<E: PointEngine + ?Sized>(
    engine: &E,
    point: Vec3,
    rule: SignRule,
) -> Option<SignedDistance> {
    let (distance, is_contact) = distance_and_contact(engine, point)?;
    let ray = point.to_the_outside();
    let inside = is_contact
        || match rule {
            SignRule::Parity => is_odd(ask(engine, CountCrossings, &ray)),
            SignRule::WindingNumber => ask(engine, SumCrossings, &ray) > 0,
            SignRule::WindingEstimate => winding_estimate(engine, point).is_inside(),
        };
    Some(SignedDistance::new(distance, inside, rule))
}

/// Returns the winding number where the surface is closed and oriented. A point that is not finite
/// is outside.
pub(crate) fn winding_number<E: PointEngine + ?Sized>(engine: &E, point: Vec3) -> Winding {
    match engine.any_within(point, 0.0) {
        true => Winding::OnSurface,
        false => Winding::Number(ask(engine, SumCrossings, &point.to_the_outside())),
    }
}

/// Returns the estimate of the winding number. A point that is not finite is outside.
pub(crate) fn winding_estimate<E: PointEngine + ?Sized>(
    engine: &E,
    point: Vec3,
) -> WindingEstimate {
    let Some(mut collector) = WindingCollector::new(point) else {
        return WindingEstimate::default();
    };
    engine.visit_winding(&mut collector);
    collector.estimate()
}

/// The question for the distance of the closest point, and whether it is exactly 0.
#[derive(Clone, Copy)]
struct DistanceAndContact;

item_question! { [E: PointEngine] Vec3, DistanceAndContact => Option<(f32, bool)>:
    |_question, engine, point| distance_and_contact(engine, *point);
}

impl<E: PointEngine + ?Sized> ValueQuestion<E, Vec3> for DistanceAndContact {}

fn distance_and_contact<E: PointEngine + ?Sized>(engine: &E, point: Vec3) -> Option<(f32, bool)> {
    let mut collector = PointCollector::new(point, f32::INFINITY, PointGoal::Closest(None))?;
    engine.visit_near(&mut collector);
    collector.distance_and_contact_found()
}

fn is_odd(crossings: usize) -> bool {
    crossings % 2 == 1
}

/// Answers a question about one ray that sees every triangle. An undefined ray hits nothing.
fn ask<'a, E, Q, A: Default>(engine: &'a E, question: Q, ray: &Ray) -> A
where
    E: PointEngine + ?Sized,
    Q: Question<E, Answer = A> + Question<Unmasked<'a, E>, Answer = A>,
{
    let options = const { &QueryOptions::DEFAULT };
    let answer = match engine.masks() {
        None => question.ask(engine, ray, options, None),
        Some(_) => question.ask(&Unmasked(engine), ray, options, None),
    };
    answer.unwrap_or_default() // only the option `after` can fail
}

/// Asks about the rays of those points that need it.
fn ask_many<'a, E, Q, A: Clone + Default>(
    engine: &'a E,
    question: Q,
    many: &QuerySlice<'_, Vec3, IdOf<E>>,
    needs: &[bool],
) -> Result<(Vec<A>, TechniqueCounts), QuerySliceError>
where
    E: PointEngine + ?Sized,
    Q: ValueQuestion<Unmasked<'a, E>, Answer = A>,
{
    let rays: Vec<Ray> = many
        .items
        .iter()
        .map(|&point| point.to_the_outside())
        .collect();
    let mut answers = alloc::vec![A::default(); rays.len()];
    let rays = many.about(&rays);
    let rays = QuerySlice {
        active: Some(needs),
        ..rays
    };
    let techniques = question.ask_many(&Unmasked(engine), &rays, None, &mut answers)?;
    Ok((answers, techniques))
}

item_question! { [E: PointEngine] Vec3, SignedDistanceBy => Option<SignedDistance>:
    |question, engine, point| engine.signed_distance_by(*point, question.0).ok().flatten();

    fn is_one_by_one(&self, _: &E) -> bool {
        self.0 == SignRule::WindingEstimate
    }
}

impl<E: PointEngine + ?Sized> ValueQuestion<E, Vec3> for SignedDistanceBy {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, Vec3, IdOf<E>>,
        _: Option<AcceptHit<'_, E, Vec3>>,
        answers: &mut [Option<SignedDistance>],
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

item_question! { [E: PointEngine] Vec3, WindingNumber => Option<Winding>:
    |_question, engine, point| engine.winding_number(*point).ok();

    fn is_one_by_one(&self, _: &E) -> bool {
        false
    }
}

impl<E: PointEngine + ?Sized> ValueQuestion<E, Vec3> for WindingNumber {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, Vec3, IdOf<E>>,
        _: Option<AcceptHit<'_, E, Vec3>>,
        answers: &mut [Option<Winding>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        many.check_room(answers.len())?;
        many.check()?;
        if self.check_surface(engine).is_err() {
            answers.fill(None);
            return Ok(TechniqueCounts::default());
        }
        let mut is_contact = alloc::vec![false; many.len()];
        let mut techniques = AnyWithin(0.0).ask_many(engine, many, None, &mut is_contact)?;
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

item_question! { [E: PointEngine] Vec3, EstimatedWinding => WindingEstimate:
    |_question, engine, point| winding_estimate(engine, *point);
}

impl<E: PointEngine + ?Sized> ValueQuestion<E, Vec3> for EstimatedWinding {}

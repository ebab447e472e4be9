//! The question whether a point is inside by a rule.

use super::engine::IdOf;
use super::point_question::answer_each;
use super::question::{AcceptHit, Question, ValueQuestion};
use super::sign_question::{are_enclosed, is_enclosed};
use super::{
    PointEngine, PointQuery, QueryError, QueryOptions, QuerySlice, QuerySliceError,
    SignedDistanceBy, TechniqueCounts,
};
use crate::{SignRule, SurfaceError};
use alloc::vec::Vec;
use glam::Vec3;

/// The question whether a point is inside by a rule; see [`PointQuery::contains_by`].
///
/// There is no answer where the surface has no inside by this rule; [`PointEngine::surface`] tells
/// why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContainsBy(pub SignRule);

impl ContainsBy {
    /// Returns an error if the engine's surface has no inside by the rule, so that no point has an
    /// answer.
    ///
    /// # Errors
    /// Those of [`SignedDistanceBy::check_surface`].
    pub fn check_surface<E: PointEngine + ?Sized>(self, engine: &E) -> Result<(), SurfaceError> {
        SignedDistanceBy(self.0).check_surface(engine)
    }
}

/// Returns whether a point is on the surface or inside by the rule, where the surface has an inside by
/// it.
pub(super) fn is_inside<E: PointEngine + ?Sized>(engine: &E, point: Vec3, rule: SignRule) -> bool {
    engine.any_within(point, 0.0) || is_enclosed(engine, point, rule)
}

impl<E: PointEngine + ?Sized> Question<E> for ContainsBy {
    type Item = Vec3;
    type Answer = Option<bool>;

    /// Answers for one point. Options, masks and `accept` have no effect on points.
    fn ask(
        &self,
        engine: &E,
        &point: &Vec3,
        _: &QueryOptions<IdOf<E>>,
        _: Option<AcceptHit<'_, E>>,
    ) -> Result<Option<bool>, QueryError> {
        Ok(engine.contains_by(point, self.0).ok())
    }

    fn is_one_by_one(&self) -> bool {
        self.0 == SignRule::WindingEstimate
    }

    fn is_about_positions(&self) -> bool {
        true
    }
}

impl<E: PointEngine + ?Sized> ValueQuestion<E> for ContainsBy {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, Vec3, IdOf<E>>,
        _: Option<AcceptHit<'_, E>>,
        inside: &mut [Option<bool>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        let rule = self.0;
        many.check_room(inside.len())?;
        many.check()?;
        if self.check_surface(engine).is_err() {
            inside.fill(None);
            return Ok(TechniqueCounts::default());
        }
        let mut found = alloc::vec![false; many.len()];
        let mut techniques = answer_each(many, &mut found, |point| match rule {
            SignRule::WindingEstimate => is_inside(engine, point, rule),
            _ => engine.any_within(point, 0.0),
        })?;
        if rule != SignRule::WindingEstimate {
            let needs: Vec<bool> = (found.iter().enumerate())
                .map(|(place, is_contact)| !is_contact && many.is_active(place))
                .collect();
            let (enclosed, asked) = are_enclosed(engine, rule, many, &needs)?;
            techniques += asked;
            for (found, is_enclosed) in found.iter_mut().zip(enclosed) {
                *found |= is_enclosed;
            }
        }
        for (place, (inside, found)) in inside.iter_mut().zip(found).enumerate() {
            *inside = many.is_active(place).then_some(found);
        }
        Ok(techniques)
    }
}

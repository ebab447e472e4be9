//! The question about a moving sphere.

use super::engine::IdOf;
use super::point_question::for_each_active;
use super::question::{AcceptHit, Question, ValueQuestion};
use super::{
    QueryError, QueryOptions, QuerySlice, QuerySliceError, SweepEngine, SweepQuery, TechniqueCounts,
};
use crate::{MovingSphere, SphereContact};

/// The question for the first contact of a moving sphere; see [`SweepQuery::sweep_sphere_within`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstContact;

/// Returns the first contact up to the sphere's greatest time.
fn first_contact<E: SweepEngine + ?Sized>(engine: &E, of: MovingSphere) -> Option<SphereContact> {
    engine.sweep_sphere_within(of.center, of.velocity, of.radius, of.t_max)
}

impl<E: SweepEngine + ?Sized> Question<E> for FirstContact {
    type Item = MovingSphere;
    type Answer = Option<SphereContact>;

    /// Answers for one sphere. Options, masks and `accept` have no effect on moving spheres.
    fn ask(
        &self,
        engine: &E,
        &sphere: &MovingSphere,
        _: &QueryOptions<IdOf<E>>,
        _: Option<AcceptHit<'_, E>>,
    ) -> Result<Option<SphereContact>, QueryError> {
        Ok(first_contact(engine, sphere))
    }

    fn is_one_by_one(&self) -> bool {
        true
    }

    /// Sorting gains at most a tenth: a movement crosses much of the tree.
    fn is_about_positions(&self) -> bool {
        false
    }
}

impl<E: SweepEngine + ?Sized> ValueQuestion<E> for FirstContact {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, MovingSphere, IdOf<E>>,
        _: Option<AcceptHit<'_, E>>,
        answers: &mut [Option<SphereContact>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        many.check_room(answers.len())?;
        answers.fill(None);
        for_each_active(
            many,
            |sphere| sphere.is_defined(),
            |place, sphere| answers[place] = first_contact(engine, sphere),
        )
    }
}

//! The question about a moving sphere.

use super::engine::IdOf;
use super::question::{AcceptHit, Question, ValueQuestion};
use super::{QueryError, QueryOptions, SweepEngine, SweepQuery};
use crate::{MovingSphere, SphereContact};

/// The question for the first contact of a moving sphere; see [`SweepQuery::sweep_sphere_within`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstContact;

impl<E: SweepEngine + ?Sized> Question<E, MovingSphere> for FirstContact {
    type Answer = Option<SphereContact>;

    fn ask(
        &self,
        engine: &E,
        of: &MovingSphere,
        _: &QueryOptions<IdOf<E>>,
        _: Option<AcceptHit<'_, E, MovingSphere>>,
    ) -> Result<Option<SphereContact>, QueryError> {
        Ok(engine.sweep_sphere_within(of.center, of.velocity, of.radius, of.t_max))
    }

    /// Sorting gains at most a tenth: a movement crosses much of the tree.
    fn is_about_positions(&self) -> bool {
        false
    }
}

impl<E: SweepEngine + ?Sized> ValueQuestion<E, MovingSphere> for FirstContact {}

//! The question about a moving sphere.

use super::item_question::item_question;
use crate::collect::SweepCollector;
use crate::engine::SweepEngine;
use crate::exact::sweep::{MovingSphere, MovingSphere64, SphereContact};
use crate::query::{CoordinateOf, ValueQuestion};

/// The question for the first contact of a moving sphere, if its exact time is at most the sphere's
/// `t_max`; see [`SweepQuery::sweep_sphere`](crate::SweepQuery::sweep_sphere). There is none if `t_max`
/// is negative or NaN. To move a sphere by a given vector, pass that vector as the velocity and 1.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
/// use estoc::{BruteForce, RayQuery, Triangle, query::{FirstContact, MovingSphere}};
/// let floor = Triangle::new([-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]);
/// let engine = BruteForce::new([floor]);
/// let step = |by: f32| {
///     let ball = MovingSphere::new([0.0, 3.0, 0.0], [0.0, -by, 0.0], 1.0).with_t_max(1.0);
///     engine.ask(FirstContact, &ball)
/// };
/// assert!(step(1.5).is_none());
/// assert_eq!(step(4.0).unwrap().t, 0.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstContact;

/// Returns the first contact up to the sphere's greatest time.
pub(crate) fn first_contact<E: SweepEngine + ?Sized>(
    engine: &E,
    of: MovingSphere64,
) -> Option<SphereContact<CoordinateOf<E>>> {
    let mut collector = SweepCollector::new(&of)?;
    engine.visit_swept(&mut collector);
    collector.first_found()
}

item_question! { [E: SweepEngine] MovingSphere, FirstContact => Option<SphereContact<CoordinateOf<E>>>:
    |_question, engine, sphere| first_contact(engine, (*sphere).into());
}

item_question! { [E: SweepEngine] MovingSphere64, FirstContact => Option<SphereContact<CoordinateOf<E>>>:
    |_question, engine, sphere| first_contact(engine, *sphere);
}

impl<E: SweepEngine + ?Sized> ValueQuestion<E, MovingSphere> for FirstContact {}

impl<E: SweepEngine + ?Sized> ValueQuestion<E, MovingSphere64> for FirstContact {}

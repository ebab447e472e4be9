//! Batches of rays in `f32` or `f64`.

use super::rows::AnswersOf;
use crate::failure::Failure;
use estoc::batch::{BatchReport, Plan, QueryAnswers};
use estoc::engine::HitOf;
use estoc::query::{All, Any, Closest, Count, CountCrossings, Crossings, FirstK};
use estoc::scene::{In64, Ray64, SceneHit, ScenePrim, SceneSnapshot};
use estoc::shapes::RayError;
use estoc::{Batch, BatchError, Cull, QueryOptions, Ray, query::Query};
use estoc_batch::BatchEngine;
use estoc_rays_io::Item;
use estoc_scene::Ray64Error;
use std::fmt::Display;

/// A ray that can be cast.
pub(super) trait CastRay: Item + Into<Ray64> {
    type Error: Display;

    fn check(&self) -> Result<(), Self::Error>;
}

impl CastRay for Ray {
    type Error = RayError;

    fn check(&self) -> Result<(), RayError> {
        Ray::check(self)
    }
}

impl CastRay for Ray64 {
    type Error = Ray64Error;

    fn check(&self) -> Result<(), Ray64Error> {
        Ray64::check(self)
    }
}

/// The masks of some rays.
pub(super) enum MasksOf<I> {
    /// All rays have this one.
    All(u32),
    /// Each ray has these options, with its mask.
    Each(Vec<QueryOptions<I>>),
}

impl<I: Copy> MasksOf<I> {
    /// Returns the masks of rays; without any, rays see all.
    pub(super) fn new(masks: Option<&[u32]>, cull: Cull) -> Self {
        match masks {
            None | Some([]) => MasksOf::All(u32::MAX),
            // As fast as without a column of masks.
            Some([first, others @ ..]) if others.iter().all(|mask| mask == first) => {
                MasksOf::All(*first)
            }
            Some(masks) => {
                let options = QueryOptions::default().cull(cull);
                MasksOf::Each(masks.iter().map(|&mask| options.mask(mask)).collect())
            }
        }
    }
}

/// An engine that answers queries about rays of a type.
pub(super) trait Asked<R, I: Copy>: BatchEngine<I> {
    fn ask(
        &self,
        batch: &Batch<'_, I>,
        query: Query,
        rays: &[R],
        answers: &mut AnswersOf<HitOf<Self>>,
    ) -> Result<BatchReport, BatchError>;

    /// Returns the plan for no rays.
    fn plan(&self, batch: &Batch<'_, I>, query: Query) -> Plan;
}

impl<I: Copy, E: BatchEngine<I> + ?Sized> Asked<Ray, I> for E {
    fn ask(
        &self,
        batch: &Batch<'_, I>,
        query: Query,
        rays: &[Ray],
        answers: &mut AnswersOf<HitOf<E>>,
    ) -> Result<BatchReport, BatchError> {
        batch.ask_into(self, query, rays, answers)
    }

    fn plan(&self, batch: &Batch<'_, I>, query: Query) -> Plan {
        let none: &[Ray] = &[];
        batch.plan(self, query, none)
    }
}

/// Returns the container of the given kind, emptied of answers of another kind.
macro_rules! container {
    ($answers:expr, $kind:ident) => {{
        if !matches!($answers, QueryAnswers::$kind(_)) {
            *$answers = QueryAnswers::$kind(Default::default());
        }
        match $answers {
            QueryAnswers::$kind(answers) => answers,
            _ => unreachable!("made above"),
        }
    }};
}

impl Asked<Ray64, ScenePrim> for SceneSnapshot {
    fn ask(
        &self,
        batch: &Batch<'_, ScenePrim>,
        query: Query,
        rays: &[Ray64],
        answers: &mut AnswersOf<SceneHit>,
    ) -> Result<BatchReport, BatchError> {
        match query {
            Query::Closest => {
                batch.ask_into(self, In64(Closest), rays, container!(answers, Closest))
            }
            Query::Any => batch.ask_into(self, In64(Any), rays, container!(answers, Any)),
            Query::All => batch.ask_into(self, In64(All), rays, container!(answers, Rows)),
            Query::FirstK(k) => {
                batch.ask_into(self, In64(FirstK(k)), rays, container!(answers, Rows))
            }
            Query::Count => batch.ask_into(self, In64(Count), rays, container!(answers, Counts)),
            Query::Crossings => {
                batch.ask_into(self, In64(Crossings), rays, container!(answers, Rows))
            }
            // The only other one that `--query` names.
            _ => batch.ask_into(
                self,
                In64(CountCrossings),
                rays,
                container!(answers, Counts),
            ),
        }
    }

    fn plan(&self, batch: &Batch<'_, ScenePrim>, query: Query) -> Plan {
        let none: &[Ray64] = &[];
        match query {
            Query::Closest => batch.plan(self, In64(Closest), none),
            Query::Any => batch.plan(self, In64(Any), none),
            Query::All => batch.plan(self, In64(All), none),
            Query::FirstK(k) => batch.plan(self, In64(FirstK(k)), none),
            Query::Count => batch.plan(self, In64(Count), none),
            Query::Crossings => batch.plan(self, In64(Crossings), none),
            _ => batch.plan(self, In64(CountCrossings), none),
        }
    }
}

/// Queries the first of these rays, as many as have `most_hits` together and as there is memory for,
/// but at least one, and returns their number.
pub(super) fn ask_some<R, I: Copy, E: Asked<R, I> + ?Sized>(
    batch: &Batch<'_, I>,
    masks: &MasksOf<I>,
    (engine, question): (&E, Query),
    rays: &[R],
    most_hits: usize,
    answers: &mut AnswersOf<HitOf<E>>,
) -> Result<(usize, BatchReport), Failure> {
    let mut count = rays.len();
    loop {
        let batch = match masks {
            MasksOf::All(mask) => batch.mask(*mask),
            MasksOf::Each(options) => batch.options_each(&options[..count]),
        };
        let batch = match count {
            1 => batch,
            _ => batch.max_hits(most_hits),
        };
        let error = match engine.ask(&batch, question, &rays[..count], answers) {
            Ok(report) => return Ok((count, report)),
            Err(error) => error,
        };
        count = match error {
            BatchError::TooManyHits { ray, .. } => ray.max(1),
            BatchError::NoMemory { .. } if count > 1 => count / 2,
            error => return Err(error.into()),
        };
        // Free the memory of the failed attempt first.
        *answers = AnswersOf::default();
    }
}

//! Batches of rays in `f32` or `f64`.

use super::hit_rows::AnswersOf;
use crate::failure::Failure;
use estoc::batch::BatchReport;
use estoc::engine::HitOf;
use estoc::scene::Ray64;
use estoc::shapes::RayError;
use estoc::{Batch, BatchError, QueryOptions, Ray, query::Query};
use estoc_batch::Record;
use estoc_core::{IdOf, Primitive, RayEngine, RayKind};
use estoc_rays_io::Item;
use estoc_scene::Ray64Error;
use std::fmt::Display;

/// A ray that can be cast.
pub(super) trait CastRay: Item + estoc_batch::Item + RayKind + Into<Ray64> {
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
    pub(super) fn new(masks: Option<&[u32]>, options: QueryOptions<I>) -> Self {
        match masks {
            None | Some([]) => MasksOf::All(u32::MAX),
            // As fast as without a column of masks.
            Some([first, others @ ..]) if others.iter().all(|mask| mask == first) => {
                MasksOf::All(*first)
            }
            Some(masks) => MasksOf::Each(masks.iter().map(|&mask| options.mask(mask)).collect()),
        }
    }
}

/// An engine that answers queries about rays of a kind. Implemented for all such engines.
pub(super) trait Asked<R: RayKind>:
    RayEngine<R, Primitive: Primitive<Hit: Record>> + Sync
{
}

impl<R: RayKind, E> Asked<R> for E where
    E: RayEngine<R, Primitive: Primitive<Hit: Record>> + Sync + ?Sized
{
}

/// Queries the first of these rays, as many as have `most_hits` together and as there is memory for,
/// but at least one, and returns their number.
pub(super) fn ask_some<R: CastRay, E: Asked<R> + ?Sized>(
    batch: &Batch<'_, IdOf<E>>,
    masks: &MasksOf<IdOf<E>>,
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
        let error = match batch.ask_into(engine, question, &rays[..count], answers) {
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

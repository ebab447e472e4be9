//! Questions about regions, which have the list of them.

use crate::items::RegionIndex;
use estoc_core::{
    AcceptHit, IdOf, PrimId, QueryError, QueryOptions, Question, Region, RegionEngine, RegionQuery,
    RowQuestion, ValueQuestion,
};

/// The question for the triangles that have a point in a region, by id.
pub(crate) struct Overlaps<'a, R>(pub(crate) &'a [R]);

/// The question whether any triangle has a point in a region.
pub(crate) struct AnyOverlap<'a, R>(pub(crate) &'a [R]);

/// Implements a question about one region.
macro_rules! region_question {
    ($question:ident => $answer:ty: |$engine:ident, $region:ident| $found:expr) => {
        impl<R> Clone for $question<'_, R> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<R> Copy for $question<'_, R> {}

        impl<E: RegionEngine + ?Sized, R: Region> Question<E, RegionIndex> for $question<'_, R> {
            type Answer = $answer;

            fn ask(
                &self,
                $engine: &E,
                region: &RegionIndex,
                _: &QueryOptions<IdOf<E>>,
                _: Option<AcceptHit<'_, E, RegionIndex>>,
            ) -> Result<$answer, QueryError> {
                let $region = &self.0[region.get()];
                Ok($found)
            }

            /// Regions keep their order.
            fn is_about_positions(&self) -> bool {
                false
            }
        }
    };
}

region_question!(Overlaps => Vec<PrimId>: |engine, region| engine.overlaps(region));
region_question!(AnyOverlap => bool: |engine, region| engine.any_overlap(region));

impl<E: RegionEngine + ?Sized, R: Region> RowQuestion<E, RegionIndex> for Overlaps<'_, R> {
    type Value = PrimId;
}

impl<E: RegionEngine + ?Sized, R: Region> ValueQuestion<E, RegionIndex> for AnyOverlap<'_, R> {}

//! Questions about regions, which have the list of them.

use crate::items::RegionIndex;
use estoc_core::{
    AcceptHit, IdOf, PrimId, QueryError, QueryOptions, QuerySlice, QuerySliceError, Question,
    Region, RegionEngine, RegionQuery, RowQuestion, Technique, TechniqueCounts, ValueQuestion,
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

        impl<R: Region> $question<'_, R> {
            fn of<E: RegionEngine + ?Sized>(&self, $engine: &E, region: RegionIndex) -> $answer {
                let $region = &self.0[region.get()];
                $found
            }
        }

        impl<E: RegionEngine + ?Sized, R: Region> Question<E> for $question<'_, R> {
            type Item = RegionIndex;
            type Answer = $answer;

            fn ask(
                &self,
                engine: &E,
                &region: &RegionIndex,
                _: &QueryOptions<IdOf<E>>,
                _: Option<AcceptHit<'_, E>>,
            ) -> Result<$answer, QueryError> {
                Ok(self.of(engine, region))
            }

            fn is_one_by_one(&self) -> bool {
                true
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

impl<E: RegionEngine + ?Sized, R: Region> RowQuestion<E> for Overlaps<'_, R> {
    type Value = PrimId;

    fn ask_rows(
        &self,
        engine: &E,
        many: &QuerySlice<'_, RegionIndex, IdOf<E>>,
        _: Option<AcceptHit<'_, E>>,
        emit: &mut dyn FnMut(usize, &[PrimId]),
    ) -> Result<TechniqueCounts, QuerySliceError> {
        Ok(for_each_active(many, |place, region| {
            let found = self.of(engine, region);
            if !found.is_empty() {
                emit(place, &found);
            }
        }))
    }
}

impl<E: RegionEngine + ?Sized, R: Region> ValueQuestion<E> for AnyOverlap<'_, R> {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, RegionIndex, IdOf<E>>,
        _: Option<AcceptHit<'_, E>>,
        answers: &mut [bool],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        answers.fill(false);
        Ok(for_each_active(many, |place, region| {
            answers[place] = self.of(engine, region);
        }))
    }
}

/// Calls `ask` with the place and the index of each active region. Returns their number.
fn for_each_active<I>(
    many: &QuerySlice<'_, RegionIndex, I>,
    mut ask: impl FnMut(usize, RegionIndex),
) -> TechniqueCounts {
    let mut asked = 0;
    for (place, &region) in many.items().iter().enumerate() {
        if many.is_active(place) {
            asked += 1;
            ask(place, region);
        }
    }
    TechniqueCounts::of(Technique::OneByOne, asked)
}

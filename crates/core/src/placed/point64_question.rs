//! The questions about points in `f64`.

use super::{In64, Point64Engine, Point64Query, SceneClosestPoint, ScenePrim};
use crate::query::{
    AcceptHit, AnyWithin, ClosestK, ClosestPointWithin, Contains, Distance, IdOf, QueryError,
    QueryOptions, QuerySlice, QuerySliceError, Question, RowQuestion, TechniqueCounts,
    ValueQuestion, Within, for_each_active,
};
use alloc::vec::Vec;
use glam::DVec3;

/// Implements a question about one point.
macro_rules! point_question_in_64 {
    ($question:ident => $answer:ty: |$self:ident, $engine:ident, $point:ident| $found:expr) => {
        impl<E: Point64Engine + ?Sized> Question<E> for In64<$question> {
            type Item = DVec3;
            type Answer = $answer;

            /// Answers for one point. Options, masks and `accept` have no effect on points.
            fn ask(
                &self,
                $engine: &E,
                &$point: &DVec3,
                _: &QueryOptions<IdOf<E>>,
                _: Option<AcceptHit<'_, E>>,
            ) -> Result<$answer, QueryError> {
                let $self = &self.0;
                Ok($found)
            }

            fn is_one_by_one(&self) -> bool {
                true
            }
        }
    };
}

/// Implements a question with one answer for each point.
macro_rules! point_value_question_in_64 {
    ($question:ident => $answer:ty: |$self:ident, $engine:ident, $point:ident| $found:expr) => {
        point_question_in_64!($question => $answer: |$self, $engine, $point| $found);

        impl<E: Point64Engine + ?Sized> ValueQuestion<E> for In64<$question> {
            fn ask_many(
                &self,
                $engine: &E,
                many: &QuerySlice<'_, DVec3, IdOf<E>>,
                _: Option<AcceptHit<'_, E>>,
                answers: &mut [$answer],
            ) -> Result<TechniqueCounts, QuerySliceError> {
                let $self = &self.0;
                many.check_room(answers.len())?;
                answers.fill_with(Default::default);
                for_each_active(many, DVec3::is_finite, |place, $point| answers[place] = $found)
            }
        }
    };
}

/// Implements a question with a list of values for each point.
macro_rules! point_row_question_in_64 {
    ($question:ident => $value:ty: |$self:ident, $engine:ident, $point:ident| $found:expr) => {
        point_question_in_64!($question => Vec<$value>: |$self, $engine, $point| $found);

        impl<E: Point64Engine + ?Sized> RowQuestion<E> for In64<$question> {
            type Value = $value;

            fn ask_rows(
                &self,
                $engine: &E,
                many: &QuerySlice<'_, DVec3, IdOf<E>>,
                _: Option<AcceptHit<'_, E>>,
                emit: &mut dyn FnMut(usize, &[$value]),
            ) -> Result<TechniqueCounts, QuerySliceError> {
                let $self = &self.0;
                for_each_active(many, DVec3::is_finite, |place, $point| {
                    let found = $found;
                    if !found.is_empty() {
                        emit(place, &found);
                    }
                })
            }
        }
    };
}

point_value_question_in_64!(
    ClosestPointWithin => Option<SceneClosestPoint>: |question, engine, point| {
        engine.closest_point_within(point, question.0)
    }
);
point_value_question_in_64!(
    Distance => Option<f32>: |_question, engine, point| engine.distance(point)
);
point_value_question_in_64!(AnyWithin => bool: |question, engine, point| {
    engine.any_within(point, question.0)
});
point_row_question_in_64!(ClosestK => SceneClosestPoint: |question, engine, point| {
    engine.closest_points(point, question.0)
});
point_row_question_in_64!(Within => ScenePrim: |question, engine, point| {
    engine.within(point, question.0)
});
point_question_in_64!(Contains => Option<bool>: |_question, engine, point| engine.encloses_64(point));

impl<E: Point64Engine + ?Sized> ValueQuestion<E> for In64<Contains> {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, DVec3, IdOf<E>>,
        _: Option<AcceptHit<'_, E>>,
        answers: &mut [Option<bool>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        many.check_room(answers.len())?;
        answers.fill(None);
        // A point that is not finite has an answer, too: it is outside.
        for_each_active(
            many,
            |_| true,
            |place, point| answers[place] = engine.encloses_64(point),
        )
    }
}

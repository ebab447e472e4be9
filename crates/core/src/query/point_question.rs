//! Questions about what is near a point, each a type of its own.

use super::engine::IdOf;
use super::question::{AcceptHit, Question, RowQuestion, ValueQuestion};
use super::{
    PointEngine, PointQuery, QueryError, QueryOptions, QuerySlice, QuerySliceError, Technique,
    TechniqueCounts,
};
use crate::PrimId;
use crate::proximity::ClosestPoint;
use alloc::vec::Vec;
use glam::Vec3;

/// The question for the closest point whose exact distance is at most this, `f32::INFINITY` for any
/// distance; see [`PointQuery::closest_point_within`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPointWithin(pub f32);

/// The question for the distance from the triangles; see [`PointQuery::distance`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distance;

/// The question whether the exact distance of any triangle is at most this; see
/// [`PointQuery::any_within`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnyWithin(pub f32);

/// The question for the closest points of the `k` closest triangles; see
/// [`PointQuery::closest_points`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClosestK(pub usize);

/// The question for the triangles whose exact distance is at most this, by id; see
/// [`PointQuery::within`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within(pub f32);

impl Default for ClosestPointWithin {
    /// Returns the question for the closest point at any distance.
    fn default() -> Self {
        ClosestPointWithin(f32::INFINITY)
    }
}

/// Implements a question about one point.
macro_rules! point_question {
    ($question:ty => $answer:ty: |$self:ident, $engine:ident, $point:ident| $found:expr) => {
        impl<E: PointEngine + ?Sized> Question<E> for $question {
            type Item = Vec3;
            type Answer = $answer;

            /// Answers for one point. Options, masks and `accept` have no effect on points.
            fn ask(
                &self,
                $engine: &E,
                &$point: &Vec3,
                _: &QueryOptions<IdOf<E>>,
                _: Option<AcceptHit<'_, E>>,
            ) -> Result<$answer, QueryError> {
                let $self = self;
                Ok($found)
            }

            fn is_one_by_one(&self) -> bool {
                true
            }
        }
    };
}

/// Implements a question with one answer for each point.
macro_rules! point_value_question {
    ($question:ty => $answer:ty: |$self:ident, $engine:ident, $point:ident| $found:expr) => {
        point_question!($question => $answer: |$self, $engine, $point| $found);

        impl<E: PointEngine + ?Sized> ValueQuestion<E> for $question {
            fn ask_many(
                &self,
                $engine: &E,
                many: &QuerySlice<'_, Vec3, IdOf<E>>,
                _: Option<AcceptHit<'_, E>>,
                answers: &mut [$answer],
            ) -> Result<TechniqueCounts, QuerySliceError> {
                let $self = self;
                answer_each(many, answers, |$point| $found)
            }
        }
    };
}

/// Implements a question with a list of values for each point.
macro_rules! point_row_question {
    ($question:ty => $value:ty: |$self:ident, $engine:ident, $point:ident| $found:expr) => {
        point_question!($question => Vec<$value>: |$self, $engine, $point| $found);

        impl<E: PointEngine + ?Sized> RowQuestion<E> for $question {
            type Value = $value;

            fn ask_rows(
                &self,
                $engine: &E,
                many: &QuerySlice<'_, Vec3, IdOf<E>>,
                _: Option<AcceptHit<'_, E>>,
                emit: &mut dyn FnMut(usize, &[$value]),
            ) -> Result<TechniqueCounts, QuerySliceError> {
                let $self = self;
                for_each_active(many, Vec3::is_finite, |place, $point| {
                    let found = $found;
                    if !found.is_empty() {
                        emit(place, &found);
                    }
                })
            }
        }
    };
}

point_value_question!(ClosestPointWithin => Option<ClosestPoint>: |question, engine, point| {
    engine.closest_point_within(point, question.0)
});
point_value_question!(Distance => Option<f32>: |_question, engine, point| engine.distance(point));
point_value_question!(AnyWithin => bool: |question, engine, point| {
    engine.any_within(point, question.0)
});
point_row_question!(ClosestK => ClosestPoint: |question, engine, point| {
    engine.closest_points(point, question.0)
});
point_row_question!(Within => PrimId: |question, engine, point| engine.within(point, question.0));

/// Answers for many points, one after the other. Points that are inactive or not finite, which are
/// near nothing, are not counted.
pub(super) fn answer_each<A: Default, I>(
    many: &QuerySlice<'_, Vec3, I>,
    answers: &mut [A],
    answer: impl Fn(Vec3) -> A,
) -> Result<TechniqueCounts, QuerySliceError> {
    many.check_room(answers.len())?;
    answers.fill_with(A::default);
    for_each_active(many, Vec3::is_finite, |place, point| {
        answers[place] = answer(point);
    })
}

/// Calls `ask` with the index of each item that is active and defined, and the item, one after the
/// other. Returns their number.
pub(crate) fn for_each_active<T: Copy, I>(
    many: &QuerySlice<'_, T, I>,
    is_defined: impl Fn(T) -> bool,
    mut ask: impl FnMut(usize, T),
) -> Result<TechniqueCounts, QuerySliceError> {
    many.check()?;
    let mut asked = 0;
    for (place, &item) in many.items.iter().enumerate() {
        if many.is_active(place) && is_defined(item) {
            asked += 1;
            ask(place, item);
        }
    }
    Ok(TechniqueCounts::of(Technique::OneByOne, asked))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BruteForce, RayQuery, Triangle};

    #[test]
    fn many_points_have_the_answers_of_single_calls() {
        let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
        let engine = BruteForce::new([1.0, 5.0].map(sheet));
        let mut points: [Vec3; 6] = core::array::from_fn(|i| Vec3::new(1.0, 2.0, i as f32));
        points[3].y = f32::NAN;
        let active = [true, false, true, true, true, true];
        let many = QuerySlice::new(&points).active(&active);

        let some = engine.closest_point([9.0; 3]);
        let mut closest = [some; 6];
        let counts = engine.ask_many(ClosestPointWithin(1.0), &many, &mut closest);
        assert_eq!(counts, Ok(TechniqueCounts::of(Technique::OneByOne, 4)));
        let mut distances = [Some(-1.0); 6];
        engine.ask_many(Distance, &many, &mut distances).unwrap();
        let mut any = [true; 6];
        engine.ask_many(AnyWithin(0.5), &many, &mut any).unwrap();
        for (place, &point) in points.iter().enumerate() {
            let within = engine.closest_point_within(point, 1.0);
            let distance = engine.distance(point);
            let has_any = engine.any_within(point, 0.5);
            assert_eq!(engine.ask(ClosestPointWithin(1.0), &point), within);
            assert_eq!(engine.ask(Distance, &point), distance);
            assert_eq!(engine.ask(AnyWithin(0.5), &point), has_any);
            let is_active = active[place];
            assert_eq!(closest[place], within.filter(|_| is_active));
            assert_eq!(distances[place], distance.filter(|_| is_active));
            assert_eq!(any[place], is_active && has_any);
        }
        let flags: [bool; 6] = closest.map(|found| found.is_some());
        assert_eq!(flags, [true, false, true, false, true, true]);
        assert_eq!(
            distances,
            [1.0, f32::NAN, 1.0, f32::NAN, 1.0, 0.0].map(|d: f32| { (!d.is_nan()).then_some(d) })
        );
        let any_point = engine.ask(ClosestPointWithin::default(), &points[2]);
        assert_eq!(any_point, engine.closest_point(points[2]));

        let short = engine.ask_many(Distance, &many, &mut distances[..5]);
        assert!(matches!(
            short,
            Err(QuerySliceError::Length {
                rays: 6,
                found: 5,
                ..
            })
        ));
        let many = QuerySlice::new(&points).active(&active[..2]);
        let short = engine.ask_many(Distance, &many, &mut distances);
        assert!(matches!(
            short,
            Err(QuerySliceError::Length {
                rays: 6,
                found: 2,
                ..
            })
        ));
    }
}

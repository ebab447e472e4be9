//! Questions about what is near a point, each a type of its own.

use super::item_question::item_question;
use crate::collect::PointKind;
use crate::engine::{ClosestOf, LengthOf, NearEngine, NearIdOf};
use crate::exact::proximity::Length;
use crate::query::{PointQuery, RowQuestion, ValueQuestion};
use alloc::vec::Vec;

/// The question for the closest point whose exact distance is at most this, infinity for any distance;
/// see [`PointQuery::closest_point_within`]. Distances are of the type of the engine's: `f32`, or `f64`
/// for a `Bvh<f64>`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPointWithin<D = f32>(pub D);

/// The question for the distance from the triangles; see [`PointQuery::distance`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distance;

/// The question whether the exact distance of any triangle is at most this; see
/// [`PointQuery::any_within`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnyWithin<D = f32>(pub D);

/// The question for the closest points of the `k` closest triangles; see
/// [`PointQuery::closest_points`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClosestK(pub usize);

/// The question for the triangles whose exact distance is at most this, by id; see
/// [`PointQuery::within`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within<D = f32>(pub D);

impl<D: Length> Default for ClosestPointWithin<D> {
    /// Returns the question for the closest point at any distance.
    fn default() -> Self {
        ClosestPointWithin(D::INFINITY)
    }
}

item_question! { [V: PointKind, E: NearEngine<V>] V, ClosestPointWithin<LengthOf<E, V>> => Option<ClosestOf<E, V>>:
    |question, engine, point| engine.closest_point_within(*point, question.0);
}
item_question! { [V: PointKind, E: NearEngine<V>] V, Distance => Option<LengthOf<E, V>>:
    |_question, engine, point| engine.distance(*point);
}
item_question! { [V: PointKind, E: NearEngine<V>] V, AnyWithin<LengthOf<E, V>> => bool:
    |question, engine, point| engine.any_within(*point, question.0);
}
item_question! { [V: PointKind, E: NearEngine<V>] V, ClosestK => Vec<ClosestOf<E, V>>:
    |question, engine, point| engine.closest_points(*point, question.0);
}
item_question! { [V: PointKind, E: NearEngine<V>] V, Within<LengthOf<E, V>> => Vec<NearIdOf<E, V>>:
    |question, engine, point| engine.within(*point, question.0);
}

impl<V: PointKind, E: NearEngine<V> + ?Sized> ValueQuestion<E, V>
    for ClosestPointWithin<LengthOf<E, V>>
{
}
impl<V: PointKind, E: NearEngine<V> + ?Sized> ValueQuestion<E, V> for Distance {}
impl<V: PointKind, E: NearEngine<V> + ?Sized> ValueQuestion<E, V> for AnyWithin<LengthOf<E, V>> {}

impl<V: PointKind, E: NearEngine<V> + ?Sized> RowQuestion<E, V> for ClosestK {
    type Value = ClosestOf<E, V>;
}

impl<V: PointKind, E: NearEngine<V> + ?Sized> RowQuestion<E, V> for Within<LengthOf<E, V>> {
    type Value = NearIdOf<E, V>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{BruteForce, QuerySlice, QuerySliceError, Technique, TechniqueCounts};
    use crate::query::RayQuery;
    use crate::shapes::Triangle;
    use glam::Vec3;

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

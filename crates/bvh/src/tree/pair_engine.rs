//! The nearest triangles of two meshes.

use super::Bvh;
use crate::traverse::pair_space::{OwnSpace, PairSpace};
use crate::traverse::pair_walk::nearest_pair;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    CancelToken, ClosestPoint, Coordinate, NearestPair, PairEngine, PointQuery, Triangle,
    Triangle64,
};

/// The triangles of a mesh from which on it pays to begin with near points.
const FEW: usize = 64;

/// Returns an upper bound of the squared distance of two meshes and about the direction from the second to
/// the first, by the point of each that is closest to that of the other, again and again.
///
/// Each point is rounded once, by at most half a step of its coordinates, and so is its distance: 4 steps of both are
/// granted.
fn near_points<C: Coordinate>(
    sides: [&Bvh<C>; 2],
    mut at: C::Point,
    closest: impl Fn(&Bvh<C>, C::Point) -> Option<ClosestPoint<C>>,
) -> Option<(f64, DVec3)> {
    let step = match size_of::<C>() == size_of::<f32>() {
        true => f32::EPSILON.into(),
        false => f64::EPSILON,
    };
    let mut least: Option<(f64, DVec3)> = None;
    for _ in 0..8 {
        let there = closest(sides[1], at)?;
        let here = closest(sides[0], there.point)?;
        let gap = C::wide(here.point) - C::wide(there.point);
        let reach = C::wide(there.point).abs().max_element();
        let distance: f64 = here.distance.into();
        let high = distance + 4.0 * step * (distance + reach) + f64::from(f32::MIN_POSITIVE);
        if least.is_some_and(|(least, _)| high * high >= least) {
            break;
        }
        least = Some((high * high, gap));
        at = here.point;
    }
    least
}

impl<C: Coordinate> Bvh<C> {
    /// Finds the nearest triangles of two meshes; `at` is about the middle of the first, and `closest` finds the closest
    /// point of a mesh.
    fn nearest_of<S: PairSpace>(
        sides: [(&Self, &S); 2],
        mut nearest: NearestPair<S::Measured>,
        at: C::Point,
        closest: impl Fn(&Self, C::Point) -> Option<ClosestPoint<C>>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<S::Measured>> {
        let [own, other] = sides.map(|(bvh, _)| bvh);
        let near = own.triangle_count().min(other.triangle_count()) > FEW;
        let near = near
            .then(|| near_points([own, other], at, closest))
            .flatten();
        if let Some((high, _)) = near {
            nearest.lower_limit(high);
        }
        let direction = near.map(|(_, direction)| direction);
        let sides = sides.map(|(bvh, space)| (&bvh.tree, space));
        nearest_pair(own.token, sides, nearest, direction, cancel)
    }
}

impl PairEngine for Bvh {
    type Measured = Triangle;

    fn nearest_pair(
        &self,
        other: &Self,
        nearest: NearestPair<Triangle>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<Triangle>> {
        let [min, max] = self.tree.bounds().map(Vec3::from);
        let (at, closest) = (0.5 * min + 0.5 * max, PointQuery::closest_point);
        Bvh::nearest_of(
            [(self, &OwnSpace), (other, &OwnSpace)],
            nearest,
            at,
            closest,
            cancel,
        )
    }
}

impl PairEngine for Bvh<f64> {
    type Measured = Triangle64;

    fn nearest_pair(
        &self,
        other: &Self,
        nearest: NearestPair<Triangle64>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<Triangle64>> {
        let [min, max] = self.bounds();
        let (at, closest) = (0.5 * min + 0.5 * max, PointQuery::closest_point);
        Bvh::nearest_of(
            [(self, &self.wide), (other, &other.wide)],
            nearest,
            at,
            closest,
            cancel,
        )
    }
}

//! The triangles near a point: exact distances, and bounds of them.

use super::closest::{Closest, feature};
use super::meet::Plate;
use super::number::{SCALE, Vector, integer, nearest_by_order, nearest_f32, nearest_f64};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{ClosestPoint, Feature, PrimId, Triangle};
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

/// The point of a triangle that is closest to a given point.
pub(super) struct Near<I = PrimId> {
    prim: I,
    /// Coordinates are in units of `2^-unit`.
    unit: usize,
    closest: Closest,
}

impl<I: Copy + Ord> Near<I> {
    /// Returns the closest point of a triangle; `None` if it has no area. Coordinates are in units of
    /// `2^-unit`.
    pub(super) fn in_units(unit: usize, prim: I, plate: &Plate, point: &Vector) -> Option<Self> {
        let [p1, p2] = [&plate.e1, &plate.e2].map(|edge| plate.p0.plus(edge));
        plate.has_area().then(|| Near {
            prim,
            unit,
            closest: Closest::of(&[plate.p0.clone(), p1, p2], point),
        })
    }

    /// Compares by exact distance, then by id.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let order = self.closest.square.cmp(&other.closest.square);
        order.then(self.prim.cmp(&other.prim))
    }

    /// Returns whether the exact distance is at most a radius, which is not NaN.
    pub(super) fn is_within(&self, radius: f32) -> bool {
        if radius.is_infinite() {
            return radius > 0.0;
        }
        let radius = integer(radius) << (self.unit - SCALE);
        let square = &self.closest.square;
        !radius.is_negative() && square.num <= &radius * &radius * &square.den
    }

    pub(super) fn prim(&self) -> I {
        self.prim
    }

    /// Returns the distance, rounded once.
    pub(super) fn distance(&self) -> f32 {
        let square = &self.closest.square;
        nearest_by_order(|twice| {
            let twice = twice << (self.unit - SCALE);
            (&square.num * 4u32).cmp(&(&twice * &twice * &square.den))
        })
    }

    /// Returns `u` and `v`, each rounded once.
    pub(super) fn weights(&self) -> [f32; 2] {
        let [_, u, v] = &self.closest.weights;
        [u, v].map(|weight| nearest_f32(weight, &self.closest.den))
    }

    pub(super) fn feature(&self) -> Feature {
        let weights = self.closest.weights.each_ref();
        feature(weights.map(|weight| !weight.is_zero()))
    }

    /// Returns the closest point, each coordinate the nearest `f64`.
    pub(super) fn wide_point(&self) -> DVec3 {
        let den = &self.closest.den << self.unit;
        let point = self.closest.point.0.each_ref();
        DVec3::from(point.map(|x| nearest_f64(x, &den)))
    }
}

impl Near {
    /// Returns the closest point of a triangle; `None` if it has no area.
    pub(super) fn of(prim: PrimId, plate: &Plate, point: Vec3) -> Option<Near> {
        Near::in_units(SCALE, prim, plate, &Vector::new(point))
    }

    /// Returns the answer, each number rounded once.
    pub(super) fn rounded(&self) -> ClosestPoint {
        let den = &self.closest.den << SCALE;
        let point = self.closest.point.0.each_ref();
        let [u, v] = self.weights();
        ClosestPoint {
            distance: self.distance(),
            prim: self.prim,
            u,
            v,
            point: Vec3::from_array(point.map(|x| nearest_f32(x, &den))),
            feature: self.feature(),
        }
    }
}

/// Bounds of a triangle's squared distance from a point, in `f64`, with a large margin.
#[derive(Clone, Copy)]
pub(super) struct Rough {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Rough {
    /// The distances of the triangle's box, and of its nearest corner.
    pub(super) fn of(triangle: &Triangle, point: Vec3) -> Rough {
        const MARGIN: f64 = 1e-9;
        let wide = |p: Vec3| p.to_array().map(f64::from);
        let point = wide(point);
        let corners = triangle.corners().map(wide);
        let square = |gap: [f64; 3]| gap.iter().map(|x| x * x).sum::<f64>();
        let low = square(std::array::from_fn(|axis| {
            let along = corners.map(|corner| corner[axis]);
            let least = along.into_iter().fold(f64::INFINITY, f64::min);
            let most = along.into_iter().fold(f64::NEG_INFINITY, f64::max);
            (least - point[axis]).max(point[axis] - most).max(0.0)
        }));
        let gaps = corners.map(|corner| square(std::array::from_fn(|i| corner[i] - point[i])));
        let high = gaps.into_iter().fold(f64::INFINITY, f64::min);
        Rough {
            low: low * (1.0 - MARGIN),
            high: high * (1.0 + MARGIN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(corners: [[f32; 3]; 3], point: [f32; 3]) -> Option<ClosestPoint> {
        let [a, b, c] = corners;
        let plate = Plate::new(&Triangle::new(a, b, c)).unwrap();
        let prim = PrimId::from_index(0).unwrap();
        Some(Near::of(prim, &plate, point.into())?.rounded())
    }

    #[test]
    fn closest_points_of_one_triangle_are_known() {
        let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        for (point, distance, closest, feature) in [
            ([1.0, 2.0, 3.0], 3.0, [1.0, 2.0, 0.0], Feature::Face),
            ([-3.0, -4.0, 0.0], 5.0, [0.0; 3], Feature::Vertex(0)),
            ([7.0, 0.0, 4.0], 5.0, [4.0, 0.0, 0.0], Feature::Vertex(1)),
            ([0.0, 7.0, 4.0], 5.0, [0.0, 4.0, 0.0], Feature::Vertex(2)),
            ([1.0, -3.0, 4.0], 5.0, [1.0, 0.0, 0.0], Feature::Edge(0)),
            (
                [5.0, 5.0, 0.0],
                18f32.sqrt(),
                [2.0, 2.0, 0.0],
                Feature::Edge(1),
            ),
            ([-3.0, 1.0, 4.0], 5.0, [0.0, 1.0, 0.0], Feature::Edge(2)),
            ([2.0, 2.0, 0.0], 0.0, [2.0, 2.0, 0.0], Feature::Edge(1)),
        ] {
            let found = near(corners, point).unwrap();
            // The weights are the first two coordinates in units of the edges.
            let weights = [found.u, found.v].map(|weight| 4.0 * weight);
            assert_eq!(
                (found.distance, weights),
                (distance, [closest[0], closest[1]]),
                "{point:?}"
            );
            assert_eq!((found.point.to_array(), found.feature), (closest, feature));
        }
        assert_eq!(near([[1.0; 3], [2.0; 3], [3.0; 3]], [0.0; 3]), None);
        let most = f32::MAX;
        let far = near(
            [[-most; 3], [-most, 0.0, 0.0], [-most, -1.0, 0.0]],
            [most; 3],
        )
        .unwrap();
        assert_eq!(far.distance, f32::INFINITY);
    }
}

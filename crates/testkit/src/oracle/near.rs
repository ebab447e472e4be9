//! The points of triangles that are closest to a given point, as explicit rational points.
//!
//! With `s = point - p0`, the foot of the perpendicular on the plane is `p0 + u e1 + v e2` where
//! `(u, v)` solves the normal equations
//!
//! `e1.e1 u + e1.e2 v = e1.s`, `e1.e2 u + e2.e2 v = e2.s`.
//!
//! Inside the triangle it is the closest point. Otherwise the closest point is the nearest of those
//! of the three edges, whose parameters are clamped to 0 ..= 1.

use super::meet::Plate;
use super::number::{Fraction, SCALE, Vector, integer, nearest_f32, nearest_f64};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{ClosestPoint, Feature, PrimId, Triangle};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// The point of a triangle that is closest to a given point.
pub(super) struct Near<I = PrimId> {
    prim: I,
    /// Coordinates are in units of `2^-unit`.
    unit: usize,
    /// The squared distance, in squared units.
    square: Fraction,
    /// `u`, `v` and the coordinates, times `den`.
    u: BigInt,
    v: BigInt,
    point: Vector,
    den: BigInt,
    feature: Feature,
}

impl<I: Copy + Ord> Near<I> {
    /// Returns the closest point of a triangle; `None` if it has no area. Coordinates are in units of
    /// `2^-unit`.
    pub(super) fn in_units(unit: usize, prim: I, plate: &Plate, point: &Vector) -> Option<Self> {
        if !plate.has_area() {
            return None;
        }
        let (e1, e2) = (&plate.e1, &plate.e2);
        let s = point.minus(&plate.p0);
        let (a, b, c) = (e1.dot(e1), e1.dot(e2), e2.dot(e2));
        let (f, g) = (e1.dot(&s), e2.dot(&s));
        let den = &a * &c - &b * &b;
        let (u, v) = (&f * &c - &g * &b, &g * &a - &f * &b);
        let near = |(u, v): (BigInt, BigInt), den: BigInt, feature| {
            let along = times(e1, &u).plus(&times(e2, &v));
            let foot = times(&plate.p0, &den).plus(&along);
            let gap = foot.minus(&times(point, &den));
            let square = Fraction {
                num: gap.dot(&gap),
                den: &den * &den,
            };
            Near {
                prim,
                unit,
                square,
                u,
                v,
                point: foot,
                den,
                feature,
            }
        };
        if u.is_positive() && v.is_positive() && &u + &v < den {
            return Some(near((u, v), den, Feature::Face));
        }
        let zero = BigInt::zero;
        let third = e2.minus(e1);
        let edges = [
            // The edge, the vector from its start to the point, and (u, v) from its parameter.
            (e1, s.clone()),
            (&third, s.minus(e1)),
            (e2, s.clone()),
        ];
        let of_edge = |(place, (edge, from)): (usize, (&Vector, Vector))| {
            let whole = edge.dot(edge);
            let t = edge.dot(&from).clamp(zero(), whole.clone());
            // Edge 2 is taken from p0 to p2.
            let ends = [[0, 1], [1, 2], [0, 2]][place];
            let feature = if t.is_zero() {
                Feature::Vertex(ends[0])
            } else if t == whole {
                Feature::Vertex(ends[1])
            } else {
                Feature::Edge(place as u8)
            };
            let weights = match place {
                0 => (t, zero()),
                1 => (&whole - &t, t),
                _ => (zero(), t),
            };
            near(weights, whole, feature)
        };
        let nearest = edges.into_iter().enumerate().map(of_edge);
        nearest.min_by(|a, b| a.square.cmp(&b.square))
    }

    /// Compares by exact distance, then by id.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        self.square
            .cmp(&other.square)
            .then(self.prim.cmp(&other.prim))
    }

    /// Returns whether the exact distance is at most a radius, which is not NaN.
    pub(super) fn is_within(&self, radius: f32) -> bool {
        if radius.is_infinite() {
            return radius > 0.0;
        }
        let radius = integer(radius) << (self.unit - SCALE);
        !radius.is_negative() && self.square.num <= &radius * &radius * &self.square.den
    }

    pub(super) fn prim(&self) -> I {
        self.prim
    }

    /// Returns the distance, rounded once.
    pub(super) fn distance(&self) -> f32 {
        nearest_root(&self.square, self.unit)
    }

    /// Returns `u` and `v`, each rounded once.
    pub(super) fn weights(&self) -> [f32; 2] {
        [&self.u, &self.v].map(|weight| nearest_f32(weight, &self.den))
    }

    pub(super) fn feature(&self) -> Feature {
        self.feature
    }

    /// Returns the closest point, each coordinate the nearest `f64`.
    pub(super) fn wide_point(&self) -> DVec3 {
        let den = &self.den << self.unit;
        DVec3::from([0, 1, 2].map(|axis| nearest_f64(&self.point.0[axis], &den)))
    }
}

impl Near {
    /// Returns the closest point of a triangle; `None` if it has no area.
    pub(super) fn of(prim: PrimId, plate: &Plate, point: Vec3) -> Option<Near> {
        Near::in_units(SCALE, prim, plate, &Vector::new(point))
    }

    /// Returns the answer, each number rounded once.
    pub(super) fn rounded(&self) -> ClosestPoint {
        let den = &self.den << SCALE;
        let [u, v] = self.weights();
        ClosestPoint {
            distance: self.distance(),
            prim: self.prim,
            u,
            v,
            point: Vec3::from_array([0, 1, 2].map(|axis| nearest_f32(&self.point.0[axis], &den))),
            feature: self.feature,
        }
    }
}

fn times(v: &Vector, k: &BigInt) -> Vector {
    Vector(std::array::from_fn(|i| &v.0[i] * k))
}

/// Returns the `f32` nearest to the root of a square in units of `2^-unit` squared, ties to even: the
/// first whose upper neighbour is not nearer, found by halving.
fn nearest_root(square: &Fraction, unit: usize) -> f32 {
    // Twice the middle between `x` and its upper neighbour, which is 2^128 for the greatest.
    let twice_middle = |x: f32| {
        let above = match x == f32::MAX {
            true => BigInt::one() << (SCALE + 128),
            false => integer(x.next_up()),
        };
        (integer(x) + above) << (unit - SCALE)
    };
    let is_beyond = |bits: u32| {
        let x = f32::from_bits(bits);
        let middle = twice_middle(x);
        let order = (&square.num * 4u32).cmp(&(&middle * &middle * &square.den));
        order == Ordering::Greater || (order == Ordering::Equal && bits & 1 == 1)
    };
    let infinity = f32::INFINITY.to_bits();
    let (mut low, mut high) = (0, infinity);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_beyond(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    f32::from_bits(low)
}

/// Bounds of a triangle's squared distance from a point, in `f64`, with much room.
#[derive(Clone, Copy)]
pub(super) struct Rough {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Rough {
    /// The distances of the triangle's box, and of its nearest corner.
    pub(super) fn of(triangle: &Triangle, point: Vec3) -> Rough {
        const ROOM: f64 = 1e-9;
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
            low: low * (1.0 - ROOM),
            high: high * (1.0 + ROOM),
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
        let cases = [
            (
                [1.0, 2.0, 3.0],
                3.0,
                [0.25, 0.5],
                [1.0, 2.0, 0.0],
                Feature::Face,
            ),
            (
                [-3.0, -4.0, 0.0],
                5.0,
                [0.0; 2],
                [0.0; 3],
                Feature::Vertex(0),
            ),
            (
                [7.0, 0.0, 4.0],
                5.0,
                [1.0, 0.0],
                [4.0, 0.0, 0.0],
                Feature::Vertex(1),
            ),
            (
                [0.0, 7.0, 4.0],
                5.0,
                [0.0, 1.0],
                [0.0, 4.0, 0.0],
                Feature::Vertex(2),
            ),
            (
                [1.0, -3.0, 4.0],
                5.0,
                [0.25, 0.0],
                [1.0, 0.0, 0.0],
                Feature::Edge(0),
            ),
            (
                [5.0, 5.0, 0.0],
                18f32.sqrt(),
                [0.5, 0.5],
                [2.0, 2.0, 0.0],
                Feature::Edge(1),
            ),
            (
                [-3.0, 1.0, 4.0],
                5.0,
                [0.0, 0.25],
                [0.0, 1.0, 0.0],
                Feature::Edge(2),
            ),
            (
                [2.0, 2.0, 0.0],
                0.0,
                [0.5, 0.5],
                [2.0, 2.0, 0.0],
                Feature::Edge(1),
            ),
        ];
        for (point, distance, [u, v], closest, feature) in cases {
            let found = near(corners, point).unwrap();
            assert_eq!(
                (found.distance, found.u, found.v),
                (distance, u, v),
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

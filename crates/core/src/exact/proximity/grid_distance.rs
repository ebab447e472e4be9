//! Distances from triangles in integers of 128 bits.
//!
//! For points and triangles on a coarse grid, where signs of zero are frequent: if all coordinates
//! are integers of at most 29 bits times a common power of two, differences have 30 bits, cross
//! products 61, and dot products of two of these 124.

use super::Feature;
use super::triangle_distance::find_feature;
use crate::arithmetic::{
    BitSpan, Dyadic, Interval, Ratio,
    vector::{cross, dot, minus},
};
use crate::shapes::Triangle;
use glam::Vec3;

/// The bits of coordinates that fit.
const BITS: i32 = 29;

/// The exact square of a distance and the part of the triangle that it belongs to.
pub(super) struct GridDistance {
    pub(super) feature: Feature,
    /// The numerator is the square of this number where the feature is the face.
    num: i128,
    den: i128,
    exponent: i32,
}

impl GridDistance {
    /// Returns `None` if the numbers do not fit, `Some(None)` if the triangle has no area. The point
    /// and the triangle must be finite.
    pub(super) fn of(point: Vec3, triangle: &Triangle) -> Option<Option<Self>> {
        let [a, b, c] = triangle.corners();
        let mut span = BitSpan::new();
        for p in [point, a, b, c] {
            span.take(p);
        }
        let to_grid = span.scale(BITS)?;
        let [point, a, b, c] = [point, a, b, c].map(|p| {
            p.to_array()
                .map(|x| (f64::from(x) * to_grid) as i64 as i128)
        });
        let corners = [minus(a, point), minus(b, point), minus(c, point)];
        let edges = [minus(b, a), minus(c, b), minus(a, c)];
        let normal = cross(edges[0], edges[1]);
        if normal == [0; 3] {
            return Some(None);
        }
        let moment = |i: usize| cross(corners[i], edges[i]);
        let sign = |x: i128| Some(x.signum() as i32);
        let feature = find_feature(
            [0, 1, 2].map(|i| sign(dot(corners[i], edges[i]))),
            [0, 1, 2].map(|i| sign(dot(corners[(i + 1) % 3], edges[i]))),
            |i| sign(dot(normal, moment(i))),
        )?;
        let (num, den) = match feature {
            Feature::Vertex(i) => {
                let corner = corners[usize::from(i)];
                (dot(corner, corner), 1)
            }
            Feature::Edge(i) => {
                let (moment, edge) = (moment(i.into()), edges[usize::from(i)]);
                (dot(moment, moment), dot(edge, edge))
            }
            Feature::Face => (dot(normal, corners[0]), dot(normal, normal)),
        };
        Some(Some(GridDistance {
            feature,
            num,
            den,
            exponent: 2 * span.low,
        }))
    }

    /// Returns the squared distance.
    pub(super) fn square(&self) -> Ratio {
        let num = match self.feature {
            Feature::Face => Dyadic::from_i128(self.num, self.exponent / 2).square(),
            Feature::Vertex(_) | Feature::Edge(_) => Dyadic::from_i128(self.num, self.exponent),
        };
        Ratio::new(num, Dyadic::from_i128(self.den, 0))
    }

    /// Returns an interval around the squared distance.
    ///
    /// Both numbers are rounded once, and so are a square, the quotient and an end: 8 * 2^-53 are
    /// more. The unit is a power of two between 2^-298 and 2^254, so a square that is not zero is
    /// at least 2^-298-124.
    pub(super) fn square_interval(&self) -> Interval {
        let num = self.num as f64;
        let num = match self.feature {
            Feature::Face => num * num,
            Feature::Vertex(_) | Feature::Edge(_) => num,
        };
        let unit = f64::from_bits(((1023 + self.exponent) as u64) << 52);
        let value = num / self.den as f64 * unit;
        let error = value * (4.0 * f64::EPSILON);
        (value - error, value + error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;
    use crate::exact::proximity::ExactDistance;
    use core::cmp::Ordering;

    /// What fits is what integers of any length make of it, also at the greatest sizes.
    #[test]
    fn both_kinds_of_integers_agree() {
        let mut numbers = Numbers(0xda94_2042_e4dd_58b5);
        let (mut fitted, mut flat) = (0, 0);
        for round in 0..60_000 {
            let coarse = |numbers: &mut Numbers| match round % 4 {
                0 => numbers.float(1) as f32,
                1 => (numbers.float(1) * 4.0) as f32 * f32::from_bits(1),
                // Below 2^29, or below 2^4.
                2 if numbers.next() >> 63 == 0 => (numbers.next() >> 40) as f32 * 32.0,
                2 => (numbers.next() >> 60) as f32,
                _ => numbers.float(0) as f32,
            };
            let mut vector = || Vec3::from_array([(); 3].map(|()| coarse(&mut numbers)));
            let [p, a, b, mut c] = [vector(), vector(), vector(), vector()];
            if round % 16 == 0 {
                c = b + (b - a);
            }
            let triangle = Triangle::new(a, b, c);
            let exact = ExactDistance::of(p, &triangle);
            let Some(found) = GridDistance::of(p, &triangle) else {
                continue;
            };
            fitted += 1;
            let (Some(exact), Some(found)) = (&exact, &found) else {
                assert!(exact.is_none() && found.is_none(), "{p:?} {triangle:?}");
                flat += 1;
                continue;
            };
            assert_eq!(found.feature, exact.feature(), "{p:?} {triangle:?}");
            let square = found.square();
            assert_eq!(square.cmp(&exact.square()), Ordering::Equal);
            let (low, high) = found.square_interval();
            assert_ne!(square.cmp_f64(low), Ordering::Less, "{p:?} {triangle:?}");
            assert_ne!(
                square.cmp_f64(high),
                Ordering::Greater,
                "{p:?} {triangle:?}"
            );
        }
        println!("{fitted} fitted, {flat} without area");
        assert!(
            (40_000..50_000).contains(&fitted) && flat > 2_000,
            "{fitted} {flat}"
        );
    }
}

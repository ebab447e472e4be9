//! The solid angle of a triangle, in `f64` with a bound.
//!
//! With the corners a, b and c relative to the point, half the solid angle is the angle of the
//! vector `(den, num)` (van Oosterom and Strackee 1983, "The solid angle of a plane triangle"):
//!
//! `num = a . (b x c)`, `den = |a| |b| |c| + (a . b) |c| + (b . c) |a| + (c . a) |b|`.
//!
//! # Bound
//! Let v = 2^-53. The components of a, b and c are rounded once. A length has an error of 4v: three
//! in a square, two in the sums, half of these in the root, and one of the root. So a product of
//! three has 14v. A dot product has five, of the product of the lengths at most, and its product
//! with a length five more. With three sums of at most four terms each, den is off by less than 64v
//! of `|a| |b| |c|`. The bound of num is that of triple products.
//!
//! A vector of the length h that is off by at most `e < h/2` has an angle that is off by at most
//! `asin(e/h) < 1.05 e/h`. Where the vector may be zero, the angle is off by no more than pi, if
//! only the sign of num is right; and where den may be negative, a wrong sign would make the angle
//! jump. There it is decided exactly.
//!
//! If the lengths of a, b and c are from 2^-160 to 2^160, nothing overflows, and what underflows is small: a component
//! or a product of two loses at most 2^-1074. num multiplies that by at most 2^320, so it loses less than `LOST`; the
//! bound of den is at least 2^-527, which is far more. Other vectors are first multiplied by powers of two, each by its
//! own, which does not change their directions.

use crate::arithmetic::{
    Bounded, V, V3, exact_minus, exact_triple, minus, power_of_two, sqrt, triple, vector::dot,
};
use core::f64::consts::{PI, TAU};
use core::ops::RangeInclusive;

/// Lengths whose products of six are numbers of full precision.
pub(super) const USUAL: RangeInclusive<f64> = power_of_two(-160)..=power_of_two(160);

/// More than the triple product of usual vectors loses where its terms underflow.
const LOST: f64 = power_of_two(-700);

/// Returns the solid angle of a finite triangle seen from a finite point, divided by 4 pi: positive
/// where the point is behind the triangle, and 0 where it is in its plane.
pub(super) fn share_of_sphere(point: V3, corners: [V3; 3]) -> Bounded {
    let usual = |vectors: [V3; 3]| {
        let lengths = vectors.map(|x| sqrt(dot(x, x)));
        let are_usual = lengths.iter().all(|length| USUAL.contains(length));
        are_usual.then_some((vectors, lengths))
    };
    let seen = corners.map(|corner| minus(corner, point));
    let scaled = || corners.map(|corner| direction(corner, point));
    let Some(([a, b, c], [la, lb, lc])) = usual(seen).or_else(|| usual(scaled())) else {
        // The point is a corner.
        return Bounded::exact(0.0);
    };
    let mut num = triple(a, b, c);
    let product = la * lb * lc;
    let den = product + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    let den_error = 64.0 * V * product;
    let off = num.error + LOST;
    if num.value.abs() <= off && den <= den_error {
        // A number of the right sign, from which no other is farther.
        num = match exact_sign(point, corners) {
            0 => return Bounded::exact(0.0),
            sign => Bounded {
                value: off * f64::from(sign),
                error: off,
            },
        };
    }
    let length = sqrt(num.value * num.value + den * den);
    let off = num.error + den_error;
    let angle_error = match length > 2.0 * off {
        true => 1.1 * off / length,
        false => PI,
    };
    Bounded {
        value: libm::atan2(num.value, den) / TAU,
        // The arc tangent is off by an ulp, 4v for angles above 2, and 2 pi and the quotient by v
        // each, relative to at most pi.
        error: (angle_error + 16.0 * V) / TAU * (1.0 + 8.0 * V),
    }
}

/// Returns a vector from the point to the corner, of a usual length; zero where they are the same.
#[cold]
fn direction(corner: V3, point: V3) -> V3 {
    let mut vector = minus(corner, point);
    if !vector.iter().all(|x| x.is_finite()) {
        // Beside a number beyond `f64`, what halves lose by underflow is nothing.
        vector = minus(corner.map(|x| 0.5 * x), point.map(|x| 0.5 * x));
    }
    let largest = |vector: V3| vector.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    while (f64::from_bits(1)..power_of_two(-150)).contains(&largest(vector)) {
        vector = vector.map(|x| x * power_of_two(200));
    }
    while largest(vector) > power_of_two(150) {
        vector = vector.map(|x| x * power_of_two(-200));
    }
    vector
}

/// Returns the sign of num.
#[cold]
fn exact_sign(point: V3, corners: [V3; 3]) -> i32 {
    let [a, b, c] = corners.map(|corner| exact_minus(corner, point));
    exact_triple(&a, &b, &c).sign()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Numbers, usual_or_long};

    /// From the origin, corners at the ends of vectors of any lengths are seen in the same directions.
    #[test]
    fn lengths_of_all_exponents_have_the_share_of_usual_ones() {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        for round in 0..usual_or_long(20_000, 2_000_000) {
            let flat = [1.0, 0.0, 1e-9][round % 3];
            let corners = [(); 3].map(|()| {
                let [x, y, z] = [numbers.float(4), numbers.float(4), numbers.float(4)];
                [x, y, z * flat]
            });
            let usual = share_of_sphere([0.0; 3], corners);
            let scaled = corners.map(|corner| {
                let power = (numbers.next() >> 53) as i32 - 1000;
                corner.map(|x| x * power_of_two(power.min(1000)))
            });
            let share = share_of_sphere([0.0; 3], scaled);
            let off = (share.value - usual.value).abs();
            assert!(off <= share.error + usual.error, "{corners:?} {scaled:?}");
            assert!(share.error <= 4.0 * usual.error, "{corners:?} {scaled:?}");
        }
    }

    #[test]
    fn corners_whose_differences_are_beyond_numbers_have_a_share() {
        // An octant, from its corner.
        let huge = 1.7e308;
        let octant = |point: V3, size: f64| {
            let at = |axis: usize| {
                let mut corner = point;
                corner[axis] += size;
                corner
            };
            [at(0), at(1), at(2)]
        };
        for (point, size) in [
            ([-huge; 3], huge),
            ([0.0; 3], f64::from_bits(1)),
            ([0.0; 3], huge),
            ([1e-310; 3], 1e-320),
        ] {
            let share = share_of_sphere(point, octant(point, size));
            assert!((share.value - 0.125).abs() <= share.error, "{share:?}");
            assert!(share.error < 1e-14);
        }
        let apart = [
            [huge, -huge, -huge],
            [-huge, huge, -huge],
            [-huge, -huge, huge],
        ];
        let share = share_of_sphere([-huge; 3], apart);
        assert!((share.value - 0.125).abs() <= share.error && share.error < 1e-14);
        let corner = apart[0];
        assert_eq!(share_of_sphere(corner, apart).value, 0.0);
    }
}

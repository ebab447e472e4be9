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

use crate::arithmetic::{
    Bounded, V, V3, exact_minus, exact_triple, minus, sqrt, triple, vector::dot, widen,
};
use crate::shapes::Triangle;
use core::f64::consts::{PI, TAU};

/// Returns the solid angle of a finite triangle seen from a finite point, divided by 4 pi: positive
/// where the point is behind the triangle, and 0 where it is in its plane.
pub(super) fn share_of_sphere(point: V3, triangle: &Triangle) -> Bounded {
    let corners = triangle.corners().map(widen);
    let [a, b, c] = corners.map(|corner| minus(corner, point));
    let mut num = triple(a, b, c);
    let [la, lb, lc] = [a, b, c].map(|x| sqrt(dot(x, x)));
    let product = la * lb * lc;
    let den = product + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    let den_error = 64.0 * V * product;
    if num.value.abs() <= num.error && den <= den_error {
        match exact_num(point, corners) {
            None => return Bounded::exact(0.0),
            Some(exact) => num = exact,
        }
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

/// Returns `a . (b x c)`, rounded once or twice; `None` for 0.
#[cold]
fn exact_num(point: V3, corners: [V3; 3]) -> Option<Bounded> {
    let [a, b, c] = corners;
    let [a, b, c] = [
        exact_minus(a, point),
        exact_minus(b, point),
        exact_minus(c, point),
    ];
    let exact = exact_triple(&a, &b, &c);
    let value = exact.estimate();
    let error = value.abs() * (8.0 * V);
    (exact.sign() != 0).then_some(Bounded { value, error })
}

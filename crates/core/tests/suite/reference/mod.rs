//! Exact integer arithmetic for checking shapes, written independently of the library's own exact
//! arithmetic.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// Numbers are stored as multiples of 2^-`SCALE`: `f32`s and the midpoints between them are then
/// integers.
pub(crate) const SCALE: usize = 150;

/// Returns `x * 2^SCALE`; infinity stands for the 2^128 that follows the largest `f32`.
pub(crate) fn big(x: f32) -> BigInt {
    if x.is_infinite() {
        let size = BigInt::one() << (128 + SCALE);
        return if x > 0.0 { size } else { -size };
    }
    let bits = x.to_bits();
    let (exponent, fraction) = (bits >> 23 & 0xff, bits & 0x7f_ffff);
    let size = match exponent {
        0 => BigInt::from(fraction) << 1,
        _ => BigInt::from(fraction | 0x80_0000) << exponent,
    };
    if x.is_sign_negative() { -size } else { size }
}

pub(crate) type V = [BigInt; 3];

pub(crate) fn vector(v: impl Into<[f32; 3]>) -> V {
    v.into().map(big)
}

pub(crate) fn minus(a: &V, b: &V) -> V {
    std::array::from_fn(|i| &a[i] - &b[i])
}

pub(crate) fn dot(a: &V, b: &V) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub(crate) fn cross(a: &V, b: &V) -> V {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| &a[j] * &b[k] - &a[k] * &b[j])
}

/// Returns whether `found` is this vector divided by its length, each coordinate rounded to
/// nearest.
pub(crate) fn is_unit(found: impl Into<[f32; 3]>, exact: &V) -> bool {
    let square = dot(exact, exact);
    let mut pairs = found.into().into_iter().zip(exact);
    pairs.all(|(found, component)| {
        // component / sqrt(square) against bound / 2^SCALE
        let component = component << SCALE;
        is_nearest(found, |bound| {
            let sign = if bound.is_negative() { -1 } else { 1 };
            order_root(&component, sign, &(bound * bound * &square))
        })
    })
}

/// Returns whether `found` is the `f32` nearest to a number, ties to even and zero positive.
/// `order` compares the number with an integer times 2^-`SCALE`.
pub(crate) fn is_nearest(found: f32, order: impl Fn(&BigInt) -> Ordering) -> bool {
    if found.is_nan() || found.to_bits() == (-0.0f32).to_bits() {
        return false;
    }
    let even = found.to_bits() & 1 == 0;
    let halfway = |other: f32| (big(found) + big(other)) / 2;
    let inside = |order: Ordering, way| order == way || (even && order == Ordering::Equal);
    (found == f32::NEG_INFINITY || inside(order(&halfway(found.next_down())), Ordering::Greater))
        && (found == f32::INFINITY || inside(order(&halfway(found.next_up())), Ordering::Less))
}

/// Compares with a bound that may be infinite.
pub(crate) fn order_f32(bound: f32, order: impl Fn(&BigInt) -> Ordering) -> Ordering {
    if bound.is_infinite() {
        0.0f32.total_cmp(&bound)
    } else {
        order(&big(bound))
    }
}

/// Compares `x` with `sign * sqrt(square)`.
pub(crate) fn order_root(x: &BigInt, sign: i32, square: &BigInt) -> Ordering {
    let side = |x: &BigInt| match x.is_negative() {
        true => Ordering::Less,
        false => (x * x).cmp(square),
    };
    if sign < 0 {
        side(&-x).reverse()
    } else {
        side(x)
    }
}

/// Returns `num / den` as `f64`, to about its precision.
pub(crate) fn quotient(num: BigInt, den: BigInt) -> f64 {
    if num.is_zero() {
        return 0.0;
    }
    BigRational::new(num, den).to_f64().unwrap()
}

/// Returns the error of the nearest `f32` of the number `num / den`, in units of its last place.
pub(crate) fn ulps(found: f32, num: &BigInt, den: &BigInt) -> f64 {
    if found.is_infinite() {
        return 0.0;
    }
    let ulp = big(found.abs().next_up()) - big(found.abs());
    // |found - num/den| / ulp, with found = big(found) / 2^SCALE
    let off = (big(found) * den - (num << SCALE)).abs();
    quotient(off, ulp * den.abs())
}

//! Sums and products of numbers with bounds.
//!
//! Let v = 2^-53. An operation on values x and y, off by at most X and Y, has one rounding, of at
//! most v of its result. A sum is off by X + Y before, and a product by |x| Y + |y| X + X Y. These
//! terms are not negative, and have at most six roundings of their own, for which 2^-50 of their sum
//! is granted, with the last one.
//!
//! A sum cannot underflow. What a product and the terms of its bound lose by underflow is less than
//! 2^-1070; a product with an exact zero loses nothing, and its bound is 0, so zeros of scenes along
//! the axes stay exact. Overflow makes a bound infinite or NaN, which decides nothing.

use crate::arithmetic::{Bounded, Interval, sqrt};

/// 2^-53.
const V: f64 = f64::EPSILON / 2.0;
/// What the bound's own roundings are less than.
const MORE: f64 = 1.0 + 4.0 * f64::EPSILON;
/// 2^-1070.
const TINY: f64 = f64::from_bits(1 << 4);

#[inline(always)]
pub(super) fn sum(x: Bounded, y: Bounded) -> Bounded {
    let value = x.value + y.value;
    Bounded {
        value,
        error: (x.error + y.error + value.abs() * V) * MORE,
    }
}

#[inline(always)]
pub(super) fn difference(x: Bounded, y: Bounded) -> Bounded {
    sum(x, y.negated())
}

#[inline(always)]
pub(super) fn product(x: Bounded, y: Bounded) -> Bounded {
    let value = x.value * y.value;
    let terms = x.value.abs() * y.error + (y.value.abs() + y.error) * x.error + value.abs() * V;
    let is_zero = |x: Bounded| x.value == 0.0 && x.error == 0.0;
    let lost = if is_zero(x) || is_zero(y) { 0.0 } else { TINY };
    Bounded {
        value,
        error: terms * MORE + lost,
    }
}

/// Returns the interval of a number.
#[inline(always)]
pub(super) fn interval(x: Bounded) -> Interval {
    // Each end is rounded once.
    let room = x.error * MORE + x.value.abs() * (2.0 * V);
    (x.value - room, x.value + room)
}

/// Returns the square root of a number that is not negative, or of zero where it may be negative.
#[inline(always)]
pub(super) fn root(x: Bounded) -> Bounded {
    let (low, high) = interval(x);
    let value = sqrt(x.value.max(0.0));
    let high = sqrt(high.max(0.0));
    let low = sqrt(low.max(0.0));
    // Each root is rounded once.
    let off = (high - value).max(value - low);
    Bounded {
        value,
        error: (off + high * (4.0 * V)) * MORE,
    }
}

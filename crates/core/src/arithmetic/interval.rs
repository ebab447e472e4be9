//! Intervals in `f64` that contain an exact number.

use super::{Bounded, V, sqrt};
use core::cmp::Ordering;

/// The lower and the upper end.
pub(crate) type Interval = (f64, f64);

/// Returns an interval that contains the true `num / den`.
///
/// With true values N, D and computed n, d: `N/D - n/d = ((N-n) - (n/d) (D-d)) / D`, so the
/// distance is at most `(En + |n/d| Ed) / (|d| - Ed)`. The factor and the last term cover the
/// roundings of this formula, of the division and of the two ends, each at most v = 2^-53
/// relative. Nothing underflows: the smallest magnitude is 2^-53-447-391 = 2^-891.
pub(crate) fn quotient(num: Bounded, den: Bounded) -> Interval {
    let least = den.value.abs() - den.error;
    if least > 0.0 {
        let t = num.value / den.value;
        let error = (num.error + t.abs() * den.error) / least * (1.0 + 16.0 * f64::EPSILON)
            + t.abs() * (4.0 * f64::EPSILON);
        (t - error, t + error)
    } else {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

/// Compares two numbers by intervals that contain them, and by `exactly` where these do not tell.
#[inline(always)]
pub(crate) fn compare(a: Interval, b: Interval, exactly: impl FnOnce() -> Ordering) -> Ordering {
    if a.1 < b.0 {
        Ordering::Less
    } else if a.0 > b.1 {
        Ordering::Greater
    } else {
        exactly()
    }
}

/// Returns the `f32` that every number of an interval rounds to, if there is only one; zero is +0.
pub(crate) fn round((low, high): Interval) -> Option<f32> {
    let (low, high) = (low as f32 + 0.0, high as f32 + 0.0);
    (low == high).then_some(low)
}

/// Returns the `f32` that the root of every number of an interval rounds to, if there is only one. Roots
/// have one rounding.
pub(crate) fn round_root((low, high): Interval) -> Option<f32> {
    round((sqrt(low) * (1.0 - 4.0 * V), sqrt(high) * (1.0 + 4.0 * V)))
}

//! Coordinates of moderate size, whose polynomials of degree 3 neither overflow nor underflow.

use super::{V3, power_of_two};

/// 2^-250 and 2^250.
const LEAST: f64 = power_of_two(-250);
const MOST: f64 = power_of_two(250);

/// Returns whether every coordinate is 0 or of a size from 2^-250 to 2^250, as each `f32` is. Then a difference is 0
/// or at least 2^-302, and a product of three at least 2^-906.
#[inline(always)]
pub(crate) fn are_moderate<const N: usize>(points: &[V3; N]) -> bool {
    let mut all = true;
    for x in points.as_flattened() {
        let size = x.abs();
        all &= (size == 0.0) | ((LEAST..=MOST).contains(&size));
    }
    all
}

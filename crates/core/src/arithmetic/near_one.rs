//! Vectors brought near 1 by a power of two.

use super::{V3, largest, power_of_two};

/// Returns a vector times a power of two, such that its largest component is near 1 as far as that power is a normal
/// number, and that power.
pub(crate) fn near_one(v: V3) -> (V3, f64) {
    let exponent = (largest(v).to_bits() >> 52) as i32 - 1023;
    let scale = power_of_two(-exponent.clamp(-1000, 1000));
    (v.map(|x| x * scale), scale)
}

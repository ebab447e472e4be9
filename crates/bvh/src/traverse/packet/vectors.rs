//! The vectors that a machine has, as parts of the arrays that have a number of each ray.

use super::group::{Lanes, RAYS};
use fearless_simd::{Simd, SimdBase};

/// How many vectors hold a number of each ray.
#[inline(always)]
pub(super) const fn vectors<S: Simd>() -> usize {
    RAYS / S::f32s::LEN
}

/// One of the vectors of an array.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, lanes: &Lanes, vector: usize) -> S::f32s {
    let start = vector * S::f32s::LEN;
    S::f32s::from_slice(simd, &lanes[start..start + S::f32s::LEN])
}

/// Puts one of them back.
#[inline(always)]
pub(super) fn store<S: Simd>(lanes: &mut Lanes, vector: usize, numbers: S::f32s) {
    let start = vector * S::f32s::LEN;
    numbers.store_slice(&mut lanes[start..start + S::f32s::LEN]);
}

/// The bits of a vector's rays among those of all.
#[inline(always)]
pub(super) fn bits<S: Simd>(of_vector: u64, vector: usize) -> u64 {
    of_vector << (vector * S::f32s::LEN)
}

/// The bits of a vector's rays among those of all.
#[inline(always)]
pub(super) fn of_vector<S: Simd>(bits: u64, vector: usize) -> u64 {
    bits >> (vector * S::f32s::LEN) & (u64::MAX >> (RAYS - S::f32s::LEN))
}

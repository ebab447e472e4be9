//! Access to a bundle's numbers by vectors of the machine's width.

use super::LANES;
pub(super) use crate::traverse::packet::packet_vectors::{load, store};
use fearless_simd::{Simd, SimdBase, SimdMask};

/// Returns how many vectors hold one number of each ray.
#[expect(non_snake_case, reason = "a constant except for its type parameter")]
#[inline(always)]
pub(super) const fn VECTORS<S: Simd>() -> usize {
    const { LANES / <S::f32s as SimdBase<S>>::LEN }
}

/// Shifts the bits of a vector's rays to their position among those of all rays.
#[inline(always)]
pub(super) fn bits<S: Simd>(of_vector: u64, vector: usize) -> u32 {
    (of_vector as u32) << (vector * S::f32s::LEN)
}

/// Returns the bits of one vector among those of all rays.
#[inline(always)]
pub(super) fn of_vector<S: Simd>(bits: u32, vector: usize) -> u32 {
    bits >> (vector * S::f32s::LEN) & (u32::MAX >> (32 - S::f32s::LEN))
}

#[inline(always)]
pub(super) fn mask<S: Simd>(simd: S, bits: u32, vector: usize) -> S::mask32s {
    S::mask32s::from_bitmask(simd, of_vector::<S>(bits, vector).into())
}

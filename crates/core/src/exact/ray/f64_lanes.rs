//! The numbers that the polynomials are evaluated in: one `f64`, or vectors of them.

use core::ops::{Add, Mul, Neg, Sub};
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, f64x4, f64x8};

/// An `f64`, or a vector of them, of which each lane is a case of its own. Where the machine can, vectors
/// fuse products and sums, which only takes roundings away.
pub(crate) trait F64Lanes:
    Copy
    + Neg<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f64, Output = Self>
    + Add<Output = Self>
    + Add<f64, Output = Self>
{
    /// Returns `self * by + plus`.
    fn mul_add(self, by: Self, plus: Self) -> Self;

    /// Returns the absolute value.
    fn abs(self) -> Self;

    /// Returns the larger number.
    fn larger(self, other: Self) -> Self;

    /// Returns the inverse.
    fn inverse(self) -> Self;
}

impl F64Lanes for f64 {
    #[inline(always)]
    fn mul_add(self, by: f64, plus: f64) -> f64 {
        self * by + plus
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn larger(self, other: f64) -> f64 {
        crate::arithmetic::larger(self, other)
    }

    #[inline(always)]
    fn inverse(self) -> f64 {
        1.0 / self
    }
}

macro_rules! f64_lanes {
    ($vector:ident) => {
        impl<S: Simd> F64Lanes for $vector<S> {
            #[inline(always)]
            fn mul_add(self, by: Self, plus: Self) -> Self {
                SimdFloat::mul_add(self, by, plus)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                SimdBase::abs(self)
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                SimdBase::max(self, other)
            }

            #[inline(always)]
            fn inverse(self) -> Self {
                $vector::splat(self.simd, 1.0) / self
            }
        }
    };
}

f64_lanes!(f64x4);
f64_lanes!(f64x8);

#[inline(always)]
pub(super) fn cross<T: F64Lanes>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [
        a[1].mul_add(b[2], -(a[2] * b[1])),
        a[2].mul_add(b[0], -(a[0] * b[2])),
        a[0].mul_add(b[1], -(a[1] * b[0])),
    ]
}

#[inline(always)]
pub(super) fn dot<T: F64Lanes>(a: [T; 3], b: [T; 3]) -> T {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}

/// Returns the largest absolute value.
#[inline(always)]
pub(super) fn largest<T: F64Lanes>(v: [T; 3]) -> T {
    v[0].abs().larger(v[1].abs()).larger(v[2].abs())
}

/// Does the same as [`round`](crate::arithmetic::round) for the intervals in two vectors, and returns the
/// decided lanes as bits.
#[inline(always)]
pub(super) fn round_lanes<S: Simd, V>(low: (V, V), high: (V, V)) -> (V::Narrowed, u32)
where
    V: SimdNarrow<S>,
    V::Narrowed: SimdFloat<S, Element = f32>,
{
    // Adding 0 turns -0 into +0.
    let from = low.0.narrow(high.0) + 0.0_f32;
    let to = low.1.narrow(high.1) + 0.0_f32;
    (from, from.simd_eq(to).to_bitmask() as u32)
}

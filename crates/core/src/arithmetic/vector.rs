//! Vectors of numbers of any type, also of SIMD vectors, without bounds of their errors.
//!
//! All are inlined, so that they use the instructions of the kernel that calls them.

use core::ops::{Add, Mul, Sub};

#[inline(always)]
pub(crate) fn minus<T: Copy + Sub<Output = T>>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn dot<T: Copy + Add<Output = T> + Mul<Output = T>>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross<T: Copy + Mul<Output = T> + Sub<Output = T>>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns the largest absolute value.
#[inline(always)]
pub(crate) fn largest(v: [f64; 3]) -> f64 {
    larger(larger(v[0].abs(), v[1].abs()), v[2].abs())
}

/// Returns the larger number, in one instruction, unlike [`f64::max`], which has to ignore a NaN.
#[inline(always)]
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Returns the smaller number, likewise.
#[inline(always)]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

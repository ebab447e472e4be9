//! The quotients of the polynomials of a ray and a triangle, `t` and the weights of corners, in `f64`.
//!
//! # Bound
//! With true values N, D and computed n, d, the quotient N/D is off from n/d by at most
//! `(En + |n/d| Ed) / (|d| - Ed)` (see [`quotient`](crate::arithmetic::quotient)). Where |d| exceeds
//! its error by the factor [`WELL_ABOVE`], `1 / (|d| - Ed)` is at most 1024/1023 of `1/|d|`, which [`INVERSE_FACTOR`]
//! exceeds by more than the roundings of the bound. The roundings of `1/d`, of its product with n, and of
//! an end of the interval are v each, which 4v cover.

use super::f64_lanes::F64Lanes;
use super::products::Products;
use crate::arithmetic::V;

/// The ratio to its error that `den` must exceed to be divided by.
pub(super) const WELL_ABOVE: f64 = 1024.0;
pub(super) const INVERSE_FACTOR: f64 = 1.001;

/// What the quotients by `den` have in common.
#[derive(Clone, Copy)]
pub(super) struct Quotients<T = f64> {
    pub(super) inverse: T,
    /// Multiplies the error of a dividend.
    pub(super) size: T,
    /// The part of the error that is relative to a quotient.
    pub(super) relative_error: T,
}

impl<T: F64Lanes> Quotients<T> {
    /// Returns what the quotients have in common. The bounds hold where `den` is [well above](WELL_ABOVE) its error.
    #[inline(always)]
    pub(super) fn of(found: &Products<T>) -> Self {
        let inverse = found.den.inverse();
        let size = inverse.abs() * INVERSE_FACTOR;
        Quotients {
            inverse,
            size,
            relative_error: found.den_error * size + 4.0 * V,
        }
    }

    /// Returns the interval of the quotient of a dividend with this error.
    #[inline(always)]
    pub(super) fn interval(&self, dividend: T, error: T) -> (T, T) {
        let quotient = dividend * self.inverse;
        let error = quotient
            .abs()
            .mul_add(self.relative_error, error * self.size);
        (quotient - error, quotient + error)
    }
}

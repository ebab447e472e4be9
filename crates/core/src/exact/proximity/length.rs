//! The kinds of distances.

use crate::arithmetic::Interval;
use crate::shapes::Coordinate;

/// A distance: an `f32`, or an `f64` from triangles in `f64`.
pub trait Length: Coordinate + PartialOrd + From<f32> {
    /// No limit.
    const INFINITY: Self;
    /// No distance.
    const ZERO: Self;

    /// Returns an interval around the square of a distance that is not negative and not NaN.
    #[doc(hidden)]
    fn square(self) -> Interval;
}

impl Length for f32 {
    const INFINITY: f32 = f32::INFINITY;
    const ZERO: f32 = 0.0;

    #[inline(always)]
    fn square(self) -> Interval {
        // 48 bits: exact.
        let square = f64::from(self) * f64::from(self);
        (square, square)
    }
}

impl Length for f64 {
    const INFINITY: f64 = f64::INFINITY;
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn square(self) -> Interval {
        let square = self * self;
        match self == 0.0 || square == f64::INFINITY {
            // A finite one is beyond 2^1023.
            true => (square.min(f64::MAX), square),
            false => (square.next_down().max(0.0), square.next_up()),
        }
    }
}

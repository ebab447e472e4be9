//! The parameter at which a line crosses a plane across an axis: an exact number, rarely computed.

use crate::arithmetic::{Dyadic, Interval, Ratio, compare, round};
use core::cmp::Ordering;

/// The exact number `(face - origin) / dir`, with `dir` not zero, and an interval that contains it.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Parameter {
    face: f64,
    origin: f64,
    dir: f64,
    low: f64,
    high: f64,
}

impl Parameter {
    pub(super) fn new(face: f32, origin: f32, dir: f32) -> Self {
        let [face, origin, dir] = [face, origin, dir].map(f64::from);
        // A difference and a quotient are two roundings of 2^-53 each, the ends of the interval a
        // third. Nothing underflows or overflows in `f64`.
        let t = (face - origin) / dir;
        let error = t.abs() * (2.0 * f64::EPSILON);
        Parameter {
            face,
            origin,
            dir,
            low: t - error,
            high: t + error,
        }
    }

    pub(super) fn ratio(&self) -> Ratio {
        let distance = Dyadic::difference(self.face, self.origin);
        Ratio::new(distance, Dyadic::from_f64(self.dir))
    }

    /// Returns an interval that contains the number.
    pub(super) fn range(&self) -> Interval {
        (self.low, self.high)
    }

    pub(super) fn cmp(&self, other: &Parameter) -> Ordering {
        compare(self.range(), other.range(), || match self == other {
            true => Ordering::Equal,
            false => self.ratio().cmp(&other.ratio()),
        })
    }

    /// Compares with a number that may be infinite but not NaN.
    pub(super) fn cmp_f32(&self, other: f32) -> Ordering {
        let other = f64::from(other);
        compare(self.range(), (other, other), || self.ratio().cmp_f64(other))
    }

    /// Returns the nearest `f32`, ties to even; overflow is infinite, and zero is +0.
    pub(super) fn to_f32(self) -> f32 {
        round(self.range()).unwrap_or_else(|| self.ratio().to_f32())
    }
}

//! The numbers that times of contact are found with: those with bounds, and exact ones.

use crate::arithmetic::{
    Bounded, Dyadic, Interval, Number, Surd, difference, product, quotient, root, sum,
};
use core::cmp::Ordering;

/// The lesser root `(middle - sqrt(square)) / rate` of a quadratic, with `middle` and `rate` positive.
#[derive(Clone)]
pub(super) struct Root<N> {
    pub(super) middle: N,
    pub(super) square: N,
    pub(super) rate: N,
    /// The root is also `gap / (middle + sqrt(square))`, if there is one.
    pub(super) gap: Option<N>,
}

/// A number of a kind in which times of contact are computed. What a kind leaves open is `None`.
pub(super) trait TimedNumber: Number {
    /// A time of contact.
    type Time: Clone;

    /// Returns the time of a root. Where the square may be negative, it is the time that there may
    /// be.
    fn time(root: Root<Self>) -> Self::Time;

    /// Returns whether the time is certainly later than this.
    fn is_later(time: &Self::Time, limit: f64) -> bool;

    fn order(a: &Self::Time, b: &Self::Time) -> Option<Ordering>;

    /// Returns the sign of `start + time * step`.
    fn sign_at(time: &Self::Time, start: &Self, step: &Self) -> Option<i32>;
}

impl TimedNumber for Bounded {
    type Time = Interval;

    /// The gap is not a difference of large numbers where the sphere is far away, so its quotient
    /// is the better one; a face is met at `(middle - sqrt(square)) / rate`, whose terms are lengths.
    #[inline(always)]
    fn time(parts: Root<Self>) -> Interval {
        let square = root(parts.square);
        let (low, high) = match parts.gap {
            Some(gap) => quotient(gap, sum(parts.middle, square)),
            None => quotient(difference(parts.middle, square), parts.rate),
        };
        // For what underflows.
        (low - f64::MIN_POSITIVE, high + f64::MIN_POSITIVE)
    }

    #[inline(always)]
    fn is_later(time: &Interval, limit: f64) -> bool {
        time.0 > limit
    }

    #[inline(always)]
    fn order(a: &Interval, b: &Interval) -> Option<Ordering> {
        if a.1 < b.0 {
            Some(Ordering::Less)
        } else if b.1 < a.0 {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// The function is linear: it has one sign between times at which it has that sign.
    #[inline(always)]
    fn sign_at(time: &Interval, start: &Self, step: &Self) -> Option<i32> {
        let at = |time: f64| sum(*start, product(Bounded::exact(time), *step)).sign();
        at(time.0).filter(|_| at(time.0) == at(time.1))
    }
}

impl TimedNumber for Dyadic {
    type Time = Surd;

    fn time(root: Root<Self>) -> Surd {
        Surd::lesser(root.middle, root.square, root.rate)
    }

    fn is_later(time: &Surd, limit: f64) -> bool {
        time.cmp_f64(limit) == Ordering::Greater
    }

    fn order(a: &Surd, b: &Surd) -> Option<Ordering> {
        Some(a.cmp(b))
    }

    fn sign_at(time: &Surd, start: &Self, step: &Self) -> Option<i32> {
        Some(time.sign_at(start, step))
    }
}

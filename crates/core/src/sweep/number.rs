//! The numbers that times of contact are found with: those with bounds, and exact ones.

use super::exact_time::ExactTime;
use super::running_bounds::{difference, product, root, sum};
use crate::arithmetic::{Bounded, Dyadic, Interval, quotient};
use core::cmp::Ordering;

/// The lesser root `(way - sqrt(square)) / rate` of a quadratic, with `way` and `rate` positive.
#[derive(Clone)]
pub(super) struct Root<N> {
    pub(super) way: N,
    pub(super) square: N,
    pub(super) rate: N,
    /// The root is also `gap / (way + sqrt(square))`, if there is one.
    pub(super) gap: Option<N>,
}

/// A number of a kind in which times of contact are computed. What a kind leaves open is `None`.
pub(super) trait Number: Clone {
    /// A time of contact.
    type Time: Clone;

    /// Returns a finite number.
    fn exactly(x: f64) -> Self;

    /// Returns `a - b`, of finite numbers.
    fn of_difference(a: f64, b: f64) -> Self;

    fn plus(&self, other: &Self) -> Self;

    fn minus(&self, other: &Self) -> Self;

    fn times(&self, other: &Self) -> Self;

    fn negative(&self) -> Self;

    fn sign(&self) -> Option<i32>;

    /// Returns the time of a root. Where the square may be negative, it is the time that there may
    /// be.
    fn time(root: Root<Self>) -> Self::Time;

    /// Returns whether the time is certainly later than this.
    fn is_later(time: &Self::Time, limit: f64) -> bool;

    fn order(a: &Self::Time, b: &Self::Time) -> Option<Ordering>;

    /// Returns the sign of `start + time * step`.
    fn sign_at(time: &Self::Time, start: &Self, step: &Self) -> Option<i32>;
}

impl Number for Bounded {
    type Time = Interval;

    #[inline(always)]
    fn exactly(x: f64) -> Self {
        Bounded::exact(x)
    }

    #[inline(always)]
    fn of_difference(a: f64, b: f64) -> Self {
        Bounded::rounded(a - b)
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        sum(*self, *other)
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        difference(*self, *other)
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        product(*self, *other)
    }

    #[inline(always)]
    fn negative(&self) -> Self {
        self.negated()
    }

    #[inline(always)]
    fn sign(&self) -> Option<i32> {
        Bounded::sign(*self)
    }

    /// The gap is not a difference of large numbers where the sphere is far away, so its quotient
    /// is the better one; a face is met at `(way - sqrt(square)) / rate`, whose terms are lengths.
    #[inline(always)]
    fn time(parts: Root<Self>) -> Interval {
        let square = root(parts.square);
        let (low, high) = match parts.gap {
            Some(gap) => quotient(gap, sum(parts.way, square)),
            None => quotient(difference(parts.way, square), parts.rate),
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

impl Number for Dyadic {
    type Time = ExactTime;

    fn exactly(x: f64) -> Self {
        Dyadic::from_f64(x)
    }

    fn of_difference(a: f64, b: f64) -> Self {
        Dyadic::difference(a, b)
    }

    fn plus(&self, other: &Self) -> Self {
        self.add(other)
    }

    fn minus(&self, other: &Self) -> Self {
        self.sub(other)
    }

    fn times(&self, other: &Self) -> Self {
        self.mul(other)
    }

    fn negative(&self) -> Self {
        self.clone().neg()
    }

    fn sign(&self) -> Option<i32> {
        Some(Dyadic::sign(self))
    }

    fn time(root: Root<Self>) -> ExactTime {
        ExactTime::of(root)
    }

    fn is_later(time: &ExactTime, limit: f64) -> bool {
        time.cmp_f64(limit) == Ordering::Greater
    }

    fn order(a: &ExactTime, b: &ExactTime) -> Option<Ordering> {
        Some(a.cmp(b))
    }

    fn sign_at(time: &ExactTime, start: &Self, step: &Self) -> Option<i32> {
        Some(time.sign_at(start, step))
    }
}

pub(super) type Vector<N> = [N; 3];

#[inline(always)]
pub(super) fn dot<N: Number>(a: &Vector<N>, b: &Vector<N>) -> N {
    let sum = a[0].times(&b[0]).plus(&a[1].times(&b[1]));
    sum.plus(&a[2].times(&b[2]))
}

#[inline(always)]
pub(super) fn cross<N: Number>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    let component = |j: usize, k: usize| a[j].times(&b[k]).minus(&a[k].times(&b[j]));
    [component(1, 2), component(2, 0), component(0, 1)]
}

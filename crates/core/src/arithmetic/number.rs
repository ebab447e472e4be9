//! Numbers that polynomials are evaluated in: those with bounds, and exact ones.

use super::running_bounds::{difference, product, sum};
use super::{Bounded, Dyadic};

/// A number of a kind in which polynomials are evaluated. What a kind leaves open is `None`.
pub trait Number: Clone {
    /// Returns a finite number.
    fn exactly(x: f64) -> Self;

    /// Returns `a - b`, of finite numbers.
    fn of_difference(a: f64, b: f64) -> Self;

    fn plus(&self, other: &Self) -> Self;

    fn minus(&self, other: &Self) -> Self;

    fn times(&self, other: &Self) -> Self;

    fn negative(&self) -> Self;

    fn sign(&self) -> Option<i32>;
}

impl Number for Bounded {
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
}

impl Number for Dyadic {
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
}

pub(crate) type Vector<N> = [N; 3];

#[inline(always)]
pub(crate) fn dot<N: Number>(a: &Vector<N>, b: &Vector<N>) -> N {
    let sum = a[0].times(&b[0]).plus(&a[1].times(&b[1]));
    sum.plus(&a[2].times(&b[2]))
}

#[inline(always)]
pub(crate) fn cross_product<N: Number>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    let component = |j: usize, k: usize| a[j].times(&b[k]).minus(&a[k].times(&b[j]));
    [component(1, 2), component(2, 0), component(0, 1)]
}

/// Returns whether all hold, as far as that is known: one that certainly does not is enough.
#[inline(always)]
pub(crate) fn all(conditions: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for condition in conditions {
        match condition {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

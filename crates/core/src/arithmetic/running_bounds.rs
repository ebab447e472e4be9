//! Sums and products of numbers with bounds.
//!
//! Let v = 2^-53. An operation on values x and y, off by at most X and Y, has one rounding, of at
//! most v of its result. A sum is off by X + Y before, and a product by |x| Y + |y| X + X Y. These
//! terms are not negative, and have at most six roundings of their own, for which 2^-50 of their sum
//! is granted, with the last one.
//!
//! A sum cannot underflow. What a product and the terms of its bound lose by underflow is less than
//! 2^-1070; a product with an exact zero loses nothing, and its bound is 0, so zeros of scenes along
//! the axes stay exact. Overflow makes a bound infinite or NaN, which decides nothing.

use super::{Bounded, Interval, V, sqrt};

/// What the bound's own roundings are less than.
const MORE: f64 = 1.0 + 4.0 * f64::EPSILON;
/// 2^-1070.
const TINY: f64 = f64::from_bits(1 << 4);

#[inline(always)]
pub(crate) fn sum(x: Bounded, y: Bounded) -> Bounded {
    let value = x.value + y.value;
    Bounded {
        value,
        error: (x.error + y.error + value.abs() * V) * MORE,
    }
}

#[inline(always)]
pub(crate) fn difference(x: Bounded, y: Bounded) -> Bounded {
    sum(x, y.negated())
}

#[inline(always)]
pub(crate) fn product(x: Bounded, y: Bounded) -> Bounded {
    let value = x.value * y.value;
    let terms = x.value.abs() * y.error + (y.value.abs() + y.error) * x.error + value.abs() * V;
    let is_zero = |x: Bounded| x.value == 0.0 && x.error == 0.0;
    let lost = if is_zero(x) || is_zero(y) { 0.0 } else { TINY };
    Bounded {
        value,
        error: terms * MORE + lost,
    }
}

/// Returns the interval of a number.
#[inline(always)]
pub(crate) fn interval(x: Bounded) -> Interval {
    // Each end is rounded once.
    let error = x.error * MORE + x.value.abs() * (2.0 * V);
    (x.value - error, x.value + error)
}

/// Returns the square root of a number that is not negative, or of zero where it may be negative.
#[inline(always)]
pub(crate) fn root(x: Bounded) -> Bounded {
    let (low, high) = interval(x);
    let value = sqrt(x.value.max(0.0));
    let high = sqrt(high.max(0.0));
    let low = sqrt(low.max(0.0));
    // Each root is rounded once.
    let off = (high - value).max(value - low);
    Bounded {
        value,
        error: (off + high * (4.0 * V)) * MORE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Dyadic, Numbers, share_of_bound, usual_or_long};

    /// Sums and products of numbers that are off themselves, and their roots.
    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let rounds = usual_or_long(30_000, 5_000_000);
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let mut worst = 0.0f64;
        for round in 0..rounds {
            let mut number = || {
                let kind = if round % 3 == 0 { 0 } else { 1 + round % 4 };
                let (a, b) = (numbers.float(kind), numbers.float(kind));
                (Bounded::rounded(a - b), Dyadic::difference(a, b))
            };
            let [a, b, c, d] = [number(), number(), number(), number()];
            let products = (product(a.0, b.0), product(c.0, d.0));
            let exact = (a.1.mul(&b.1), c.1.mul(&d.1));
            let found = difference(products.0, products.1);
            let truth = exact.0.sub(&exact.1);
            let (square, exact_square) = (product(found, found), truth.mul(&truth));
            for (found, truth) in [
                (products.0, &exact.0),
                (sum(products.0, products.1), &exact.0.add(&exact.1)),
                (found, &truth),
                (square, &exact_square),
            ] {
                worst = worst.max(share_of_bound(found, truth));
            }
            // The root of the square is the size of the number.
            let size = if truth.sign() < 0 { truth.neg() } else { truth };
            share_of_bound(root(square), &size);
            let (low, high) = interval(square);
            assert!(exact_square.sub(&Dyadic::from_f64(low)).sign() >= 0);
            assert!(exact_square.sub(&Dyadic::from_f64(high)).sign() <= 0);
        }
        assert!(
            worst > 0.3,
            "the search does not approach the bound: {worst}"
        );
    }

    #[test]
    fn zeros_stay_exact_and_overflow_decides_nothing() {
        let (zero, third) = (Bounded::exact(0.0), Bounded::rounded(1.0 / 3.0));
        assert_eq!(product(zero, third).sign(), Some(0));
        assert_eq!(sum(product(zero, third), zero).sign(), Some(0));
        assert_eq!(root(zero), zero);
        let tiny = Bounded::exact(1e-200);
        assert_eq!(product(tiny, tiny).sign(), None);
        let large = Bounded::exact(1e200);
        assert_eq!(product(large, large).sign(), None);
        assert_eq!(
            difference(product(large, large), product(large, large)).sign(),
            None
        );
    }
}

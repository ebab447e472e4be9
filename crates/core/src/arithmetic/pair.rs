//! Numbers of two `f64`s with bounds, of about 100 bits, for roundings to `f64`.
//!
//! Let u = 2^-53. The value is `high + low`, where low is at most u times high. Sums and products of pairs
//! are those of Dekker (1971), with the exact sums and products of two `f64`s: a sum is off by less than
//! `16 u^2` of the terms, which cannot cancel in their bound, and a product by less than `16 u^2` of it, for
//! the product of the low halves, the roundings of the cross terms, and the last sums. Twice that is
//! granted. What underflows is less than 2^-1065; a product with an exact zero loses nothing. Overflow makes
//! a bound infinite or NaN, which decides nothing.

use super::{Number, sqrt, two_product, two_sum};

/// A number of two `f64`s, and a bound of its error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    high: f64,
    low: f64,
    error: f64,
}

/// 32 u^2.
const SHARE: f64 = 8.0 * f64::EPSILON * f64::EPSILON;
/// What the bound's own roundings are less than.
const MORE: f64 = 1.0 + 4.0 * f64::EPSILON;
/// 2^-1065.
const TINY: f64 = f64::from_bits(1 << 9);

impl Pair {
    fn is_zero(&self) -> bool {
        self.high == 0.0 && self.error == 0.0
    }

    /// Returns the nearest `f64` to `start + self / den`, where the bounds decide it; zero is +0.
    ///
    /// With the quotient of the high halves as q and the rest `self - q den` divided once more, the
    /// quotient is off by the errors of both numbers, as in [`quotient`](super::quotient), and by less
    /// than 64 u^2 of itself, and what underflows in the rest. The sum with `start` is exact but for one
    /// rounding of its low half.
    pub(crate) fn over(&self, den: &Pair, start: f64) -> Option<f64> {
        if self.is_zero() {
            return Some(start + 0.0);
        }
        let size = den.high.abs();
        let least = size - (den.error + size * f64::EPSILON);
        // In this form NaN is refused.
        let is_usual = least > size * 0.5 && (1e-200..1e200).contains(&size);
        if !is_usual {
            return None;
        }
        let first = self.high / den.high;
        let (product, product_low) = two_product(first, den.high);
        let rest = ((self.high - product) - product_low) + (self.low - first * den.low);
        let (high, low) = two_sum(first, rest / den.high);
        let error = (self.error + high.abs() * den.error) / least * (1.0 + 64.0 * f64::EPSILON)
            + high.abs() * (2.0 * SHARE)
            + TINY / least
            + f64::MIN_POSITIVE;
        let (sum, left) = two_sum(start, high);
        let tail = left + low;
        let error = error * MORE + tail.abs() * (2.0 * f64::EPSILON);
        let (least, most) = (sum + (tail - error), sum + (tail + error));
        // Both ends round to one number, and so does all between. In this form NaN is refused.
        (least == most && least.is_finite()).then_some(least + 0.0)
    }
}

impl Pair {
    /// Returns the `f64` nearest to the square root of `self / den`, which is not negative, where the bounds decide
    /// it.
    ///
    /// With q as the quotient of the high halves and r as the root of q, rounded, the root is
    /// `r + (self - r^2 den) / (2 r den)`, less the square of that over `2 r`. The rest is off by the errors of both
    /// numbers and by less than 64 u^2 of them, and the square is less than 16 u^2 of the root.
    pub(crate) fn root_over(&self, den: &Pair) -> Option<f64> {
        if self.is_zero() {
            return Some(0.0);
        }
        let least = den.high - (den.error + den.high * f64::EPSILON);
        // In this form NaN is refused.
        const USUAL: core::ops::Range<f64> = 1e-200..1e200;
        let is_usual = least > den.high * 0.5 && USUAL.contains(&den.high);
        if !(is_usual && USUAL.contains(&self.high) && self.error < self.high * 0.25) {
            return None;
        }
        let quotient = self.high / den.high;
        // What underflows of a square is then far less than its bound.
        if quotient < 1e-280 {
            return None;
        }
        let root = sqrt(quotient);
        let (square, square_low) = two_product(root, root);
        let (product, product_low) = two_product(square, den.high);
        let rest = ((self.high - product) - product_low)
            + ((self.low - square * den.low) - square_low * den.high);
        let double = 2.0 * root;
        let tail = rest / (double * den.high);
        let error = (self.error + square * den.error) / (double * least)
            * (1.0 + 64.0 * f64::EPSILON)
            + root * (8.0 * SHARE)
            + f64::MIN_POSITIVE;
        let (least, most) = (root + (tail - error), root + (tail + error));
        (least == most && least.is_finite()).then_some(least)
    }
}

impl Number for Pair {
    #[inline]
    fn exactly(x: f64) -> Self {
        Pair {
            high: x,
            low: 0.0,
            error: 0.0,
        }
    }

    #[inline]
    fn of_difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Pair {
            high,
            low,
            error: 0.0,
        }
    }

    #[inline]
    fn plus(&self, other: &Self) -> Self {
        let (sum, rest) = two_sum(self.high, other.high);
        let (high, low) = two_sum(sum, rest + (self.low + other.low));
        // Of both terms: they may cancel. An exact zero adds nothing.
        let terms = match self.is_zero() || other.is_zero() {
            true => 0.0,
            false => self.high.abs() + other.high.abs(),
        };
        Pair {
            high,
            low,
            error: (self.error + other.error + terms * SHARE) * MORE,
        }
    }

    #[inline]
    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negative())
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Pair::exactly(0.0);
        }
        let (product, rest) = two_product(self.high, other.high);
        let (high, low) = two_sum(
            product,
            rest + (self.high * other.low + self.low * other.high),
        );
        let (size, other_size) = (self.high.abs() * MORE, other.high.abs() * MORE);
        let moved = size * other.error + (other_size + other.error) * self.error;
        Pair {
            high,
            low,
            error: (moved + high.abs() * SHARE) * MORE + TINY,
        }
    }

    #[inline]
    fn negative(&self) -> Self {
        Pair {
            high: -self.high,
            low: -self.low,
            error: self.error,
        }
    }

    fn sign(&self) -> Option<i32> {
        // The low half is less than the high one.
        let error = self.error + self.low.abs();
        match self.high {
            x if x > error => Some(1),
            x if x < -error => Some(-1),
            0.0 if error == 0.0 => Some(0),
            _ => None, // also for NaN
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Dyadic, Numbers, Ratio, usual_or_long};

    /// Returns whether the truth is within the bound, and the share of it that it is off by.
    fn share(found: Pair, truth: &Dyadic) -> f64 {
        let value = Dyadic::from_f64(found.high).add(&Dyadic::from_f64(found.low));
        let off = truth.sub(&value);
        let off = if off.sign() < 0 { off.neg() } else { off };
        assert!(
            off.sub(&Dyadic::from_f64(found.error)).sign() <= 0,
            "{found:?} off by {}",
            off.estimate()
        );
        match found.error > 0.0 {
            true => off.estimate() / found.error,
            false => 0.0,
        }
    }

    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let rounds = usual_or_long(10_000, 3_000_000);
        let mut numbers = Numbers(0x0bad_5eed_1234_5677);
        let (mut worst, mut rounded, mut open) = (0.0f64, 0, 0);
        for round in 0..rounds {
            let kind = if round % 3 == 0 { 0 } else { 1 + round % 4 };
            let mut number = || {
                let (a, b) = (numbers.float(kind), numbers.float(kind));
                (Pair::of_difference(a, b), Dyadic::difference(a, b))
            };
            let [a, b, c, d] = [number(), number(), number(), number()];
            let products = (a.0.times(&b.0), c.0.times(&d.0));
            let exact = (a.1.mul(&b.1), c.1.mul(&d.1));
            let found = products.0.minus(&products.1);
            let truth = exact.0.sub(&exact.1);
            let square = (found.times(&products.0), truth.mul(&exact.0));
            for (found, truth) in [
                (products.0, &exact.0),
                (found, &truth),
                (square.0, &square.1),
                (square.0.plus(&products.1), &square.1.add(&exact.1)),
            ] {
                worst = worst.max(share(found, truth));
                if let Some(sign) = found.sign() {
                    assert_eq!(sign, truth.sign());
                }
            }
            let (num, den) = (square, products.0);
            if exact.0.sign() == 0 {
                continue;
            }
            let start = numbers.float(kind);
            let whole = Dyadic::from_f64(start).mul(&exact.0).add(&num.1);
            match num.0.over(&den, start) {
                None => open += 1,
                Some(found) => {
                    let nearest = Ratio::new(whole, exact.0.clone()).to_f64();
                    assert_eq!(
                        found.to_bits(),
                        nearest.to_bits(),
                        "{num:?} {den:?} {start}"
                    );
                    rounded += 1;
                }
            }
        }
        println!("worst {worst:.3}, {rounded} rounded, {open} open");
        assert!(
            worst > 0.02,
            "the search does not approach the bound: {worst}"
        );
        assert!(rounded > open, "{rounded} {open}");
    }

    #[test]
    fn exact_zeros_stay_exact() {
        let zero = Pair::exactly(0.0);
        let third = Pair::of_difference(1.0, 1e-20);
        assert_eq!(third.times(&zero).sign(), Some(0));
        assert_eq!(third.minus(&third).sign(), None);
        assert_eq!(zero.plus(&third.times(&zero)).over(&third, 0.0), Some(0.0));
        let large = Pair::exactly(1e200);
        let square = large.times(&large);
        assert_eq!((square.sign(), square.over(&third, 1.0)), (None, None));
    }

    #[test]
    fn roots_of_quotients_are_rounded_once_or_left_open() {
        let rounds = usual_or_long(20_000, 3_000_000);
        let mut numbers = Numbers(0xbb67_ae85_84ca_a73b);
        let (mut rounded, mut all) = (0, 0);
        for round in 0..rounds {
            // Also such that the quotient is no normal number, or nearly none.
            let powers = [[0, 0], [-600, 350], [-400, 400], [400, -400]][round % 4];
            let mut number = |power: i32| {
                let scale = crate::arithmetic::power_of_two(power);
                let (a, b) = (numbers.float(4) * scale, numbers.float(1) * scale);
                let square = Pair::of_difference(a, b);
                (square.times(&square), Dyadic::difference(a, b).square())
            };
            let (num, den) = (number(powers[0] / 2), number(powers[1] / 2));
            if den.1.sign() == 0 {
                continue;
            }
            all += 1;
            if let Some(root) = num.0.root_over(&den.0) {
                rounded += 1;
                let truth = Ratio::new(num.1.clone(), den.1.clone()).root_to_f64();
                assert_eq!(root.to_bits(), truth.to_bits(), "{:?} {:?}", num.0, den.0);
            }
        }
        assert!(rounded * 2 > all, "{rounded} of {all}");
        // Not a root of this quotient, whose square underflows.
        let pair = |x: f64| Pair::exactly(x);
        assert_eq!(pair(1e-120).root_over(&pair(1e190)), None);
    }
}

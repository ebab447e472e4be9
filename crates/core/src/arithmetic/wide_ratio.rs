//! Exact quotients of integers of any length.

use super::dyadic::{self, scaled};
use super::{Interval, WideInteger, nearest};
use core::cmp::Ordering;

const TWO_TO_MINUS_50: f64 = 4.0 * f64::EPSILON;

/// The exact number `num / den * 2^exponent`, with `den > 0`.
#[derive(Clone, Debug)]
pub(crate) struct WideRatio {
    pub(crate) num: WideInteger,
    pub(crate) den: WideInteger,
    pub(crate) exponent: i32,
}

impl WideRatio {
    /// Compares with another number.
    pub(crate) fn cmp(&self, other: &WideRatio) -> Ordering {
        let (left, right) = (&self.num * &other.den, &other.num * &self.den);
        order_scaled(&left, self.exponent, &right, other.exponent)
    }

    /// Compares with a number that may be infinite but not NaN.
    pub(crate) fn cmp_f64(&self, other: f64) -> Ordering {
        if other.is_infinite() {
            return 0.0f64.total_cmp(&other);
        }
        let (mantissa, exponent) = parts(other);
        order_scaled(&self.num, self.exponent, &(&self.den * &mantissa), exponent)
    }

    /// Compares the square root with a number that may be infinite but not NaN. The quotient must
    /// not be negative.
    pub(crate) fn cmp_root(&self, other: f64) -> Ordering {
        if other < 0.0 {
            return Ordering::Greater;
        }
        if other.is_infinite() {
            return Ordering::Less;
        }
        let (mantissa, exponent) = parts(other);
        let square = &self.den * &mantissa.square();
        order_scaled(&self.num, self.exponent, &square, 2 * exponent)
    }

    /// Returns the nearest `f32`, ties to even; overflow is infinite, and zero is +0.
    pub(crate) fn to_f32(&self) -> f32 {
        let (size, exponent) = self.estimate();
        // Within a few ulps of f64, so at most one f32 away.
        let estimate = scaled(size, exponent) as f32;
        nearest(estimate, |boundary| self.cmp_f64(boundary))
    }

    /// Returns the `f32` nearest to the square root, ties to even; overflow is infinite. The
    /// quotient must not be negative.
    pub(crate) fn root_to_f32(&self) -> f32 {
        let (size, exponent) = self.estimate();
        let odd = exponent.rem_euclid(2);
        let root = super::sqrt(scaled(size, odd));
        let estimate = scaled(root, (exponent - odd) / 2) as f32;
        nearest(estimate, |boundary| self.cmp_root(boundary))
    }

    /// Returns an interval that contains the quotient, which must not be negative.
    ///
    /// The estimate is off by 2^-52 of each number and 2^-53 of the quotient: 2^-50 relative is more
    /// than that and the rounding of an end. Where the quotient is below the normal `f64`s, it is
    /// off by less than the least of these.
    pub(crate) fn interval(&self) -> Interval {
        if self.num.sign() == 0 {
            return (0.0, 0.0);
        }
        let (size, exponent) = self.estimate();
        let value = scaled(size, exponent);
        let error = value * TWO_TO_MINUS_50 + f64::MIN_POSITIVE;
        ((value - error).max(0.0), value + error)
    }

    /// Returns `m` and `e` with the quotient nearly `m 2^e`, and `|m| < 4`.
    fn estimate(&self) -> (f64, i32) {
        let (num, num_exponent) = self.num.to_f64_and_exponent();
        let (den, den_exponent) = self.den.to_f64_and_exponent();
        (num / den, num_exponent - den_exponent + self.exponent)
    }
}

/// Compares `a 2^a_exponent` with `b 2^b_exponent`.
fn order_scaled(a: &WideInteger, a_exponent: i32, b: &WideInteger, b_exponent: i32) -> Ordering {
    // Most comparisons need no shift.
    let signs = a.sign().cmp(&b.sign());
    if signs != Ordering::Equal || a.sign() == 0 {
        return signs;
    }
    let tops = (a.bits() as i32 + a_exponent).cmp(&(b.bits() as i32 + b_exponent));
    if tops != Ordering::Equal {
        return if a.sign() < 0 { tops.reverse() } else { tops };
    }
    let base = a_exponent.min(b_exponent);
    let above = |exponent: i32| (exponent - base) as usize;
    a.shifted(above(a_exponent))
        .cmp(&b.shifted(above(b_exponent)))
}

/// Returns `m` and `e` with `x = m 2^e`, for a finite `x`.
fn parts(x: f64) -> (WideInteger, i32) {
    let (size, exponent) = dyadic::parts(x);
    let size = size as i64;
    (
        WideInteger::from_i64(if x < 0.0 { -size } else { size }),
        exponent,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Dyadic, Numbers, Ratio};

    fn ratio(num: f64, den: f64) -> WideRatio {
        let ((num, n), (den, d)) = (parts(num), parts(den));
        WideRatio {
            num,
            den,
            exponent: n - d,
        }
    }

    /// The other exact quotient rounds and compares alike.
    #[test]
    fn quotients_equal_those_of_dyadic_numbers() {
        let mut numbers = Numbers(0x853c_49e6_748f_ea9b);
        let mut equal = 0;
        for round in 0..40_000 {
            let kind = round % 5;
            let [a, c] = core::array::from_fn(|_| numbers.float(kind));
            let [b, d] = core::array::from_fn(|_| numbers.float(kind).abs());
            if b == 0.0 || d == 0.0 {
                continue;
            }
            let wide = ratio(a, b);
            let sum = Ratio::new(Dyadic::from_f64(a), Dyadic::from_f64(b));
            assert_eq!(wide.to_f32().to_bits(), sum.to_f32().to_bits(), "{a} / {b}");
            assert_eq!(wide.cmp_f64(c), sum.cmp_f64(c), "{a} / {b}, {c}");
            let other = Ratio::new(Dyadic::from_f64(c), Dyadic::from_f64(d));
            assert_eq!(
                wide.cmp(&ratio(c, d)),
                sum.cmp(&other),
                "{a} / {b}, {c} / {d}"
            );
            equal += usize::from(wide.cmp(&ratio(c, d)) == Ordering::Equal);
            if a >= 0.0 {
                let root = wide.root_to_f32();
                let estimate = crate::arithmetic::sqrt(a / b) as f32;
                assert_eq!(root, sum.root_to_f32(estimate), "root of {a} / {b}");
            }
        }
        assert!(equal > 100, "{equal}");
    }

    #[test]
    fn the_ends_of_the_range_round_as_they_should() {
        let tiny = f64::from(f32::from_bits(1));
        assert_eq!(ratio(tiny, 2.0).to_f32().to_bits(), 0);
        assert_eq!(ratio(-tiny, 2.0).to_f32().to_bits(), 0);
        assert_eq!(ratio(tiny * 3.0, 2.0).to_f32(), f32::from_bits(2));
        let most = f64::from(f32::MAX);
        assert_eq!(ratio(most, tiny).to_f32(), f32::INFINITY);
        assert_eq!(ratio(-most, tiny).to_f32(), f32::NEG_INFINITY);
        assert_eq!(ratio(most * most, 1.0).root_to_f32(), f32::MAX);
        assert_eq!(ratio(tiny * tiny, 1.0).root_to_f32(), f32::from_bits(1));
        assert_eq!(ratio(0.0, 3.0).root_to_f32().to_bits(), 0);
        assert_eq!(ratio(2.0, 1.0).cmp_root(f64::INFINITY), Ordering::Less);
        assert_eq!(ratio(0.0, 1.0).cmp_root(-1.0), Ordering::Greater);
        assert_eq!(ratio(9.0, 1.0).cmp_root(3.0), Ordering::Equal);
    }
}

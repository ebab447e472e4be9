//! Dyadic numbers: integers times powers of two. All `f64`s are, and so are their sums and products.

use super::two_sum;
use super::wide_integer::{Digits, add, finish, multiply, order, shift, subtract};
use core::cmp::Ordering;

/// An exact real number, of any size: `±digits * 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    negative: bool,
    exponent: i32,
    /// The least digit first, without leading zeros: zero has none.
    digits: Digits,
}

impl Dyadic {
    /// Numbers are made in place: a move copies all of the inline digits.
    #[inline]
    fn zero() -> Self {
        Dyadic {
            negative: false,
            exponent: 0,
            digits: Digits::new(),
        }
    }

    /// Returns a finite number.
    pub(crate) fn from_f64(a: f64) -> Self {
        let mut number = Dyadic::zero();
        number.set(a);
        number
    }

    #[inline]
    fn set(&mut self, a: f64) {
        let (size, exponent) = parts(a);
        if size != 0 {
            self.digits.push(size);
            self.exponent = exponent;
            self.negative = a < 0.0;
        }
    }

    /// Returns `a - b`, exactly.
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        // By far the most frequent case.
        if let (difference, 0.0) = two_sum(a, -b) {
            return Dyadic::from_f64(difference);
        }
        Dyadic::from_f64(a).sub(&Dyadic::from_f64(b))
    }

    pub(crate) fn add(&self, other: &Dyadic) -> Self {
        let mut sum = Dyadic::zero();
        sum.set_sum(self, other, other.negative);
        sum
    }

    pub(crate) fn sub(&self, other: &Dyadic) -> Self {
        let mut difference = Dyadic::zero();
        difference.set_sum(self, other, !other.negative);
        difference
    }

    /// Sets this zero to `a ± |b|`.
    #[inline(always)]
    fn set_sum(&mut self, a: &Dyadic, b: &Dyadic, b_negative: bool) {
        if b.digits.is_empty() {
            self.digits.extend_from_slice(&a.digits);
            (self.negative, self.exponent) = (a.negative, a.exponent);
            return;
        }
        if a.digits.is_empty() {
            self.digits.extend_from_slice(&b.digits);
            (self.negative, self.exponent) = (b_negative, b.exponent);
            return;
        }
        let mut shifted = Digits::new();
        let (mut left, mut right) = (&a.digits[..], &b.digits[..]);
        self.exponent = a.exponent.min(b.exponent);
        match a.exponent.cmp(&b.exponent) {
            Ordering::Equal => {}
            Ordering::Less => {
                shift(&mut shifted, right, (b.exponent - a.exponent) as usize);
                right = &shifted;
            }
            Ordering::Greater => {
                shift(&mut shifted, left, (a.exponent - b.exponent) as usize);
                left = &shifted;
            }
        }
        if a.negative == b_negative {
            add(&mut self.digits, left, right);
            self.negative = b_negative;
        } else if order(left, right) == Ordering::Less {
            subtract(&mut self.digits, right, left);
            self.negative = b_negative;
        } else {
            subtract(&mut self.digits, left, right);
            self.negative = a.negative;
        }
        finish(&mut self.digits);
    }

    pub(crate) fn neg(mut self) -> Self {
        self.negative = !self.negative;
        self
    }

    pub(crate) fn mul(&self, other: &Dyadic) -> Self {
        let mut product = Dyadic::zero();
        if !self.digits.is_empty() && !other.digits.is_empty() {
            product.negative = self.negative != other.negative;
            product.exponent = self.exponent + other.exponent;
            product
                .digits
                .resize(self.digits.len() + other.digits.len(), 0);
            multiply(&mut product.digits, &self.digits, &other.digits);
            finish(&mut product.digits);
        }
        product
    }

    /// Returns -1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => -1,
        }
    }

    /// Returns the value to within a few units in the last place of `f64`; in the absolute value no
    /// more than 2^1020.
    pub(crate) fn estimate(&self) -> f64 {
        let [.., high] = &self.digits[..] else {
            return 0.0;
        };
        let next = match &self.digits[..] {
            [.., next, _] => *next,
            _ => 0,
        };
        let top = (u128::from(*high) << 64 | u128::from(next)) as f64;
        let below = 64 * (self.digits.len() as i32 - 2);
        // Between 1 and 2.
        let exponent = 127 - high.leading_zeros() as i32;
        let size = top / (1u128 << exponent) as f64;
        let size = scaled(size, exponent + below + self.exponent);
        if self.negative { -size } else { size }
    }
}

/// Returns an odd `m`, or zero, and `e` with `|x| = m 2^e`, for a finite `x`.
#[inline]
fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    debug_assert_ne!(exponent, 0x7ff, "finite");
    let leading = u64::from(exponent > 0) << 52;
    let size = bits & ((1 << 52) - 1) | leading;
    // Few bits make the digits of sums and products few.
    let zeros = size.trailing_zeros() & 63;
    (size >> zeros, exponent.max(1) - 1075 + zeros as i32)
}

/// Returns `x 2^exponent` for `|x| < 4`, rounded where it is below the normal `f64`s, and no more
/// than 2^1020.
fn scaled(x: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    let exponent = exponent.clamp(-1100, 1018);
    let half = exponent / 2;
    x * power(half) * power(exponent - half)
}

//! Dyadic numbers: integers times powers of two. All `f64`s are, and so are their sums and products.
//!
//! Integers of up to 1,024 bits need no memory from the heap. Sums of numbers with the same exponent
//! need no shift: homogeneous polynomials of numbers on one grid have none.

use super::digits::{Digits, add, finish, multiply, order, shift, subtract};
use super::two_sum;
use core::cmp::Ordering;

/// An exact real number, of any size: `±digits * 2^exponent`.
#[derive(Clone, Debug)]
pub struct Dyadic {
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
        let (size, exponent) = parts(a);
        if size != 0 {
            number.digits.push(size);
            (number.negative, number.exponent) = (a < 0.0, exponent);
        }
        number
    }

    /// Returns `x * 2^exponent`.
    pub(crate) fn from_i128(x: i128, exponent: i32) -> Self {
        let mut number = Dyadic::zero();
        let size = x.unsigned_abs();
        number.digits.push(size as u64);
        number.digits.push((size >> 64) as u64);
        finish(&mut number.digits);
        (number.negative, number.exponent) = (x < 0, exponent);
        number
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
            // A product has as many bits as both factors together, or one bit less.
            let len = (self.bits() + other.bits()).div_ceil(64);
            product.digits.resize(len, 0);
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

    pub(crate) fn square(&self) -> Self {
        self.mul(self)
    }

    /// Compares two numbers.
    pub(crate) fn cmp(&self, other: &Dyadic) -> Ordering {
        let sign = self.sign();
        let signs = sign.cmp(&other.sign());
        if signs != Ordering::Equal || sign == 0 {
            return signs;
        }
        // Most comparisons need no shift.
        let sizes = self.top().cmp(&other.top()).then_with(|| {
            let base = self.exponent.min(other.exponent);
            let above = |number: &Dyadic| (number.exponent - base) as usize;
            let mut shifted = Digits::new();
            match self.exponent.cmp(&other.exponent) {
                Ordering::Equal => order(&self.digits, &other.digits),
                Ordering::Less => {
                    shift(&mut shifted, &other.digits, above(other));
                    order(&self.digits, &shifted)
                }
                Ordering::Greater => {
                    shift(&mut shifted, &self.digits, above(self));
                    order(&shifted, &other.digits)
                }
            }
        });
        if sign < 0 { sizes.reverse() } else { sizes }
    }

    /// Returns whether the digits need memory from the heap.
    #[cfg(test)]
    pub(crate) fn is_on_heap(&self) -> bool {
        self.digits.spilled()
    }

    /// Returns the number of bits of the integer.
    fn bits(&self) -> usize {
        match self.digits.last() {
            None => 0,
            Some(high) => 64 * self.digits.len() - high.leading_zeros() as usize,
        }
    }

    /// Returns the exponent of the first power of two above the absolute value, of numbers that are
    /// not zero.
    fn top(&self) -> i32 {
        self.bits() as i32 + self.exponent
    }

    /// Returns `m` and `e` with `|m| <= 2` such that the number is `m 2^e`, where m has a relative
    /// error of at most 2^-52: the digits that are cut off, and the rounding to `f64`.
    pub(crate) fn to_f64_and_exponent(&self) -> (f64, i32) {
        let [.., high] = &self.digits[..] else {
            return (0.0, 0);
        };
        let next = match &self.digits[..] {
            [.., next, _] => *next,
            _ => 0,
        };
        // The 64 highest bits, the first of which is 1.
        let zeros = high.leading_zeros();
        let top = high << zeros | (next >> 1) >> (63 - zeros);
        let size = top as f64 / (1u64 << 63) as f64;
        (if self.negative { -size } else { size }, self.top() - 1)
    }

    /// Returns the nearest `f64`, ties to even; overflow is infinite, and zero is +0.
    pub(crate) fn to_f64(&self) -> f64 {
        let bits = self.bits() as i32;
        if bits == 0 {
            return 0.0;
        }
        // The last bit that the result has: the 53rd, or that of the least number.
        let last = (bits - 53).max(-1074 - self.exponent).max(0) as usize;
        let digit = |place: usize| self.digits.get(place).copied().unwrap_or(0);
        let is_set = |bit: usize| digit(bit / 64) >> (bit % 64) & 1 == 1;
        let (whole, part) = (last / 64, last % 64);
        let low = digit(whole) >> part;
        let high = if part > 0 {
            digit(whole + 1) << (64 - part)
        } else {
            0
        };
        let mut size = low | high;
        if last > 0 && is_set(last - 1) {
            let beyond_half = (0..last - 1).any(is_set);
            size += u64::from(beyond_half || size & 1 == 1);
        }
        // At most 2^53, so the product is exact, or overflows.
        let mut value = size as f64;
        let mut exponent = self.exponent + last as i32;
        while exponent != 0 && value.is_finite() {
            let step = exponent.clamp(-1000, 1000);
            value *= f64::from_bits(((1023 + step) as u64) << 52);
            exponent -= step;
        }
        // Turns -0 into +0.
        (if self.negative { -value } else { value }) + 0.0
    }

    /// Returns the value to within a few units in the last place of `f64`; beyond its range, a number
    /// of about 2^1020, or zero.
    pub(crate) fn estimate(&self) -> f64 {
        let (size, exponent) = self.to_f64_and_exponent();
        scaled(size, exponent)
    }
}

/// Returns an odd `m`, or zero, and `e` with `|x| = m 2^e`, for a finite `x`.
#[inline]
pub(super) fn parts(x: f64) -> (u64, i32) {
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
pub(super) fn scaled(x: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    let exponent = exponent.clamp(-1100, 1018);
    let half = exponent / 2;
    x * power(half) * power(exponent - half)
}

#[cfg(test)]
mod tests;

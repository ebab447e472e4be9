//! Integers of any length: those of up to 1,024 bits need no memory from the heap.

use super::digits::{Digits, add, finish, multiply, order, shift, subtract};
use core::cmp::Ordering;
use core::ops::{Add, Mul, Neg, Sub};

/// An integer: sign and magnitude.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WideInteger {
    /// Whether it is below zero.
    negative: bool,
    /// The digits of the absolute value, the least digit first, without leading zeros: zero has
    /// none.
    digits: Digits,
}

impl WideInteger {
    #[inline]
    pub(crate) fn zero() -> Self {
        WideInteger {
            negative: false,
            digits: Digits::new(),
        }
    }

    #[inline]
    pub(crate) fn from_i64(x: i64) -> Self {
        let mut number = WideInteger::zero();
        number.digits.push(x.unsigned_abs());
        number.finish(x < 0);
        number
    }

    pub(crate) fn from_i128(x: i128) -> Self {
        let mut number = WideInteger::zero();
        let size = x.unsigned_abs();
        number.digits.push(size as u64);
        number.digits.push((size >> 64) as u64);
        number.finish(x < 0);
        number
    }

    /// Removes leading zeros and sets the sign. Numbers are made in place: a move copies all of the
    /// inline digits.
    #[inline]
    fn finish(&mut self, negative: bool) {
        finish(&mut self.digits);
        self.negative = negative && !self.digits.is_empty();
    }

    /// Returns -1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => -1,
        }
    }

    /// Returns the number of bits of the absolute value.
    pub(crate) fn bits(&self) -> usize {
        match self.digits.last() {
            None => 0,
            Some(top) => 64 * self.digits.len() - top.leading_zeros() as usize,
        }
    }

    pub(crate) fn square(&self) -> Self {
        self * self
    }

    /// Returns the number times `2^places`.
    pub(crate) fn shifted(&self, places: usize) -> Self {
        if places == 0 || self.digits.is_empty() {
            return self.clone();
        }
        let mut shifted = WideInteger::zero();
        shift(&mut shifted.digits, &self.digits, places);
        shifted.finish(self.negative);
        shifted
    }

    /// Returns `m` and `e` with `|m| < 2` such that the number is `m 2^e`, where m has a relative
    /// error of at most 2^-52: the digits that are cut off, and the rounding to `f64`.
    pub(crate) fn to_f64_and_exponent(&self) -> (f64, i32) {
        let bits = self.bits();
        if bits == 0 {
            return (0.0, 0);
        }
        let digit = |place: usize| self.digits.get(place).copied().unwrap_or(0);
        // The 64 highest bits.
        let (whole, part) = (bits.saturating_sub(64) / 64, bits.saturating_sub(64) % 64);
        let top = (u128::from(digit(whole + 1)) << 64 | u128::from(digit(whole))) >> part;
        let exponent = bits as i32 - 1;
        let below = bits.min(64) as i32 - 1;
        let size = top as u64 as f64 / (1u64 << below) as f64;
        (if self.negative { -size } else { size }, exponent)
    }

    fn plus(&self, other: &Self, other_negative: bool) -> Self {
        let mut sum = WideInteger::zero();
        if self.negative == other_negative {
            add(&mut sum.digits, &self.digits, &other.digits);
            sum.finish(other_negative);
        } else if order(&self.digits, &other.digits) == Ordering::Less {
            subtract(&mut sum.digits, &other.digits, &self.digits);
            sum.finish(other_negative);
        } else {
            subtract(&mut sum.digits, &self.digits, &other.digits);
            sum.finish(self.negative);
        }
        sum
    }
}

impl PartialOrd for WideInteger {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for WideInteger {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = self.sign();
        sign.cmp(&other.sign()).then_with(|| {
            let sizes = order(&self.digits, &other.digits);
            if sign < 0 { sizes.reverse() } else { sizes }
        })
    }
}

impl Neg for WideInteger {
    type Output = WideInteger;

    fn neg(mut self) -> WideInteger {
        self.negative = !self.negative && !self.digits.is_empty();
        self
    }
}

impl Add for &WideInteger {
    type Output = WideInteger;

    fn add(self, other: &WideInteger) -> WideInteger {
        self.plus(other, other.negative)
    }
}

impl Sub for &WideInteger {
    type Output = WideInteger;

    fn sub(self, other: &WideInteger) -> WideInteger {
        self.plus(other, !other.negative)
    }
}

impl Mul for &WideInteger {
    type Output = WideInteger;

    fn mul(self, other: &WideInteger) -> WideInteger {
        let mut product = WideInteger::zero();
        if !self.digits.is_empty() && !other.digits.is_empty() {
            // A product has as many bits as both factors together, or one bit less.
            let len = (self.bits() + other.bits()).div_ceil(64);
            product.digits.resize(len, 0);
            multiply(&mut product.digits, &self.digits, &other.digits);
            product.finish(self.negative != other.negative);
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;
    use num_bigint::{BigInt, Sign};
    use num_traits::{Signed, ToPrimitive};
    use std::vec::Vec;

    fn big(x: &WideInteger) -> BigInt {
        let bytes: Vec<u8> = x
            .digits
            .iter()
            .flat_map(|digit| digit.to_le_bytes())
            .collect();
        let sign = if x.negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_bytes_le(sign, &bytes)
    }

    /// Returns a number of up to `most` digits, with long runs of zeros and ones.
    fn number(numbers: &mut Numbers, most: u64) -> WideInteger {
        let len = (numbers.next() >> 8) % (most + 1);
        let mut number = WideInteger::zero();
        number
            .digits
            .extend((0..len).map(|_| match (numbers.next() >> 7) % 4 {
                0 => 0,
                1 => u64::MAX,
                2 => 1 << (numbers.next() >> 32 & 63),
                _ => numbers.next(),
            }));
        number.finish(numbers.next() >> 9 & 1 == 1);
        number
    }

    fn same(found: &WideInteger, truth: &BigInt, what: &str) {
        assert_eq!(big(found), *truth, "{what}");
        assert_eq!(found.bits() as u64, truth.bits(), "{what}");
        assert_eq!(found.sign(), truth.signum().to_i32().unwrap(), "{what}");
        assert_ne!(found.digits.last(), Some(&0), "{what}");
    }

    #[test]
    fn all_operations_equal_those_of_big_integers() {
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let mut carried = 0;
        for _ in 0..60_000 {
            let (a, b) = (number(&mut numbers, 20), number(&mut numbers, 20));
            let (x, y) = (big(&a), big(&b));
            same(&(&a + &b), &(&x + &y), "sum");
            same(&(&a - &b), &(&x - &y), "difference");
            same(&(&a * &b), &(&x * &y), "product");
            same(&a.square(), &(&x * &x), "square");
            same(&-a.clone(), &-&x, "negated");
            assert_eq!(a.cmp(&b), x.cmp(&y));
            assert_eq!(a.cmp(&a), Ordering::Equal);
            let places = (numbers.next() >> 20) as usize % 300;
            same(&a.shifted(places), &(&x << places), "shifted");
            carried += usize::from((&a + &b).digits.len() > a.digits.len().max(b.digits.len()));
        }
        assert!(carried > 100, "{carried}");
    }

    #[test]
    fn small_ones_are_what_they_seem() {
        for x in [0, 1, -1, 7, i64::MAX, i64::MIN] {
            let wide = WideInteger::from_i64(x);
            same(&wide, &BigInt::from(x), "i64");
            let square = i128::from(x) * i128::from(x);
            same(
                &WideInteger::from_i128(-square),
                &BigInt::from(-square),
                "i128",
            );
            assert_eq!(wide.sign(), x.signum() as i32);
        }
        assert_eq!(WideInteger::zero(), WideInteger::from_i64(0));
    }

    #[test]
    fn numbers_up_to_1024_bits_stay_inline() {
        let power = |bits: usize| WideInteger::from_i64(1).shifted(bits - 1);
        let most = |bits: usize| &power(bits + 1) - &WideInteger::from_i64(1);
        for bits in 1..1023 {
            let top = &most(bits) * &most(1024 - bits);
            assert!(top.bits() >= 1023, "{bits}");
            assert!(!top.digits.spilled(), "{bits}");
            assert!(!(&power(1024) - &top).digits.spilled());
            assert!(!(&power(1023) + &power(bits)).digits.spilled());
        }
        assert!((&power(1024) + &power(1024)).digits.spilled());
        assert!((&power(1024) * &power(2)).digits.spilled());
    }

    #[test]
    fn the_nearest_f64_is_a_neighbour() {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        for _ in 0..20_000 {
            let a = number(&mut numbers, 9);
            let (size, exponent) = a.to_f64_and_exponent();
            assert_eq!(size == 0.0, a.sign() == 0);
            if a.sign() == 0 {
                continue;
            }
            assert!((1.0..=2.0).contains(&size.abs()) && size.signum() as i32 == a.sign());
            // size 2^exponent against a, both times 2^60.
            let found = BigInt::from((size * 2f64.powi(60)) as i64) << exponent as usize;
            let truth: BigInt = big(&a) << 60;
            let off: BigInt = found - &truth;
            assert!(off.abs() << 52 <= truth.abs(), "{a:?}");
        }
    }
}

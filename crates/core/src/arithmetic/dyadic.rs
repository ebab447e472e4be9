//! Dyadic numbers: integers times powers of two. All `f64`s are, and so are their sums and products.

use super::digits::{Digits, add, finish, multiply, order, shift, subtract};
use super::two_sum;
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
        let (size, exponent) = parts(a);
        if size != 0 {
            number.digits.push(size);
            (number.negative, number.exponent) = (a < 0.0, exponent);
        }
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

    /// Returns the value to within a few units in the last place of `f64`; beyond its range, a number
    /// of about 2^1020, or zero.
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
mod tests {
    use super::*;
    use num_bigint::{BigInt, Sign};
    use num_traits::Signed;
    use std::vec::Vec;

    /// The unit of `big`: 2^-UNIT divides every product of seven `f32`s.
    const UNIT: i32 = 7 * 149;

    /// Returns the number in units of 2^-UNIT.
    fn big(x: &Dyadic) -> BigInt {
        let bytes: Vec<u8> = x
            .digits
            .iter()
            .flat_map(|digit| digit.to_le_bytes())
            .collect();
        let sign = if x.negative { Sign::Minus } else { Sign::Plus };
        assert_ne!(x.digits.last(), Some(&0));
        let size = BigInt::from_bytes_le(sign, &bytes);
        match u32::try_from(x.exponent + UNIT) {
            Ok(places) => size << places,
            Err(_) => panic!("below the unit: {x:?}"),
        }
    }

    fn big_f32(x: f32) -> BigInt {
        let bits = x.to_bits();
        let exponent = bits >> 23 & 0xff;
        let size = bits & 0x7f_ffff | u32::from(exponent > 0) << 23;
        let size = BigInt::from(size) << (exponent.max(1) - 1 + (UNIT as u32 - 149));
        if x < 0.0 { -size } else { size }
    }

    /// Returns a deterministic stream of `f32`s of every exponent, some with few bits.
    fn numbers() -> impl Iterator<Item = f32> {
        let mut state = 0x9e37_79b9_u32;
        core::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let few = if state & 64 == 0 {
                0xfff0_0000
            } else {
                u32::MAX
            };
            f32::from_bits(state & few)
        })
        .filter(|x| x.is_finite())
    }

    #[test]
    fn sums_and_differences_are_exact() {
        let mut n = numbers();
        for _ in 0..2000 {
            let [a, b, c, d] = core::array::from_fn(|_| n.next().unwrap());
            let of = |a: f32, b: f32| Dyadic::difference(a.into(), b.into());
            let (e, f) = (of(a, b), of(c, d));
            let (big_e, big_f) = (big_f32(a) - big_f32(b), big_f32(c) - big_f32(d));
            assert_eq!(big(&e), big_e);
            assert_eq!(big(&e.add(&f)), &big_e + &big_f);
            assert_eq!(big(&e.sub(&f)), &big_e - &big_f);
            assert_eq!(big(&e.clone().neg()), -big_e);
            assert_eq!(e.add(&f).sub(&e).sub(&f).sign(), 0);
            let zero = Dyadic::from_f64(-0.0);
            assert_eq!(big(&zero.sub(&e)), -big(&e));
            assert_eq!(big(&e.add(&zero)), big(&e));
        }
    }

    #[test]
    fn products_are_exact_at_any_size() {
        let mut n = numbers();
        for _ in 0..300 {
            let mut factor = || {
                let [a, b] = core::array::from_fn(|_| n.next().unwrap());
                let exact = Dyadic::difference(a.into(), b.into());
                (exact, big_f32(a) - big_f32(b))
            };
            let factors: [_; 7] = core::array::from_fn(|_| factor());
            let mut product = Dyadic::from_f64(1.0);
            let mut truth = BigInt::from(1);
            for (exact, big) in &factors {
                product = product.mul(exact);
                truth *= big;
            }
            // Each of the seven was in units.
            assert_eq!(big(&product) << (6 * UNIT as usize), truth);
            assert_eq!(
                i64::from(product.sign()),
                truth.signum().try_into().unwrap()
            );
            let (estimate, back) = (product.estimate(), Dyadic::from_f64(product.estimate()));
            let off = big(&product.sub(&back)).abs();
            assert!(off << 51 <= big(&product).abs(), "{estimate}");
        }
    }

    #[test]
    fn extremes_neither_overflow_nor_vanish() {
        let widest = Dyadic::difference(f32::MAX.into(), (-f32::MAX).into());
        let least = Dyadic::from_f64(f32::from_bits(1).into());
        let seventh = |x: &Dyadic| (0..6).fold(x.clone(), |product, _| product.mul(x));
        assert!(seventh(&widest).estimate().is_finite());
        assert_eq!(seventh(&least).estimate(), f64::from_bits(1 << 31)); // 2^-1043
        assert_eq!(seventh(&widest.sub(&least)).sign(), 1);
        let far = seventh(&seventh(&widest));
        assert_eq!((far.sign(), far.estimate().is_finite()), (1, true));
        assert_eq!(seventh(&seventh(&least)).sign(), 1);
    }
}

//! Parameters along a ray, some of which are irrational.

use super::binary::Binary;
use super::number::{Fraction, nearest_f32};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

/// A parameter along a ray.
#[derive(Clone, Debug)]
pub(super) enum Parameter {
    Rational(Fraction),
    Irrational(Irrational),
}

/// `(whole + side sqrt(square)) / den`, where the square is not that of an integer and the denominator is
/// positive.
#[derive(Clone, Debug)]
pub(super) struct Irrational {
    whole: BigInt,
    side: i32,
    square: BigInt,
    den: BigInt,
}

impl Parameter {
    /// Returns `(whole + side sqrt(square)) / den` for a side of 1 or -1, a square that is not negative
    /// and a positive denominator.
    pub(super) fn root(whole: &BigInt, side: i32, square: &BigInt, den: &BigInt) -> Self {
        let root = square.sqrt();
        let den = den.clone();
        match &root * &root == *square {
            true => Parameter::Rational(Fraction {
                num: whole + root * side,
                den,
            }),
            false => Parameter::Irrational(Irrational {
                whole: whole.clone(),
                side,
                square: square.clone(),
                den,
            }),
        }
    }

    /// Returns integers below and above the number times `2^places`; the lower may be equal to it.
    fn around(&self, places: u32) -> (BigInt, BigInt) {
        match self {
            Parameter::Rational(Fraction { num, den }) => {
                let low = floor(&(num << places), den);
                let high = &low + 1u32;
                (low, high)
            }
            Parameter::Irrational(Irrational {
                whole,
                side,
                square,
                den,
            }) => {
                let whole = whole << places;
                let root = (square << (2 * places)).sqrt();
                let (low, high) = match *side < 0 {
                    true => (&whole - &root - 1u32, whole - root),
                    false => (&whole + &root, whole + root + 1u32),
                };
                (floor(&low, den), floor(&high, den) + 1u32)
            }
        }
    }

    /// Compares by more and more digits, once the two are known to differ.
    pub(super) fn cmp(&self, other: &Parameter) -> Ordering {
        match (self, other) {
            (Parameter::Rational(a), Parameter::Rational(b)) => return a.cmp(b),
            (Parameter::Irrational(a), Parameter::Irrational(b)) if a.equals(b) => {
                return Ordering::Equal;
            }
            _ => {}
        }
        let mut places = 64;
        loop {
            let (a, b) = (self.around(places), other.around(places));
            if a.1 <= b.0 {
                return Ordering::Less;
            }
            if b.1 <= a.0 {
                return Ordering::Greater;
            }
            places *= 2;
        }
    }

    /// Compares with a number that is not NaN.
    pub(super) fn cmp_f64(&self, x: f64) -> Ordering {
        if x.is_infinite() {
            return 0f64.total_cmp(&x);
        }
        let Binary { size, exponent } = Binary::new(x);
        let power = |exponent: i64| BigInt::from(1) << exponent.max(0);
        self.cmp(&Parameter::Rational(Fraction {
            num: size * power(exponent),
            den: power(-exponent),
        }))
    }

    /// Returns the nearest `f32`, ties to even.
    pub(super) fn nearest_f32(&self) -> f32 {
        if let Parameter::Rational(fraction) = self {
            return fraction.nearest_f32();
        }
        let mut places = 64;
        loop {
            let (low, high) = self.around(places);
            let one = BigInt::from(1) << places;
            let [low, high] = [low, high].map(|end| nearest_f32(&end, &one));
            if low.to_bits() == high.to_bits() {
                return low;
            }
            places *= 2;
        }
    }
}

impl Irrational {
    /// Two irrational square roots differ by a rational number only if it is 0.
    fn equals(&self, other: &Irrational) -> bool {
        let rest = &self.whole * &other.den - &other.whole * &self.den;
        let own = &self.square * &other.den * &other.den;
        let others = &other.square * &self.den * &self.den;
        rest.is_zero() && self.side == other.side && own == others
    }
}

/// Returns the greatest integer that is not above `num / den`, for a positive denominator.
fn floor(num: &BigInt, den: &BigInt) -> BigInt {
    let (whole, rest) = (num / den, num % den);
    if rest.is_negative() {
        whole - 1u32
    } else {
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(whole: i64, side: i32, square: i64, den: i64) -> Parameter {
        let [whole, square, den] = [whole, square, den].map(BigInt::from);
        Parameter::root(&whole, side, &square, &den)
    }

    #[test]
    fn roots_are_rounded_and_ordered() {
        for (whole, side, square, den) in
            [(3, -1, 5, 2), (-7, 1, 2, 3), (-1, -1, 10, 7), (0, 1, 2, 1)]
        {
            let value = (whole as f64 + f64::from(side) * (square as f64).sqrt()) / den as f64;
            let found = root(whole, side, square, den);
            assert_eq!(found.nearest_f32(), value as f32);
            assert_eq!(
                found.cmp_f64((value as f32).into()),
                value.total_cmp(&f64::from(value as f32))
            );
        }
        assert_eq!(root(3, -1, 9, 2).nearest_f32().to_bits(), 0);
        assert_eq!(root(3, 1, 9, 2).cmp_f64(3.0), Ordering::Equal);
        assert_eq!(root(1, 1, 2, 1).cmp(&root(3, 1, 18, 3)), Ordering::Equal);
        assert_eq!(root(1, 1, 2, 1).cmp(&root(1, -1, 2, 1)), Ordering::Greater);
        assert_eq!(root(1, 1, 2, 1).cmp(&root(0, 1, 6, 1)), Ordering::Less);
        assert_eq!(
            root(0, -1, 2, 1).cmp_f64(f64::NEG_INFINITY),
            Ordering::Greater
        );
    }
}

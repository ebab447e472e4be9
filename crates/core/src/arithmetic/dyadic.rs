//! Dyadic numbers: integers times powers of two. All `f64`s are, and so are their sums and products.

use super::WideInteger;
use core::cmp::Ordering;

/// An exact real number, of any size: `integer * 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    integer: WideInteger,
    exponent: i32,
}

impl Dyadic {
    /// Returns a finite number.
    pub(crate) fn from_f64(a: f64) -> Self {
        let bits = a.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        debug_assert_ne!(exponent, 0x7ff, "finite");
        let leading = u64::from(exponent > 0) << 52;
        let size = (bits & ((1 << 52) - 1) | leading) as i64;
        // Few bits make the digits of sums and products few.
        let zeros = if size == 0 { 0 } else { size.trailing_zeros() };
        let size = size >> zeros;
        Dyadic {
            integer: WideInteger::from_i64(if a < 0.0 { -size } else { size }),
            exponent: exponent.max(1) - 1075 + zeros as i32,
        }
    }

    /// Returns `a - b`, exactly.
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        Dyadic::from_f64(a).sub(&Dyadic::from_f64(b))
    }

    pub(crate) fn add(&self, other: &Dyadic) -> Self {
        match (self.sign(), other.sign()) {
            (0, _) => other.clone(),
            (_, 0) => self.clone(),
            _ => self.combine(other, |a, b| a + b),
        }
    }

    pub(crate) fn sub(&self, other: &Dyadic) -> Self {
        match (self.sign(), other.sign()) {
            (0, _) => other.clone().neg(),
            (_, 0) => self.clone(),
            _ => self.combine(other, |a, b| a - b),
        }
    }

    /// Combines two integers of one unit. A zero may have any exponent: none must come here.
    #[inline(always)]
    fn combine(
        &self,
        other: &Dyadic,
        operation: impl Fn(&WideInteger, &WideInteger) -> WideInteger,
    ) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let above = |number: &Dyadic| (number.exponent - exponent) as usize;
        let integer = match self.exponent.cmp(&other.exponent) {
            Ordering::Equal => operation(&self.integer, &other.integer),
            Ordering::Less => operation(&self.integer, &other.integer.shifted(above(other))),
            Ordering::Greater => operation(&self.integer.shifted(above(self)), &other.integer),
        };
        Dyadic { integer, exponent }
    }

    pub(crate) fn neg(self) -> Self {
        Dyadic {
            integer: -self.integer,
            ..self
        }
    }

    pub(crate) fn mul(&self, other: &Dyadic) -> Self {
        Dyadic {
            integer: &self.integer * &other.integer,
            exponent: self.exponent + other.exponent,
        }
    }

    /// Returns -1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        self.integer.sign()
    }

    /// Returns the value to within a few units in the last place of `f64`; in the absolute value no
    /// more than 2^1020.
    pub(crate) fn estimate(&self) -> f64 {
        let (size, exponent) = self.integer.to_f64_and_exponent();
        scaled(size, exponent + self.exponent)
    }
}

/// Returns `x 2^exponent` for `|x| < 4`, rounded where it is below the normal `f64`s, and no more
/// than 2^1020.
fn scaled(x: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    let exponent = exponent.clamp(-1100, 1018);
    let half = exponent / 2;
    x * power(half) * power(exponent - half)
}

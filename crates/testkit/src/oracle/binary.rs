//! Exact numbers: every finite `f64` is an integer times a power of two.

use super::number::nearest_f64;
use num_bigint::BigInt;
use num_traits::Zero;

/// An `f64` as an integer times a power of two.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    pub(super) size: BigInt,
    pub(super) exponent: i64,
}

impl Binary {
    pub(super) fn new(x: f64) -> Self {
        assert!(x.is_finite());
        let bits = x.abs().to_bits();
        let biased = (bits >> 52) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let size = if biased == 0 {
            fraction
        } else {
            fraction | 1 << 52
        };
        let zeros = if size == 0 { 0 } else { size.trailing_zeros() };
        let size = BigInt::from(size >> zeros);
        Binary {
            exponent: match size.is_zero() {
                true => 0,
                false => biased.max(1) - 1075 + i64::from(zeros),
            },
            size: if x < 0.0 { -size } else { size },
        }
    }

    pub(super) fn times(&self, other: &Binary) -> Binary {
        Binary {
            size: &self.size * &other.size,
            exponent: self.exponent + other.exponent,
        }
    }

    pub(super) fn plus(&self, other: &Binary) -> Binary {
        if self.size.is_zero() || other.size.is_zero() {
            return if self.size.is_zero() {
                other.clone()
            } else {
                self.clone()
            };
        }
        let exponent = self.exponent.min(other.exponent);
        Binary {
            size: self.in_units(exponent) + other.in_units(exponent),
            exponent,
        }
    }

    pub(super) fn minus(&self, other: &Binary) -> Binary {
        self.plus(&Binary {
            size: -&other.size,
            exponent: other.exponent,
        })
    }

    /// Returns the number divided by `2^exponent`, which must leave an integer.
    pub(super) fn in_units(&self, exponent: i64) -> BigInt {
        if self.size.is_zero() {
            return BigInt::ZERO;
        }
        let places = u32::try_from(self.exponent - exponent).expect("a unit that divides it");
        &self.size << places
    }

    /// Returns the nearest `f64`, ties to even.
    pub(super) fn nearest(&self) -> f64 {
        let [up, down] = [self.exponent, -self.exponent].map(|places| places.max(0) as u64);
        nearest_f64(&(&self.size << up), &(BigInt::from(1) << down))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_the_way_there_and_back() {
        for x in [
            0.0,
            1.0,
            -0.1,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            3e-310,
            -1e300,
        ] {
            assert_eq!(
                Binary::new(x).nearest().to_bits(),
                (x + 0.0).to_bits(),
                "{x}"
            );
        }
        let sum = |a: f64, b: f64| Binary::new(a).plus(&Binary::new(b)).nearest();
        let product = |a: f64, b: f64| Binary::new(a).times(&Binary::new(b)).nearest();
        for (a, b) in [
            (0.1, 0.2),
            (1e16, 1.0),
            (1.0, f64::EPSILON / 2.0),
            (-3.5, 1e-30),
        ] {
            assert_eq!(sum(a, b), a + b);
            assert_eq!(product(a, b), a * b);
        }
        assert_eq!(product(1e-200, 1e-120), 1e-320);
    }
}

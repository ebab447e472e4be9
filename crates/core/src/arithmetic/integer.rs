//! Integers of 192 bits, for products of three differences of coordinates.

use core::cmp::Ordering;

/// `high * 2^64 + low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    high: i128,
    low: u64,
}

impl Integer {
    /// Returns `a * b`, for `|a| < 2^126` so that sums of a few do not overflow.
    #[inline(always)]
    pub(crate) fn product(a: i128, b: i64) -> Self {
        let low = i128::from(a as u64) * i128::from(b);
        Integer {
            high: i128::from((a >> 64) as i64) * i128::from(b) + (low >> 64),
            low: low as u64,
        }
    }

    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Integer {
            high: self.high + other.high + i128::from(carry),
            low,
        }
    }

    #[inline(always)]
    pub(crate) fn negated(self) -> Self {
        let (low, borrow) = 0u64.overflowing_sub(self.low);
        Integer {
            high: -self.high - i128::from(borrow),
            low,
        }
    }

    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    /// Returns -1, 0 or 1.
    #[inline(always)]
    pub(crate) fn sign(self) -> i32 {
        match self.high.signum() as i32 {
            0 => i32::from(self.low > 0),
            sign => sign,
        }
    }

    fn size(self) -> Self {
        if self.high < 0 { self.negated() } else { self }
    }

    /// Returns the nearest `f64` or a neighbour, with a relative error of at most 2^-52 + 2^-106:
    /// the roundings of the parts, together 2^-53 of it, and of their sum.
    pub(crate) fn to_f64(self) -> f64 {
        const TWO_TO_64: f64 = (1u128 << 64) as f64;
        let size = self.size();
        let size_f64 = match u64::try_from(size.high) {
            Ok(high) => high as f64 * TWO_TO_64 + size.low as f64,
            Err(_) => size.high as f64 * TWO_TO_64 + size.low as f64,
        };
        if self.high < 0 { -size_f64 } else { size_f64 }
    }

    /// Returns the digits of the absolute value, the least digit first.
    pub(crate) fn digits(self) -> [u64; 3] {
        let size = self.size();
        [size.low, size.high as u64, (size.high >> 64) as u64]
    }
}

/// Compares `a / b` and `c / d`, for `b` and `d` that are not zero.
pub(crate) fn order_quotients(a: Integer, b: Integer, c: Integer, d: Integer) -> Ordering {
    let signs = (a.sign() * b.sign(), c.sign() * d.sign());
    signs.0.cmp(&signs.1).then_with(|| {
        let sizes = times(a.digits(), d.digits())
            .into_iter()
            .rev()
            .cmp(times(c.digits(), b.digits()).into_iter().rev());
        if signs.0 < 0 { sizes.reverse() } else { sizes }
    })
}

fn times(a: [u64; 3], b: [u64; 3]) -> [u64; 6] {
    let mut product = [0; 6];
    for (i, a) in a.into_iter().enumerate() {
        let mut carry = 0u128;
        for (j, b) in b.into_iter().enumerate() {
            carry += u128::from(a) * u128::from(b) + u128::from(product[i + j]);
            product[i + j] = carry as u64;
            carry >>= 64;
        }
        product[i + 3] = carry as u64;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(a: i64) -> Integer {
        Integer::product(a.into(), 1)
    }

    #[test]
    fn small_ones_are_what_they_seem() {
        let numbers = [
            0,
            1,
            -1,
            5,
            -5,
            i64::MAX,
            -i64::MAX,
            1 << 53,
            -(1 << 53) - 1,
        ];
        for a in numbers {
            assert_eq!(integer(a).sign(), a.signum() as i32);
            assert_eq!(integer(a).to_f64(), a as f64);
            assert_eq!(integer(a).minus(integer(a)), integer(0));
            for b in numbers {
                let product = i128::from(a) * i128::from(b);
                let found = Integer::product(a.into(), b);
                assert_eq!(found, Integer::product(b.into(), a), "{a} {b}");
                assert_eq!(found.plus(integer(7)).minus(found), integer(7), "{a} {b}");
                let off = (found.to_f64() - product as f64).abs();
                assert!(off <= found.to_f64().abs() * f64::EPSILON, "{a} {b}");
                assert_eq!(integer(a).minus(integer(b)).sign(), a.cmp(&b) as i32);
            }
        }
    }

    /// At the greatest sizes that a grid makes, equal quotients and slightly different ones have
    /// the right order.
    #[test]
    fn quotients_compare_at_full_width() {
        let most = Integer::product((1 << 125) - 1, (1 << 62) - 1);
        let wide = most.plus(most).plus(most);
        let less = wide.minus(integer(1));
        for sign in [1, -1] {
            let turn = |x: Integer| if sign < 0 { x.negated() } else { x };
            let expect = sign.cmp(&0);
            assert_eq!(order_quotients(turn(wide), less, turn(less), wide), expect);
            assert_eq!(
                order_quotients(turn(less), wide, turn(wide), less),
                expect.reverse()
            );
            assert_eq!(
                order_quotients(turn(wide), most, wide, turn(most)),
                Ordering::Equal
            );
            let across = order_quotients(turn(wide), less, turn(less).negated(), wide);
            assert_eq!(across, expect);
        }
        let zero = integer(0);
        assert_eq!(
            order_quotients(zero, wide, zero, most.negated()),
            Ordering::Equal
        );
        assert_eq!(order_quotients(zero, wide, most, most), Ordering::Less);
    }
}

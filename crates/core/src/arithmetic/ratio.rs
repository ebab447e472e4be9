//! Exact quotients, to compare parameters along a ray or distances, and to round them once.

use super::dyadic::{Dyadic, scaled};
use super::{Interval, sqrt};
use core::cmp::Ordering;

const TWO_TO_MINUS_50: f64 = 4.0 * f64::EPSILON;

/// The exact number `num / den`, with `den > 0`.
#[derive(Clone)]
pub struct Ratio {
    pub(super) num: Dyadic,
    pub(super) den: Dyadic,
}

impl Ratio {
    /// Returns `num / den` for a `den` that is not zero.
    pub(crate) fn new(num: Dyadic, den: Dyadic) -> Self {
        debug_assert_ne!(den.sign(), 0);
        if den.sign() < 0 {
            Ratio {
                num: num.neg(),
                den: den.neg(),
            }
        } else {
            Ratio { num, den }
        }
    }

    pub(crate) fn cmp(&self, other: &Ratio) -> Ordering {
        let left = self.num.mul(&other.den);
        left.cmp(&other.num.mul(&self.den))
    }

    /// Compares with a number that may be infinite but not NaN.
    pub(crate) fn cmp_f64(&self, other: f64) -> Ordering {
        if other.is_infinite() {
            return 0.0f64.total_cmp(&other);
        }
        let right = self.den.mul(&Dyadic::from_f64(other));
        self.num.cmp(&right)
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
        let right = self.den.mul(&Dyadic::from_f64(other).square());
        self.num.cmp(&right)
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
        let root = sqrt(scaled(size, odd));
        let estimate = scaled(root, (exponent - odd) / 2) as f32;
        nearest(estimate, |boundary| self.cmp_root(boundary))
    }

    /// Returns an interval that contains the quotient, which must not be negative: that of
    /// [`bounds`](Self::bounds), from 0 on.
    pub(crate) fn interval(&self) -> Interval {
        let (low, high) = self.bounds();
        (low.max(0.0), high)
    }

    /// Returns an interval that contains the quotient, of any sign and size; beyond 2^1000 it is open.
    ///
    /// The estimate is off by 2^-52 of each number and 2^-53 of the quotient: 2^-50 relative is more
    /// than that and the rounding of an end. Where the quotient is below the normal `f64`s, it is
    /// off by less than the least of these.
    pub(crate) fn bounds(&self) -> Interval {
        let (size, exponent) = self.estimate();
        let value = scaled(size, exponent);
        let error = value.abs() * TWO_TO_MINUS_50 + f64::MIN_POSITIVE;
        match self.num.sign() {
            0 => (0.0, 0.0),
            _ if exponent <= 1000 => (value - error, value + error),
            1 => (1e300, f64::INFINITY),
            _ => (f64::NEG_INFINITY, -1e300),
        }
    }

    /// Returns `m` and `e` with the quotient nearly `m 2^e`, and `|m| < 4`.
    pub(super) fn estimate(&self) -> (f64, i32) {
        let (num, num_exponent) = self.num.to_f64_and_exponent();
        let (den, den_exponent) = self.den.to_f64_and_exponent();
        (num / den, num_exponent - den_exponent)
    }

    /// Returns whether a part, or a product made in a comparison, needs memory from the heap.
    #[cfg(test)]
    pub(crate) fn is_on_heap_beside(&self, other: &Ratio) -> bool {
        let products = [self.num.mul(&other.den), other.num.mul(&self.den)];
        let parts = [&self.num, &self.den, &other.num, &other.den];
        products.iter().chain(parts).any(Dyadic::is_on_heap)
    }

    /// Returns `start + self * step`.
    pub(crate) fn on_line(&self, start: f64, step: f64) -> Ratio {
        let along = self.num.mul(&Dyadic::from_f64(step));
        Ratio {
            num: self.den.mul(&Dyadic::from_f64(start)).add(&along),
            den: self.den.clone(),
        }
    }
}

/// Returns the `f32` nearest to a number that can be compared, ties to even, by a search from
/// `estimate` in single steps.
pub(crate) fn nearest(estimate: f32, compare: impl Fn(f64) -> Ordering) -> f32 {
    let mut nearest = estimate;
    loop {
        let odd = nearest.to_bits() & 1 == 1;
        let beyond = |order: Ordering, way| order == way || (odd && order == Ordering::Equal);
        let (below, above) = boundaries(nearest);
        if beyond(compare(above), Ordering::Greater) {
            nearest = nearest.next_up();
        } else if beyond(compare(below), Ordering::Less) {
            nearest = nearest.next_down();
        } else {
            return nearest + 0.0; // turns -0 into +0
        }
    }
}

/// Returns the numbers halfway to the neighbours of `x`, exactly. The neighbour of the largest
/// `f32` is 2^128, as in IEEE rounding; infinity has no upper neighbour.
fn boundaries(x: f32) -> (f64, f64) {
    const TWO_TO_128: f64 = (1u128 << 127) as f64 * 2.0;
    let wide = |y: f32| match y {
        f32::INFINITY => TWO_TO_128,
        f32::NEG_INFINITY => -TWO_TO_128,
        _ => f64::from(y),
    };
    let below = if x == f32::NEG_INFINITY {
        f64::NEG_INFINITY
    } else {
        (wide(x.next_down()) + wide(x)) / 2.0
    };
    let above = if x == f32::INFINITY {
        f64::INFINITY
    } else {
        (wide(x.next_up()) + wide(x)) / 2.0
    };
    (below, above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;
    use num_bigint::BigInt;

    fn ratio(num: f64, den: f64) -> Ratio {
        Ratio::new(Dyadic::from_f64(num), Dyadic::from_f64(den))
    }

    #[test]
    fn rounding_is_to_nearest_even_everywhere() {
        assert_eq!(ratio(1.0, 3.0).to_f32(), 1.0 / 3.0);
        assert_eq!(ratio(-1.0, -3.0).to_f32(), 1.0 / 3.0);
        assert_eq!(ratio(-0.0, -3.0).to_f32().to_bits(), 0);
        // Halfway between two floats: to the even one, on either side of zero.
        let tie = 1.0 + 2f64.powi(-24);
        assert_eq!(ratio(tie, 1.0).to_f32(), 1.0);
        assert_eq!(ratio(-tie, 1.0).to_f32(), -1.0);
        assert_eq!(
            ratio(tie + 2f64.powi(-23), 1.0).to_f32(),
            1.0 + 2f32.powi(-22)
        );
        // Slightly beyond halfway, by less than the resolution of the f64 quotient.
        let hair = Dyadic::difference(tie, -2f64.powi(-90));
        assert_eq!(
            Ratio::new(hair, Dyadic::from_f64(1.0)).to_f32(),
            1.0f32.next_up()
        );
        // Subnormal results, and results that round to zero.
        let tiny = f64::from(f32::from_bits(1));
        assert_eq!(ratio(tiny, 2.0).to_f32().to_bits(), 0);
        assert_eq!(ratio(-tiny, 3.0).to_f32().to_bits(), 0);
        assert_eq!(ratio(tiny * 3.0, 2.0).to_f32(), f32::from_bits(2));
        // Overflow: the boundary itself rounds away from the odd largest float.
        let boundary = f64::from(f32::MAX) + 2f64.powi(103);
        assert_eq!(ratio(boundary, 1.0).to_f32(), f32::INFINITY);
        assert_eq!(ratio(boundary - 2f64.powi(80), 1.0).to_f32(), f32::MAX);
        assert_eq!(ratio(-boundary, 1.0).to_f32(), f32::NEG_INFINITY);
        assert_eq!(ratio(f64::from(f32::MAX), tiny).to_f32(), f32::INFINITY);
    }

    #[test]
    fn comparisons_are_exact() {
        assert_eq!(ratio(1.0, 3.0).cmp(&ratio(2.0, 6.0)), Ordering::Equal);
        assert_eq!(ratio(1.0, -3.0).cmp(&ratio(-1.0, 3.0)), Ordering::Equal);
        let above = Dyadic::difference(1.0, -2f64.powi(-300));
        let above = Ratio::new(above, Dyadic::from_f64(3.0));
        assert_eq!(above.cmp(&ratio(1.0, 3.0)), Ordering::Greater);
        assert_eq!(above.cmp_f64(1.0 / 3.0), Ordering::Greater);
        assert_eq!(above.cmp_f64(f64::INFINITY), Ordering::Less);
        assert_eq!(above.cmp_f64(f64::NEG_INFINITY), Ordering::Greater);
    }

    /// An independent quotient of big integers compares alike, at all magnitudes.
    #[test]
    fn comparisons_equal_those_of_big_integers() {
        let mut numbers = Numbers(0x853c_49e6_748f_ea9b);
        // The number in units of 2^-1074.
        let big = |x: f64| {
            let bits = x.abs().to_bits();
            let exponent = (bits >> 52) as u32;
            let size = bits & ((1 << 52) - 1) | u64::from(exponent > 0) << 52;
            let size = BigInt::from(size) << (exponent.max(1) - 1);
            if x < 0.0 { -size } else { size }
        };
        let mut equal = 0;
        for round in 0..40_000 {
            let kind = round % 5;
            let [a, c] = core::array::from_fn(|_| numbers.float(kind));
            let [b, d] = core::array::from_fn(|_| numbers.float(kind).abs());
            if b == 0.0 || d == 0.0 {
                continue;
            }
            let what = || std::format!("{a} / {b}, {c} / {d}");
            let (quotient, other) = (ratio(a, b), ratio(c, d));
            let order = (big(a) * big(d)).cmp(&(big(c) * big(b)));
            assert_eq!(quotient.cmp(&other), order, "{}", what());
            let one: BigInt = BigInt::from(1) << 1074;
            let order = (big(a) * &one).cmp(&(big(b) * big(c)));
            assert_eq!(quotient.cmp_f64(c), order, "{}", what());
            equal += usize::from(order == Ordering::Equal);
            if a >= 0.0 {
                let square = big(c) * big(c) * big(b);
                let order = match c < 0.0 {
                    true => Ordering::Greater,
                    false => (big(a) * &one * &one).cmp(&square),
                };
                assert_eq!(quotient.cmp_root(c), order, "root of {}", what());
                let (low, high) = quotient.interval();
                assert_ne!(quotient.cmp_f64(low), Ordering::Less, "{}", what());
                assert_ne!(quotient.cmp_f64(high), Ordering::Greater, "{}", what());
                let root = quotient.root_to_f32();
                let (below, above) = boundaries(root);
                assert_ne!(quotient.cmp_root(below), Ordering::Less, "{}", what());
                assert_ne!(quotient.cmp_root(above), Ordering::Greater, "{}", what());
            }
        }
        assert!(equal > 100, "{equal}");
    }

    /// Also where the numbers are far beyond the range of `f64`, and where the quotient is.
    #[test]
    fn bounds_hold_at_every_size() {
        let of = |a: &[f64], b: &[f64]| {
            let product = |factors: &[f64]| {
                let one = Dyadic::from_f64(1.0);
                factors
                    .iter()
                    .fold(one, |x, &y| x.mul(&Dyadic::from_f64(y)))
            };
            Ratio::new(product(a), product(b))
        };
        let tiny = f64::from_bits(1);
        let sizes = [
            &[0.0][..],
            &[tiny],
            &[tiny; 3],
            &[0.3],
            &[7e200],
            &[7e200; 4],
            &[-7e200; 3],
        ];
        for (num, den) in sizes.iter().flat_map(|num| sizes.map(|den| (num, den))) {
            if den == [0.0] {
                continue;
            }
            let ratio = of(num, den);
            let (low, high) = ratio.bounds();
            assert!(low <= high, "{num:?} / {den:?}");
            assert_ne!(
                ratio.cmp_f64(low),
                Ordering::Less,
                "{num:?} / {den:?}: {low}"
            );
            assert_ne!(
                ratio.cmp_f64(high),
                Ordering::Greater,
                "{num:?} / {den:?}: {high}"
            );
            assert!(
                (num[0] == 0.0) == ((low, high) == (0.0, 0.0)),
                "{num:?} / {den:?}"
            );
        }
    }

    #[test]
    fn the_ends_of_the_range_round_as_they_should() {
        let tiny = f64::from(f32::from_bits(1));
        let most = f64::from(f32::MAX);
        assert_eq!(ratio(most * most, 1.0).root_to_f32(), f32::MAX);
        assert_eq!(ratio(tiny * tiny, 1.0).root_to_f32(), f32::from_bits(1));
        assert_eq!(ratio(0.0, 3.0).root_to_f32().to_bits(), 0);
        assert_eq!(ratio(-most, tiny).to_f32(), f32::NEG_INFINITY);
        assert_eq!(ratio(-tiny, 2.0).to_f32().to_bits(), 0);
        assert_eq!(ratio(2.0, 1.0).cmp_root(f64::INFINITY), Ordering::Less);
        assert_eq!(ratio(0.0, 1.0).cmp_root(-1.0), Ordering::Greater);
        assert_eq!(ratio(9.0, 1.0).cmp_root(3.0), Ordering::Equal);
        // Beyond the range of f64, with and without a root.
        let product = |factors: [f64; 3]| {
            let one = Dyadic::from_f64(1.0);
            factors
                .iter()
                .fold(one, |x, &y| x.mul(&Dyadic::from_f64(y)))
        };
        let wide = Ratio::new(product([1e300; 3]), product([1e300, 1e300, 1e280]));
        assert_eq!(wide.to_f32(), 1e20);
        assert_eq!(wide.root_to_f32(), 1e10);
        let thin = Ratio::new(product([1e-300; 3]), product([1e-300, 1e-300, 1e-280]));
        assert_eq!(thin.root_to_f32(), 1e-10);
    }
}

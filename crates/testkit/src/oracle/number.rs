//! Exact numbers: every finite `f32` is an integer times 2^-149, so integers suffice.

use super::binary::Binary;
use estoc_core::Triangle64;
use estoc_core::glam::{DVec3, Vec3};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

/// Numbers are stored as multiples of 2^-`SCALE`.
pub(super) const SCALE: usize = 149;

/// Returns `x * 2^149`, which is an integer. `x` must be finite.
pub(super) fn integer(x: f32) -> BigInt {
    assert!(x.is_finite());
    let exponent = (x.to_bits() >> 23) & 0xff;
    let fraction = x.to_bits() & 0x7f_ffff;
    let magnitude = match exponent {
        0 => BigInt::from(fraction),
        _ => BigInt::from(fraction | 0x80_0000) << (exponent - 1),
    };
    if x.is_sign_negative() {
        -magnitude
    } else {
        magnitude
    }
}

/// Returns the `f32` nearest to `num / den`, ties to even. Zero, and what rounds to it, is +0; a
/// number at or beyond half a step above `f32::MAX` becomes infinite. `den` must be positive.
pub(super) fn nearest_f32(num: &BigInt, den: &BigInt) -> f32 {
    let (steps, last_place) = nearest_steps(num, den, 24, -149);
    // A power of two that `f64` has, or infinity: exact; 2^128 becomes infinite.
    let size = (steps * 2f64.powi(last_place)) as f32;
    if num.is_negative() { 0.0 - size } else { size }
}

/// Returns the `f64` nearest to `num / den`, as [`nearest_f32`] does for `f32`.
pub(super) fn nearest_f64(num: &BigInt, den: &BigInt) -> f64 {
    let (steps, last_place) = nearest_steps(num, den, 53, -1074);
    let half = last_place / 2;
    let size = steps * 2f64.powi(half) * 2f64.powi(last_place - half);
    if num.is_negative() { 0.0 - size } else { size }
}

/// Returns the size of `num / den`, rounded to at most 2^`digits` steps of a power of two, which is
/// not below 2^`least`: the number of steps, and the power.
fn nearest_steps(num: &BigInt, den: &BigInt, digits: i64, least: i64) -> (f64, i32) {
    assert!(den.is_positive());
    let size = num.abs();
    // 2^exponent <= size / den < 2^(exponent + 1)
    let mut exponent = size.bits() as i64 - den.bits() as i64;
    if shifted(&size, -exponent) < shifted(den, exponent) {
        exponent -= 1;
    }
    let last_place = (exponent + 1 - digits).max(least);
    let (size, den) = (shifted(&size, -last_place), shifted(den, last_place));
    let (below, rest) = (&size / &den, &size % &den);
    let steps = match (rest * 2u32).cmp(&den) {
        Ordering::Less => below,
        Ordering::Greater => below + 1u32,
        Ordering::Equal => (below + 1u32) / 2u32 * 2u32,
    };
    let steps = u64::try_from(steps).expect("at most 2^53");
    (steps as f64, i32::try_from(last_place).expect("few digits"))
}

/// Returns the `f32` nearest to a number that is not negative, ties to even: the first whose upper
/// neighbour is not nearer, found by halving. `order` compares the number with an integer of units of
/// 2^-150.
pub(super) fn nearest_by_order(order: impl Fn(&BigInt) -> Ordering) -> f32 {
    let is_beyond = |bits: u32| {
        let x = f32::from_bits(bits);
        // The upper neighbour of the greatest is 2^128.
        let above = match x == f32::MAX {
            true => BigInt::from(1) << (SCALE + 128),
            false => integer(x.next_up()),
        };
        // Twice the middle between both.
        let order = order(&(integer(x) + above));
        order == Ordering::Greater || (order == Ordering::Equal && bits & 1 == 1)
    };
    let (mut low, mut high) = (0, f32::INFINITY.to_bits());
    while low < high {
        let middle = low + (high - low) / 2;
        match is_beyond(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    f32::from_bits(low)
}

/// Returns `x * 2^places` for positive `places`, otherwise `x`; the power of two is then applied to
/// the other side of the fraction.
fn shifted(x: &BigInt, places: i64) -> BigInt {
    x << places.max(0) as usize
}

/// A unit, 2 to the power of minus this, which divides all numbers that are stored in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid(pub(super) usize);

impl Grid {
    /// The unit of all `f32`s.
    pub(super) const OF_F32: Grid = Grid(SCALE);

    /// Returns a unit that divides the coordinates of triangles and all `f32`s.
    pub(super) fn of(triangles: &[Triangle64], others: impl IntoIterator<Item = DVec3>) -> Self {
        let corners = triangles.iter().flat_map(Triangle64::corners);
        let numbers = corners.chain(others).flat_map(|p| p.to_array());
        let finite = numbers.filter(|x| x.is_finite());
        let least = finite.map(|x| -Binary::new(x).exponent).max();
        let least = least.map_or(0, |least| usize::try_from(least).unwrap_or(0));
        Grid(least.max(SCALE))
    }

    pub(super) fn number(self, x: f64) -> BigInt {
        Binary::new(x).in_units(-(self.0 as i64))
    }

    pub(super) fn vector(self, v: DVec3) -> Vector {
        Vector(v.to_array().map(|x| self.number(x)))
    }
}

/// A vector of exact numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vector(pub(super) [BigInt; 3]);

impl Vector {
    /// Returns the vector times 2^149.
    pub(super) fn new(v: Vec3) -> Self {
        Vector(v.to_array().map(integer))
    }

    pub(super) fn minus(&self, other: &Vector) -> Vector {
        Vector(std::array::from_fn(|i| &self.0[i] - &other.0[i]))
    }

    pub(super) fn plus(&self, other: &Vector) -> Vector {
        Vector(std::array::from_fn(|i| &self.0[i] + &other.0[i]))
    }

    pub(super) fn times(&self, k: &BigInt) -> Vector {
        Vector(std::array::from_fn(|i| &self.0[i] * k))
    }

    pub(super) fn negated(&self) -> Vector {
        Vector(std::array::from_fn(|i| -&self.0[i]))
    }

    pub(super) fn cross(&self, other: &Vector) -> Vector {
        let ([ax, ay, az], [bx, by, bz]) = (&self.0, &other.0);
        Vector([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
    }

    pub(super) fn dot(&self, other: &Vector) -> BigInt {
        let ([ax, ay, az], [bx, by, bz]) = (&self.0, &other.0);
        ax * bx + ay * by + az * bz
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.iter().all(Zero::is_zero)
    }
}

/// A fraction with a positive denominator, not reduced.
#[derive(Clone, Debug)]
pub(super) struct Fraction {
    pub(super) num: BigInt,
    pub(super) den: BigInt,
}

impl Fraction {
    pub(super) fn plus(&self, other: &Fraction) -> Fraction {
        Fraction {
            num: &self.num * &other.den + &other.num * &self.den,
            den: &self.den * &other.den,
        }
    }

    pub(super) fn minus(&self, other: &Fraction) -> Fraction {
        Fraction {
            num: &self.num * &other.den - &other.num * &self.den,
            den: &self.den * &other.den,
        }
    }

    pub(super) fn times(&self, other: &Fraction) -> Fraction {
        Fraction {
            num: &self.num * &other.num,
            den: &self.den * &other.den,
        }
    }

    pub(super) fn cmp(&self, other: &Fraction) -> Ordering {
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }

    /// Compares with an `f32` that is not NaN.
    pub(super) fn cmp_f32(&self, x: f32) -> Ordering {
        if x == f32::INFINITY {
            Ordering::Less
        } else if x == f32::NEG_INFINITY {
            Ordering::Greater
        } else {
            (&self.num << SCALE).cmp(&(integer(x) * &self.den))
        }
    }

    pub(super) fn nearest_f32(&self) -> f32 {
        nearest_f32(&self.num, &self.den)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(num: i64, den: i64) -> u32 {
        nearest_f32(&BigInt::from(num), &BigInt::from(den)).to_bits()
    }

    /// Returns `units * 2^-149 / den`, rounded.
    fn nearest_tiny(units: i64, den: i64) -> f32 {
        nearest_f32(&BigInt::from(units), &(BigInt::from(den) << SCALE))
    }

    #[test]
    fn floats_survive_the_way_there_and_back() {
        let ends = [0.0, 1e-45, 1.17e-38, f32::MIN_POSITIVE, 1.0, -1.5, f32::MAX];
        for x in ends.into_iter().chain((0..2000).map(|i| {
            let bits = 0x9e37_79b9u32.wrapping_mul(i);
            let x = f32::from_bits(bits);
            if x.is_finite() && x != 0.0 { x } else { 3.5 }
        })) {
            let back = nearest_f32(&integer(x), &(BigInt::from(1) << SCALE));
            assert_eq!(back.to_bits(), x.to_bits(), "{x}");
        }
        assert_eq!(integer(-0.0), BigInt::zero());
        assert_eq!(integer(1.0), BigInt::from(1) << SCALE);
    }

    #[test]
    fn fractions_round_to_the_nearest_f64() {
        let nearest = |num: i64, den: i64| nearest_f64(&BigInt::from(num), &BigInt::from(den));
        for (a, b) in [
            (1, 3),
            (-2, 3),
            (7, 1),
            (1 << 60, 3),
            (5, (1 << 60) + 1),
            (-9, 1 << 40),
        ] {
            assert_eq!(nearest(a, b), a as f64 / b as f64, "{a} / {b}");
        }
        // 2^53 + 1 lies between 2^53 and 2^53 + 2; 2^53 + 3 between + 2 and + 4.
        assert_eq!(nearest((1 << 53) + 1, 1), 2f64.powi(53));
        assert_eq!(nearest((1 << 53) + 3, 1), 2f64.powi(53) + 4.0);
        let one = || BigInt::from(1);
        assert_eq!(nearest_f64(&one(), &(one() << 1074)), f64::from_bits(1));
        assert_eq!(nearest_f64(&one(), &(one() << 1075)).to_bits(), 0);
        assert_eq!(
            nearest_f64(&BigInt::from(-3), &(one() << 1075)),
            -f64::from_bits(2)
        );
        assert_eq!(nearest_f64(&(one() << 1024), &one()), f64::INFINITY);
        assert_eq!(nearest_f64(&(one() << 1023), &one()), 2f64.powi(1023));
    }

    #[test]
    fn fractions_round_to_even() {
        assert_eq!(nearest(1, 3), 0x3eaa_aaab);
        assert_eq!(nearest(-2, 3), 0xbf2a_aaab);
        // 2^24 + 1 lies between 2^24 and 2^24 + 2; 2^24 + 3 between + 2 and + 4.
        assert_eq!(nearest((1 << 24) + 1, 1), 16_777_216f32.to_bits());
        assert_eq!(nearest((1 << 24) + 3, 1), 16_777_220f32.to_bits());
        assert_eq!(nearest((1 << 25) + 3, 2), 16_777_218f32.to_bits());
        assert_eq!(nearest((1 << 25) - 1, 1 << 25), 1f32.to_bits());
        assert_eq!(nearest(0, 5), 0);
    }

    #[test]
    fn the_small_end_rounds_to_subnormals_and_positive_zero() {
        assert_eq!(nearest_tiny(1, 2).to_bits(), 0, "tie to zero");
        assert_eq!(nearest_tiny(-1, 2).to_bits(), 0, "-0 is not an answer");
        assert_eq!(nearest_tiny(2, 3).to_bits(), 1);
        assert_eq!(nearest_tiny(3, 2).to_bits(), 2, "tie to even");
        assert_eq!(nearest_tiny(5, 2).to_bits(), 2, "tie to even");
        let normal = 1i64 << 23;
        assert_eq!(nearest_tiny(2 * normal - 1, 2), f32::MIN_POSITIVE);
        assert_eq!(nearest_tiny(-3 * normal, 3), -f32::MIN_POSITIVE);
    }

    #[test]
    fn the_large_end_overflows_from_half_a_step_on() {
        let (max, one) = (integer(f32::MAX) >> SCALE, BigInt::from(1));
        let half: BigInt = BigInt::from(1) << 103;
        assert_eq!(nearest_f32(&(&max + &half - &one), &one), f32::MAX);
        assert_eq!(nearest_f32(&(&max + &half), &one), f32::INFINITY);
        let beyond = -(&max + &half);
        assert_eq!(nearest_f32(&beyond, &one), f32::NEG_INFINITY);
        assert_eq!(nearest_f32(&(max << 2000u32), &one), f32::INFINITY);
    }

    #[test]
    fn fractions_compare_with_floats_and_each_other() {
        let third = |k: i64| Fraction {
            num: k.into(),
            den: (3 * k).into(),
        };
        assert_eq!(third(1).cmp(&third(5)), Ordering::Equal);
        assert_eq!(third(1).cmp_f32(1.0 / 3.0), Ordering::Less);
        assert_eq!(third(1).cmp_f32(0.25), Ordering::Greater);
        assert_eq!(third(1).cmp_f32(f32::INFINITY), Ordering::Less);
        assert_eq!(third(1).cmp_f32(f32::NEG_INFINITY), Ordering::Greater);
        let quarter = Fraction {
            num: 2.into(),
            den: 8.into(),
        };
        assert_eq!(quarter.cmp_f32(0.25), Ordering::Equal);
    }
}

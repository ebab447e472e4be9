//! The three polynomials of the ray-triangle test, in `f64` with a bound and exactly.
//!
//! With edge vectors `e1 = p1-p0`, `e2 = p2-p0`, normal `n = e1 x e2`, and the line
//! `o + t d`:
//!
//! - `den = d . n`; zero when the line is parallel to the plane;
//! - `num = (p0-o) . n`; the line meets the plane at `t = num / den`;
//! - `edge(a, b) = d . ((a-o) x (b-a))` for each edge ab; the weight of the corner opposite
//!   to it is `edge / den`, and the three edges sum up to `den`.
//!
//! All are triple products `x . (y x z)` of differences of `f32`s.
//!
//! # Bound
//! Let v = 2^-53. A component of a difference is rounded once; products of two such components have
//! three roundings, their difference four, times a component of `x` (itself a difference in `num`)
//! six, and the two additions eight. None of them can underflow or overflow: magnitudes lie in
//! 2^-447 ..= 2^391. So the computed value differs from the true one by at most 8v/(1-8v) times the
//! sum of the absolute values of its six terms; the computed sum of those, rounded down at most
//! nine times, is at least (1-9v) of the true sum. `9v` times the computed sum, rounded once more,
//! covers both.

use super::dyadic::Dyadic;
use crate::arithmetic::InlineMap;
use glam::Vec3;

/// A value computed in `f64`, and a bound of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounded {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

impl Bounded {
    /// A number of which nothing is known.
    pub(crate) const UNKNOWN: Bounded = Bounded {
        value: f64::NAN,
        error: f64::NAN,
    };

    /// Returns a number without error.
    pub(crate) fn exact(value: f64) -> Self {
        Bounded { value, error: 0.0 }
    }

    /// Returns a number that was rounded once, and did not underflow.
    pub(crate) fn rounded(value: f64) -> Self {
        Bounded {
            value,
            error: value.abs() * (f64::EPSILON / 2.0),
        }
    }

    /// Returns the negated number.
    pub(crate) fn negated(self) -> Self {
        Bounded {
            value: -self.value,
            ..self
        }
    }

    /// Returns the sign of the true value, if the bound decides it.
    pub(crate) fn sign(self) -> Option<i32> {
        if self.value > self.error {
            Some(1)
        } else if self.value < -self.error {
            Some(-1)
        } else if self.error == 0.0 {
            Some(0) // all terms are zero
        } else {
            None // also for NaN
        }
    }
}

/// A vector of `f64`s.
pub(crate) type V3 = [f64; 3];

#[inline(always)]
pub(crate) fn widen(v: Vec3) -> V3 {
    [v.x.into(), v.y.into(), v.z.into()]
}

/// Returns `x . (y x z)` with its bound, for vectors whose components were rounded at most once.
pub(crate) fn triple(x: V3, y: V3, z: V3) -> Bounded {
    let mut value = 0.0;
    let mut sum = 0.0;
    for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        let (plus, minus) = (y[j] * z[k], y[k] * z[j]);
        value += x[i] * (plus - minus);
        sum += x[i].abs() * (plus.abs() + minus.abs());
    }
    const NINE_V: f64 = 9.0 * f64::EPSILON / 2.0;
    Bounded {
        value,
        error: NINE_V * sum,
    }
}

/// Returns `a x b` with its bounds, for vectors whose components were rounded at most once.
///
/// Each product has three roundings of 2^-53 and their difference a fourth; one more covers those
/// of the bound. Nothing underflows.
pub(crate) fn cross(a: V3, b: V3) -> [Bounded; 3] {
    const FIVE_V: f64 = 5.0 * f64::EPSILON / 2.0;
    [(1, 2), (2, 0), (0, 1)].inline_map(|(j, k)| {
        let (plus, minus) = (a[j] * b[k], a[k] * b[j]);
        Bounded {
            value: plus - minus,
            error: FIVE_V * (plus.abs() + minus.abs()),
        }
    })
}

/// A vector of exact numbers.
pub(crate) type ExactV3 = [Dyadic; 3];

pub(crate) fn exact(v: V3) -> ExactV3 {
    v.map(Dyadic::from_f64)
}

pub(crate) fn exact_minus(a: V3, b: V3) -> ExactV3 {
    // Written out, like all three here: `from_fn` and `map` copy the digits several times.
    let difference = |i: usize| Dyadic::difference(a[i], b[i]);
    [difference(0), difference(1), difference(2)]
}

/// Returns `a x b`, exactly.
pub(crate) fn exact_cross(a: &ExactV3, b: &ExactV3) -> ExactV3 {
    let component = |j: usize, k: usize| a[j].mul(&b[k]).sub(&a[k].mul(&b[j]));
    [component(1, 2), component(2, 0), component(0, 1)]
}

/// Returns `a . b`, exactly.
pub(crate) fn exact_dot(a: &ExactV3, b: &ExactV3) -> Dyadic {
    let sum = a[0].mul(&b[0]).add(&a[1].mul(&b[1]));
    sum.add(&a[2].mul(&b[2]))
}

/// Returns `x . (y x z)`, exactly.
pub(crate) fn exact_triple(x: &ExactV3, y: &ExactV3, z: &ExactV3) -> Dyadic {
    exact_dot(x, &exact_cross(y, z))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::minus;
    use super::*;
    use crate::arithmetic::{quotient, round};
    use core::cmp::Ordering;

    /// Random `f32`s that make rounding hard: few bits or many, close to each other or far apart.
    pub(crate) struct Numbers(pub(crate) u64);

    impl Numbers {
        pub(crate) fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        pub(crate) fn float(&mut self, kind: u64) -> f64 {
            let bits = self.next();
            f64::from(match kind {
                0 => f32::from_bits((bits >> 32) as u32 & 0xbfff_ffff), // any finite
                1 => (bits >> 60) as f32 - 8.0,                         // a small grid
                2 => 1.0 + (bits >> 60) as f32 * f32::EPSILON,          // nearly one point
                3 => 1e6 + (bits >> 48) as f32 / 65536.0,               // far away
                _ => (bits >> 40) as f32 / 16_777_216.0 - 0.5,
            })
        }

        pub(crate) fn vector(&mut self) -> V3 {
            let kind = self.next() >> 32;
            let kind = kind % 5;
            [self.float(kind), self.float(kind), self.float(kind)]
        }
    }

    /// Returns the first number, or the second if the environment variable `ESTOC_LONG` is 1. Does what
    /// `Effort` of the testkit does; packages come without the testkit.
    pub(crate) fn usual_or_long<T>(usual: T, long: T) -> T {
        let is_long = std::env::var_os("ESTOC_LONG").is_some_and(|value| value == "1");
        if is_long { long } else { usual }
    }

    /// Returns the ratio of error to bound, after checking that it is at most 1.
    pub(crate) fn share_of_bound(found: Bounded, truth: &Dyadic) -> f64 {
        let off = truth.clone().sub(&Dyadic::from_f64(found.value));
        let off = if off.sign() < 0 { off.neg() } else { off };
        let rest = Dyadic::from_f64(found.error).sub(&off);
        assert!(
            rest.sign() >= 0,
            "{} off by {}",
            found.value,
            off.estimate()
        );
        if found.error > 0.0 {
            off.estimate() / found.error
        } else {
            0.0
        }
    }

    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let rounds = usual_or_long(60_000, 20_000_000);
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let mut worst_triple = 0.0f64;
        for _ in 0..rounds {
            let [o, d, a, b, mut c] = core::array::from_fn(|_| numbers.vector());
            if numbers.next().is_multiple_of(4) {
                // A sliver: the third corner is a rounding away from the line through the others.
                let along = numbers.float(4);
                c = core::array::from_fn(|i| f64::from((a[i] + along * (b[i] - a[i])) as f32));
            }
            let differences = (minus(a, o), minus(b, a), minus(c, a));
            let num = triple(differences.0, differences.1, differences.2);
            let den = triple(d, differences.1, differences.2);
            let edges = (exact_minus(b, a), exact_minus(c, a));
            let exact_num = exact_triple(&exact_minus(a, o), &edges.0, &edges.1);
            let exact_den = exact_triple(&exact(d), &edges.0, &edges.1);
            worst_triple = worst_triple
                .max(share_of_bound(num, &exact_num))
                .max(share_of_bound(den, &exact_den));
            if exact_den.sign() != 0 {
                let (low, high) = quotient(num, den);
                let t = super::super::Ratio::new(exact_num, exact_den);
                assert_ne!(t.cmp_f64(low), Ordering::Less, "{low} {high}");
                assert_ne!(t.cmp_f64(high), Ordering::Greater, "{low} {high}");
                let exact_t = t.to_f32();
                if let Some(rounded) = round((low, high)) {
                    assert_eq!(rounded.to_bits(), exact_t.to_bits());
                }
            }
        }
        println!("worst error in shares of the bound: {worst_triple:.3} over {rounds} rounds");
        assert!(
            worst_triple > 0.05,
            "the search does not approach the bound"
        );
    }
}

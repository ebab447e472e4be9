//! The three polynomials behind ray against triangle, in `f64` with a bound and exactly.
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
//! Let v = 2^-53. A component of a difference is rounded once; products of two such
//! components have three roundings, their difference four, times a component of `x` (itself
//! a difference in `num`) six, and the two additions eight. None of them can underflow or
//! overflow: magnitudes lie in 2^-447 ..= 2^391. So the computed value differs from the true
//! one by at most 8v/(1-8v) times the sum of the absolute values of its six terms; the
//! computed sum of those, rounded down at most nine times, is at least (1-9v) of the true
//! sum. `9v` times the computed sum, rounded once more, covers both with room to spare.

use super::expansion::Expansion;
use glam::Vec3;

/// A value computed in `f64`, and how far from the true one it may be.
#[derive(Clone, Copy)]
pub(super) struct Bounded {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Bounded {
    /// The sign of the true value, if the bound decides it.
    pub(super) fn sign(self) -> Option<i32> {
        if self.value > self.error {
            Some(1)
        } else if self.value < -self.error {
            Some(-1)
        } else if self.error == 0.0 {
            Some(0) // all six terms are zero
        } else {
            None // NaN comes here too
        }
    }
}

/// A vector of `f64`s.
pub(super) type V3 = [f64; 3];

pub(super) fn widen(v: Vec3) -> V3 {
    [v.x.into(), v.y.into(), v.z.into()]
}

pub(super) fn minus(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `x . (y x z)` with its bound, for vectors whose components were rounded at most once.
pub(super) fn triple(x: V3, y: V3, z: V3) -> Bounded {
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

/// A vector of exact numbers.
pub(super) type ExactV3 = [Expansion; 3];

pub(super) fn exact(v: V3) -> ExactV3 {
    v.map(Expansion::from_f64)
}

pub(super) fn exact_minus(a: V3, b: V3) -> ExactV3 {
    core::array::from_fn(|i| Expansion::difference(a[i], b[i]))
}

/// `a x b`, exactly.
pub(super) fn exact_cross(a: &ExactV3, b: &ExactV3) -> ExactV3 {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| a[j].mul(&b[k]).sub(&a[k].mul(&b[j])))
}

/// `x . (y x z)`, exactly.
pub(super) fn exact_triple(x: &ExactV3, y: &ExactV3, z: &ExactV3) -> Expansion {
    let n = exact_cross(y, z);
    let [a, b, c] = core::array::from_fn(|i| x[i].mul(&n[i]));
    a.add(&b).add(&c)
}

//! The intersection of one line and one triangle.
//!
//! With edges `e1 = p1-p0`, `e2 = p2-p0`, `s = origin-p0` and `m = -dir`, the intersection point
//! satisfies `u e1 + v e2 + t m = s`. Cramer's rule with `n = e1 x e2`, `a = e2 x m` and `b = m x
//! e1` gives
//!
//! `det = n.m`, `u = a.s / det`, `v = b.s / det`, `t = n.s / det`.
//!
//! Moving the origin by the vector `(e, e^2, e^3)` adds it to `s`, so `u` and `v` become
//! polynomials in `e` whose coefficients are `a.s, a.x, a.y, a.z` and `b.s, b.x, b.y, b.z`.

use super::interval::IntervalVector;
use super::number::{Fraction, Vector, nearest_f32, nearest_f64};
use estoc_core::{Ray, Side, Triangle};
use num_bigint::{BigInt, Sign};
use num_traits::Zero;
use std::cmp::Ordering;

/// The line of a ray, in intervals and in integers.
pub(super) struct Line {
    origin: Vector,
    minus_dir: Vector,
    rough_origin: IntervalVector,
    rough_minus_dir: IntervalVector,
}

impl Line {
    /// Returns the line of a defined ray.
    pub(super) fn new(ray: &Ray) -> Self {
        Line {
            rough_origin: IntervalVector::exactly(ray.origin),
            rough_minus_dir: IntervalVector::exactly(-ray.dir),
            ..Line::through(Vector::new(ray.origin), &Vector::new(ray.dir))
        }
    }

    /// Returns the line through a point along a vector, both in one unit.
    pub(super) fn through(origin: Vector, dir: &Vector) -> Self {
        Line {
            origin,
            minus_dir: dir.negated(),
            rough_origin: IntervalVector::unknown(),
            rough_minus_dir: IntervalVector::unknown(),
        }
    }
}

/// The point at which a line touches a triangle.
pub(super) struct Meeting {
    pub(super) t: Fraction,
    /// The dividends of `u` and `v`, by the divisor of `t`.
    pub(super) weights: [BigInt; 2],
    pub(super) side: Side,
    /// Whether the line still touches once its origin has been moved by `(e, e^2, e^3)`.
    pub(super) crosses: bool,
}

impl Meeting {
    /// Returns `u` and `v` as the nearest `f32`s.
    pub(super) fn weights_f32(&self) -> [f32; 2] {
        (self.weights.each_ref()).map(|weight| nearest_f32(weight, &self.t.den))
    }

    /// Returns `t`, `u` and `v` as the nearest `f64`s.
    pub(super) fn numbers_f64(&self) -> [f64; 3] {
        let [u, v] = &self.weights;
        [&self.t.num, u, v].map(|dividend| nearest_f64(dividend, &self.t.den))
    }
}

/// A triangle whose corners are finite.
pub(super) struct Plate {
    pub(super) p0: Vector,
    pub(super) e1: Vector,
    pub(super) e2: Vector,
    pub(super) n: Vector,
    rough_p0: IntervalVector,
    rough_e1: IntervalVector,
    rough_e2: IntervalVector,
    rough_n: IntervalVector,
}

impl Plate {
    /// Returns `None` if a corner is not finite.
    pub(super) fn new(triangle: &Triangle) -> Option<Self> {
        let corners = triangle.corners();
        corners.iter().all(|p| p.is_finite()).then(|| {
            let [p0, p1, p2] = corners.map(IntervalVector::exactly);
            let (e1, e2) = (p1.minus(&p0), p2.minus(&p0));
            Plate {
                rough_n: e1.cross(&e2),
                rough_p0: p0,
                rough_e1: e1,
                rough_e2: e2,
                ..Plate::between(corners.map(Vector::new))
            }
        })
    }

    /// Returns the triangle between these points, in the unit of the lines that it is to meet
    /// [exactly](Self::meet_exactly).
    pub(super) fn between([p0, p1, p2]: [Vector; 3]) -> Self {
        let (e1, e2) = (p1.minus(&p0), p2.minus(&p0));
        let unknown = IntervalVector::unknown();
        Plate {
            n: e1.cross(&e2),
            p0,
            e1,
            e2,
            rough_p0: unknown,
            rough_e1: unknown,
            rough_e2: unknown,
            rough_n: unknown,
        }
    }

    /// Returns whether the corners are not on one line.
    pub(super) fn has_area(&self) -> bool {
        !self.n.is_zero()
    }

    /// Returns whether the intervals prove that the line misses. The three weights of a point in
    /// the triangle have the sign of `det` or are zero, so two of certain and opposite signs prove
    /// a miss.
    fn is_surely_missed(&self, line: &Line) -> bool {
        let s = line.rough_origin.minus(&self.rough_p0);
        let m = &line.rough_minus_dir;
        let u = self.rough_e2.cross(m).dot(&s);
        let v = m.cross(&self.rough_e1).dot(&s);
        let w = self.rough_n.dot(m).minus(u).minus(v);
        let weights = [u, v, w];
        weights.iter().any(|x| x.is_negative()) && weights.iter().any(|x| x.is_positive())
    }

    /// Returns where the line touches the closed triangle; `None` if it misses, is parallel to the
    /// plane, or if the triangle has no area (`n = 0`, so `det = 0`).
    pub(super) fn meet(&self, line: &Line) -> Option<Meeting> {
        if self.is_surely_missed(line) {
            return None;
        }
        self.meet_exactly(line)
    }

    pub(super) fn meet_exactly(&self, line: &Line) -> Option<Meeting> {
        let m = &line.minus_dir;
        let s = line.origin.minus(&self.p0);
        let det = self.n.dot(m);
        // A negative denominator is made positive together with the numerators.
        let (negative, side) = match det.sign() {
            Sign::NoSign => return None,
            Sign::Minus => (true, Side::Back), // det = -n.dir
            Sign::Plus => (false, Side::Front),
        };
        let upright = |x: BigInt| if negative { -x } else { x };
        let a = self.e2.cross(m);
        let b = m.cross(&self.e1);
        let u = moved(&a, &s).map(upright);
        let v = moved(&b, &s).map(upright);
        let t = upright(self.n.dot(&s));
        let det = upright(det);
        let sum: [BigInt; 4] = std::array::from_fn(|i| &u[i] + &v[i]);
        let mut w = sum.map(|x| -x);
        w[0] += &det;

        let zero = BigInt::zero();
        if u[0] < zero || v[0] < zero || w[0] < zero {
            return None;
        }
        let crosses = [&u, &v, &w]
            .into_iter()
            .all(|weight| sign_for_small_e(weight) == Ordering::Greater);
        let [[u, ..], [v, ..]] = [u, v];
        Some(Meeting {
            weights: [u, v],
            t: Fraction { num: t, den: det },
            side,
            crosses,
        })
    }
}

/// Returns the coefficients of `a . (s + (e, e^2, e^3))`, lowest power first.
fn moved(a: &Vector, s: &Vector) -> [BigInt; 4] {
    let [x, y, z] = a.0.clone();
    [a.dot(s), x, y, z]
}

/// Returns the sign of a polynomial for all sufficiently small `e > 0`: that of its first nonzero
/// coefficient.
fn sign_for_small_e(polynomial: &[BigInt; 4]) -> Ordering {
    polynomial
        .iter()
        .map(|coefficient| coefficient.cmp(&BigInt::zero()))
        .find(|&sign| sign != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}

//! Where a line meets a sphere: two exact numbers that are rarely computed.
//!
//! With `v = center - origin`, the line `origin + t dir` is at distance radius from the
//! centre where `P(t) = |t d - v|^2 - r^2 = a t^2 - 2 b t + c` is zero: `a = d.d`, `b = d.v`,
//! `c = v.v - r^2`. The discriminant is `D = b^2 - a c = a r^2 - |d x v|^2`; the second form
//! loses nothing when the sphere is far away (Haines, Guenther and Akenine-Moeller 2019,
//! "Precision Improvements for Ray/Sphere Intersection", Ray Tracing Gems, chapter 7). With
//! `q = b + sign(b) sqrt(D)` the roots are `q / a` and `c / q`, without cancellation.
//!
//! The roots are irrational, but everything asked about them is decided by signs of
//! polynomials: D tells hit, tangent and miss, and a number T is compared with both roots by
//! the signs of P(T) and of its derivative. With T a rounding boundary P has four `f32` factors
//! or a little more, which is well within what [`Expansion`] holds.

use super::Sphere;
use crate::Ray;
use crate::exact::{
    Bounded, ExactV3, Expansion, V3, exact, exact_dot, exact_minus, minus, nearest, quotient,
    round, sqrt, widen,
};
use core::cmp::Ordering;

/// One of the two roots; in a tangent they are equal.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum End {
    Entry,
    Exit,
}

/// An interval that holds an exact number.
type Interval = (f64, f64);

/// The two roots of a line that meets a ball.
pub(super) struct Roots {
    line: Line,
    entry: Interval,
    exit: Interval,
}

/// What the polynomials are made of.
struct Line {
    center: V3,
    radius: f64,
    origin: V3,
    dir: V3,
}

impl Roots {
    /// `None` if the line misses the ball. The ray must be defined.
    ///
    /// # Bound
    /// Let u = 2^-53. A component of v is rounded once; d and r are as given, and products of
    /// two `f32`s are exact. To first order:
    /// - a is off by 2u a, b by 4u sum |d_i v_i|, c by 5u v.v + u (v.v + r^2);
    /// - a component x of d x v is off by e = 3u s, with s the sum of the sizes of its two
    ///   products; so x^2 is off by 2|x|e + e^2, and the sum of squares by 3u of itself more;
    ///   a r^2 by 3u a r^2, and D by u of both;
    /// - the root of D is off by `E / sqrt(D)` when D is off by E, and by u of itself.
    ///
    /// The factors below round these up, which covers the second order and the roundings of
    /// the bounds. Nothing under- or overflows: all magnitudes lie in 2^-900 ..= 2^780.
    #[inline]
    pub(super) fn new(sphere: &Sphere, ray: &Ray) -> Option<Self> {
        const U: f64 = f64::EPSILON / 2.0;
        let line = Line {
            center: widen(sphere.center),
            radius: f64::from(sphere.radius),
            origin: widen(ray.origin),
            dir: widen(ray.dir),
        };
        let (d, v) = (line.dir, minus(line.center, line.origin));
        let a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        let reach = line.radius * line.radius;
        let (mut aside, mut error) = (0.0, 0.0);
        for (j, k) in [(1, 2), (2, 0), (0, 1)] {
            let (plus, minus) = (d[j] * v[k], d[k] * v[j]);
            let (x, s) = (plus - minus, plus.abs() + minus.abs());
            aside += x * x;
            error += (7.0 * x.abs() + 10.0 * U * s) * s;
        }
        let discriminant = a * reach - aside;
        let error = U * (error + 5.0 * (a * reach + aside));
        if discriminant < -error {
            return None;
        }
        if discriminant.is_nan() || discriminant <= error {
            return line.undecided();
        }
        let root = sqrt(discriminant);
        let products = [d[0] * v[0], d[1] * v[1], d[2] * v[2]];
        let b = products[0] + products[1] + products[2];
        let b_size = products[0].abs() + products[1].abs() + products[2].abs();
        let q = Bounded {
            value: b + root.copysign(b),
            error: U * (5.0 * b_size + 4.0 * root) + error / root,
        };
        let distance = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        let c = Bounded {
            value: distance - reach,
            error: U * (7.0 * distance + 2.0 * reach),
        };
        let a = Bounded {
            value: a,
            error: 3.0 * U * a,
        };
        let (by_a, by_c) = (quotient(q, a), quotient(c, q));
        Some(line.roots(b, by_a, by_c))
    }

    fn interval(&self, end: End) -> Interval {
        match end {
            End::Entry => self.entry,
            End::Exit => self.exit,
        }
    }

    /// Compares a root with a number that may be infinite but not NaN, and has no more than
    /// 25 bits.
    #[inline]
    pub(super) fn cmp(&self, end: End, other: f64) -> Ordering {
        let (low, high) = self.interval(end);
        if high < other {
            Ordering::Less
        } else if low > other {
            Ordering::Greater
        } else {
            self.line.cmp(end, other)
        }
    }

    /// The nearest `f32`, ties to even; overflow is infinite, and zero is +0.
    #[inline]
    pub(super) fn to_f32(&self, end: End) -> f32 {
        round(self.interval(end)).unwrap_or_else(|| self.line.round(end))
    }
}

impl Line {
    /// `by_a` is q / a, the root on b's side; `by_c` is c / q, the other.
    #[inline]
    fn roots(self, b: f64, by_a: Interval, by_c: Interval) -> Roots {
        let (entry, exit) = if b.is_sign_negative() {
            (by_a, by_c)
        } else {
            (by_c, by_a)
        };
        Roots {
            line: self,
            entry,
            exit,
        }
    }

    fn exact_v(&self) -> ExactV3 {
        exact_minus(self.center, self.origin)
    }

    /// The roots of a line that is a tangent or nearly one.
    #[cold]
    fn undecided(self) -> Option<Roots> {
        let [entry, exit] = self.estimates()?.map(|t| {
            let error = t.abs() * (4.0 * f64::EPSILON);
            (t - error, t + error)
        });
        Some(Roots {
            line: self,
            entry,
            exit,
        })
    }

    /// Entry and exit to within 5 * 2^-53 of themselves: the coefficients are exact and
    /// rounded once, and nothing cancels after that. `None` if the line misses.
    fn estimates(&self) -> Option<[f64; 2]> {
        let (d, v) = (exact(self.dir), self.exact_v());
        let a = exact_dot(&d, &d);
        let b = exact_dot(&d, &v);
        let reach = Expansion::from_f64(self.radius * self.radius);
        let c = exact_dot(&v, &v).sub(&reach);
        let discriminant = b.mul(&b).sub(&a.mul(&c));
        if discriminant.sign() < 0 {
            return None;
        }
        let (root, b) = (sqrt(discriminant.estimate()), b.estimate());
        let q = b + root.copysign(b);
        if q == 0.0 {
            return Some([0.0; 2]); // b and D are zero, so c is
        }
        let (by_a, by_c) = (q / a.estimate(), c.estimate() / q);
        Some(if b.is_sign_negative() {
            [by_a, by_c]
        } else {
            [by_c, by_a]
        })
    }

    /// Where T = `other` lies: between the roots where P is negative; otherwise before or
    /// behind both, as the slope tells, or on the one on that side.
    #[cold]
    fn cmp(&self, end: End, other: f64) -> Ordering {
        if other.is_infinite() {
            return 0.0f64.total_cmp(&other);
        }
        let t = Expansion::from_f64(other);
        let v = self.exact_v();
        let w: ExactV3 =
            core::array::from_fn(|i| Expansion::from_f64(self.dir[i]).mul(&t).sub(&v[i]));
        let reach = Expansion::from_f64(self.radius * self.radius);
        let height = exact_dot(&w, &w).sub(&reach).sign();
        let slope = exact_dot(&exact(self.dir), &w).sign();
        let t_on_a_root = height == 0;
        match (height, slope, end) {
            (-1, _, End::Entry) => Ordering::Less,
            (-1, _, End::Exit) => Ordering::Greater,
            (_, 0, _) => Ordering::Equal, // P(T) is 0 too: a tangent
            (_, -1, End::Entry) | (_, 1, End::Exit) if t_on_a_root => Ordering::Equal,
            (_, slope, _) => 0.cmp(&slope),
        }
    }

    #[cold]
    fn round(&self, end: End) -> f32 {
        let [entry, exit] = self.estimates().unwrap_or_default(); // a line with roots has them
        let estimate = match end {
            End::Entry => entry,
            End::Exit => exit,
        };
        nearest(estimate as f32, |boundary| self.cmp(end, boundary))
    }
}

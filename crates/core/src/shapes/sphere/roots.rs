//! The intersections of a line and a sphere: two exact numbers, rarely computed.
//!
//! With `v = center - origin`, the line `origin + t dir` is at distance radius from the
//! centre where `P(t) = |t d - v|^2 - r^2 = a t^2 - 2 b t + c` is zero: `a = d.d`, `b = d.v`,
//! `c = v.v - r^2`. The discriminant is `D = b^2 - a c = a r^2 - |d x v|^2`; the second form
//! loses nothing when the sphere is far away (Haines, Guenther and Akenine-Moeller 2019,
//! "Precision Improvements for Ray/Sphere Intersection", Ray Tracing Gems, chapter 7). With
//! `q = b + sign(b) sqrt(D)` the roots are `q / a` and `c / q`, without cancellation.
//!
//! The roots are irrational, but every decision about them is made by signs of polynomials: that of
//! D decides between hit, tangent and miss, and a number is compared with a root as a [`Surd`].

use super::Sphere;
use crate::arithmetic::{
    Bounded, Dyadic, Interval, Surd, compare, exact, exact_dot, exact_minus, minus, round, sqrt,
    two_product, two_sum, vector::dot, widen,
};
use crate::shapes::{
    Ray,
    span::{End, ExactSpan},
};
use core::cmp::Ordering;

/// The two roots of a line that intersects a ball.
pub(super) struct SphereRoots<'a> {
    sphere: &'a Sphere,
    ray: &'a Ray,
    entry: Interval,
    exit: Interval,
}

const U: f64 = f64::EPSILON / 2.0;
/// 2^-20: the greatest relative error of q in the `f64` path.
const WELL: f64 = 1.0 / (1 << 20) as f64;
/// 2^-40: the greatest relative error of c; beyond it c is computed again.
const BETTER: f64 = WELL * WELL;

impl<'a> SphereRoots<'a> {
    /// Returns `None` if the line misses the ball, or if the ray's origin or direction is
    /// undefined. Ignores the ray's interval.
    ///
    /// # Bound
    /// Let u = 2^-53. A component of v is rounded once; d and r are as given, and products of
    /// two `f32`s are exact. To first order:
    /// - a is off by 2u a, b by 4u sum |d_i v_i|, c by 5u v.v + u (v.v + r^2);
    /// - a component x of d x v is off by e = 3u s, with s the sum of the sizes of its two
    ///   products; so x^2 is off by 2|x|e + e^2, and the sum of squares by 3u of itself more;
    ///   a r^2 by 3u a r^2, and D by u of both;
    /// - the root of D is off by `E / sqrt(D)` when D is off by E, and by u of itself;
    /// - a quotient x / y is off by `(Ex + |x / y| Ey) / (|y| - Ey)`; a product with a
    ///   reciprocal has two roundings.
    ///
    /// Most misses need less: since `sum |d_i v_i| <= |d| |v|`, also `b^2 - a c` is off by no
    /// more than 21u a (v.v + r^2).
    ///
    /// The factors below round all these up, which covers the second order and the roundings of the
    /// bounds. Nothing underflows or overflows: magnitudes lie in 2^-900 ..= 2^780. Only an
    /// undefined ray causes infinities or NaN, which leave D undecided.
    #[inline]
    pub(super) fn new(sphere: &'a Sphere, ray: &'a Ray) -> Option<Self> {
        let radius = f64::from(sphere.radius);
        let d = widen(ray.dir);
        let v = minus(widen(sphere.center), widen(ray.origin));
        let a = dot(d, d);
        let terms = [d[0] * v[0], d[1] * v[1], d[2] * v[2]];
        let b = terms[0] + terms[1] + terms[2];
        let distance = dot(v, v);
        let reach = radius * radius;
        let sizes = distance + reach;
        let c = distance - reach;
        if b * b - a * c < -32.0 * U * (a * sizes) {
            return None;
        }

        let cross = |j: usize, k: usize| (d[j] * v[k], d[k] * v[j]);
        let products = [cross(1, 2), cross(2, 0), cross(0, 1)];
        let x = products.map(|(plus, minus)| plus - minus);
        let aside = dot(x, x);
        let discriminant = a * reach - aside;
        let mut error = 5.0 * (a * reach + aside);
        for (x, (plus, minus)) in x.into_iter().zip(products) {
            let s = plus.abs() + minus.abs();
            error += (7.0 * x.abs() + 10.0 * U * s) * s;
        }
        let error = U * error;
        if discriminant < -error {
            return None;
        }
        if discriminant.is_nan() || discriminant <= error {
            return SphereRoots::undecided(sphere, ray);
        }
        let root = sqrt(discriminant);
        let b_size = terms[0].abs() + terms[1].abs() + terms[2].abs();
        let q = Bounded {
            value: b + root.copysign(b),
            error: U * (5.0 * b_size + 4.0 * root) + error / root,
        };
        if q.error > WELL * q.value.abs() {
            return SphereRoots::undecided(sphere, ray);
        }
        let mut c = Bounded {
            value: c,
            error: U * (7.0 * distance + 2.0 * reach),
        };
        if c.error > BETTER * c.value.abs() {
            c = near_surface(sphere, ray, sizes);
        }

        let (by_q, by_a) = (1.0 / q.value, 1.0 / a);
        // An upper bound of 1 / (|q| - Eq), including the roundings below.
        let most = by_q.abs() * (1.0 + 2.0 * WELL);
        let other = c.value * by_q;
        let other_error = (c.error + other.abs() * (q.error + 3.0 * U * q.value.abs())) * most;
        let side = q.value * by_a;
        let side_error = (q.error * by_a) * (1.0 + WELL) + 6.0 * U * side.abs();
        let other = (other - other_error, other + other_error);
        let side = (side - side_error, side + side_error);
        let (entry, exit) = in_order(b, side, other);
        Some(SphereRoots {
            sphere,
            ray,
            entry,
            exit,
        })
    }

    /// Returns the roots of a line that is a tangent or nearly one.
    #[cold]
    #[inline(never)]
    fn undecided(sphere: &'a Sphere, ray: &'a Ray) -> Option<Self> {
        ray.with_interval(0.0, 0.0).check().ok()?;
        let interval = |end| Some(exact_root(sphere, ray, end)?.interval());
        let (entry, exit) = (interval(End::Entry)?, interval(End::Exit)?);
        Some(SphereRoots {
            sphere,
            ray,
            entry,
            exit,
        })
    }

    fn exact(&self, end: End) -> Surd {
        let root = exact_root(self.sphere, self.ray, end);
        root.expect("a line with roots has them")
    }

    #[inline]
    fn interval(&self, end: End) -> Interval {
        match end {
            End::Entry => self.entry,
            End::Exit => self.exit,
        }
    }
}

impl ExactSpan for SphereRoots<'_> {
    #[inline]
    fn cmp(&self, end: End, bound: f32) -> Ordering {
        let bound = f64::from(bound);
        compare(self.interval(end), (bound, bound), || {
            self.exact(end).cmp_f64(bound)
        })
    }

    #[inline]
    fn to_f32(&self, end: End) -> f32 {
        round(self.interval(end)).unwrap_or_else(|| self.exact(end).to_f32())
    }
}

/// Returns entry and exit, from `q / a`, the root on b's side, and `c / q`, the other.
#[inline]
fn in_order<T>(b: f64, side: T, other: T) -> (T, T) {
    if b.is_sign_negative() {
        (side, other)
    } else {
        (other, side)
    }
}

/// Returns `c = v.v - r^2` where it nearly cancels, as if computed with twice the bits (Ogita, Rump
/// and Oishi 2005, "Accurate Sum and Dot Product"). `sizes` is `v.v + r^2`.
///
/// What the sum loses, the error terms of products and the tails of v are each at most 2u of the
/// sizes. They are added with some eight roundings, and the squares of the tails are left out:
/// together less than 64 u^2 of the sizes.
#[cold]
#[inline(never)]
fn near_surface(sphere: &Sphere, ray: &Ray, sizes: f64) -> Bounded {
    let radius = f64::from(sphere.radius);
    let (mut sum, mut rest) = (-(radius * radius), 0.0); // the square of an f32 is exact
    for (center, origin) in widen(sphere.center).into_iter().zip(widen(ray.origin)) {
        let (v, tail) = two_sum(center, -origin);
        let (square, lost) = two_product(v, v);
        let (next, lost_next) = two_sum(sum, square);
        sum = next;
        rest += lost_next + (lost + 2.0 * v * tail);
    }
    let value = sum + rest;
    Bounded {
        value,
        error: 2.0 * U * value.abs() + 64.0 * U * U * sizes,
    }
}

/// Returns an end exactly; `None` if the line misses. The ray must be defined.
#[cold]
#[inline(never)]
fn exact_root(sphere: &Sphere, ray: &Ray, end: End) -> Option<Surd> {
    let d = exact(widen(ray.dir));
    let v = exact_minus(widen(sphere.center), widen(ray.origin));
    let radius = f64::from(sphere.radius);
    let (a, b) = (exact_dot(&d, &d), exact_dot(&d, &v));
    let c = exact_dot(&v, &v).sub(&Dyadic::from_f64(radius * radius));
    let discriminant = b.square().sub(&a.mul(&c));
    if discriminant.sign() < 0 {
        return None;
    }
    Some(match end {
        End::Entry => Surd::lesser(b, discriminant, a),
        End::Exit => Surd::greater(b, discriminant, a),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::usual_or_long;
    use glam::Vec3;

    /// The intervals of the `f64` path contain the exact roots, by the signs of the polynomial.
    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let rounds = usual_or_long(10_000, 1_000_000);
        let mut state = 0x0e57_0c15_u64;
        let mut number = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as f32 / 8_388_608.0 - 1.0
        };
        let (mut hits, mut widest) = (0, 0.0f64);
        for round in 0..rounds {
            let mut vector = |size: f32| [number() * size, number() * size, number() * size];
            // From inside, from the surface, from nearby, and from far away.
            let distance = [0.5, 1.0, 1.000_001, 3.0, 1e3, 1e6][round % 6];
            let (center, away, aside) = (vector(10.0), Vec3::from(vector(1.0)), vector(0.8));
            let origin = Vec3::from(center) + away.normalize() * distance;
            let dir = Vec3::from(center) + Vec3::from(aside) - origin;
            let (Ok(sphere), ray) = (Sphere::try_new(center, 1.0), Ray::new(origin, dir)) else {
                continue;
            };
            let Some(roots) = SphereRoots::new(&sphere, &ray) else {
                let missed = || exact_root(&sphere, &ray, End::Entry).is_none();
                assert!(ray.check().is_err() || missed(), "{sphere:?} {ray:?}");
                continue;
            };
            hits += 1;
            for end in [End::Entry, End::Exit] {
                let (low, high) = roots.interval(end);
                let root = exact_root(&sphere, &ray, end).expect("a hit has roots");
                assert_ne!(root.cmp_f64(low), Ordering::Less, "{sphere:?} {ray:?}");
                assert_ne!(root.cmp_f64(high), Ordering::Greater, "{sphere:?} {ray:?}");
                widest = widest.max((high - low) / high.abs());
            }
        }
        println!(
            "{hits} hits of {rounds}, widest interval 2^{:.1}",
            widest.log2()
        );
        assert!(hits > rounds / 4 && widest < 1.0 / 16_777_216.0);
    }
}

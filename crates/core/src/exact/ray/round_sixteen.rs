//! Rounds the numbers of sixteen hits that are certain already, for rays from one point.
//!
//! The formulas and bounds are those of `products.rs` and `f64_test.rs`, one lane per ray with a
//! triangle of its own, where products and sums may be fused: that takes roundings away.

use super::f64_test::{INVERSE_FACTOR, WELL_ABOVE};
use super::products::SHARE;
use crate::arithmetic::{V, minus};
use fearless_simd::{
    Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x16, f64x8, mask64x8,
};

/// The rounded numbers of sixteen hits.
#[doc(hidden)]
pub struct RoundedHits<S: Simd> {
    pub t: f32x16<S>,
    pub u: f32x16<S>,
    pub v: f32x16<S>,
    /// The lanes whose numbers are certain, as bits.
    pub certain: u32,
}

/// Returns the numbers of the hits of sixteen rays from one point on triangles that they certainly
/// hit. Directions and corners have an array of x, y and z; all numbers must be finite. Lanes
/// without a hit have no meaning.
#[doc(hidden)]
#[inline(always)]
pub fn round_sixteen<S: Simd>(
    simd: S,
    origin: [f32; 3],
    dir: [f32x16<S>; 3],
    [p0, p1, p2]: [[f32x16<S>; 3]; 3],
) -> RoundedHits<S> {
    let o = [
        splat(simd, origin[0].into()),
        splat(simd, origin[1].into()),
        splat(simd, origin[2].into()),
    ];
    let (d_low, d_high) = widen(dir);
    let (p0_low, p0_high) = widen(p0);
    let (p1_low, p1_high) = widen(p1);
    let (p2_low, p2_high) = widen(p2);
    let low = spans(simd, o, d_low, [p0_low, p1_low, p2_low]);
    let high = spans(simd, o, d_high, [p0_high, p1_high, p2_high]);
    let (t, t_certain) = rounded(simd, low.t, high.t);
    let (u, u_certain) = rounded(simd, low.u, high.u);
    let (v, v_certain) = rounded(simd, low.v, high.v);
    let divides = low.divides.to_bitmask() as u32 | (high.divides.to_bitmask() as u32) << 8;
    RoundedHits {
        t,
        u,
        v,
        certain: divides & t_certain & u_certain & v_certain,
    }
}

type Three<S> = [f64x8<S>; 3];

/// The lower and upper end of an interval.
type SpanX8<S> = (f64x8<S>, f64x8<S>);

/// The intervals of eight hits.
struct HitSpans<S: Simd> {
    t: SpanX8<S>,
    u: SpanX8<S>,
    v: SpanX8<S>,
    /// Lanes whose denominator is well above its error; without this, they have no meaning.
    divides: mask64x8<S>,
}

#[inline(always)]
fn spans<S: Simd>(simd: S, o: Three<S>, d: Three<S>, [p0, p1, p2]: [Three<S>; 3]) -> HitSpans<S> {
    let (a, e1, e2) = (minus(p0, o), minus(p1, p0), minus(p2, p0));
    let (n, q) = (cross(e1, e2), cross(a, d));
    let (num, den) = (dot(a, n), dot(d, n));
    let (size_a, size_1, size_2) = (largest(a), largest(e1), largest(e2));
    let both = size_1 * size_2;
    let inverse = splat(simd, 1.0) / den;
    let size = inverse.abs() * splat(simd, INVERSE_FACTOR);
    let share = size * splat(simd, SHARE);
    let share_d = share * largest(d);
    let num_error = share * (size_a * both);
    let den_error = share_d * both;
    let edge_error = share_d * size_a.mul_add(size_1 + size_2, both);
    let relative = den_error + splat(simd, 4.0 * V);
    HitSpans {
        t: around(num * inverse, num_error, relative),
        u: around(dot(e2, q) * inverse, edge_error, relative),
        v: around(-dot(e1, q) * inverse, edge_error, relative),
        divides: den_error.simd_lt(splat(simd, 1.0 / WELL_ABOVE)),
    }
}

/// Returns the interval of a quotient, whose error is this and a relative one.
#[inline(always)]
fn around<S: Simd>(quotient: f64x8<S>, error: f64x8<S>, relative: f64x8<S>) -> SpanX8<S> {
    let error = quotient.abs().mul_add(relative, error);
    (quotient - error, quotient + error)
}

/// Returns both ends rounded, if equal, and the lanes where they are, as bits.
#[inline(always)]
fn rounded<S: Simd>(simd: S, low: SpanX8<S>, high: SpanX8<S>) -> (f32x16<S>, u32) {
    // Adding 0 turns -0 into +0.
    let zero = f32x16::splat(simd, 0.0);
    let from = low.0.narrow(high.0) + zero;
    let to = low.1.narrow(high.1) + zero;
    (from, from.simd_eq(to).to_bitmask() as u32)
}

#[inline(always)]
fn widen<S: Simd>(v: [f32x16<S>; 3]) -> (Three<S>, Three<S>) {
    let (x, y, z) = (v[0].widen(), v[1].widen(), v[2].widen());
    ([x.0, y.0, z.0], [x.1, y.1, z.1])
}

#[inline(always)]
fn splat<S: Simd>(simd: S, x: f64) -> f64x8<S> {
    f64x8::splat(simd, x)
}

#[inline(always)]
fn cross<S: Simd>(a: Three<S>, b: Three<S>) -> Three<S> {
    [
        a[1].mul_sub(b[2], a[2] * b[1]),
        a[2].mul_sub(b[0], a[0] * b[2]),
        a[0].mul_sub(b[1], a[1] * b[0]),
    ]
}

#[inline(always)]
fn dot<S: Simd>(a: Three<S>, b: Three<S>) -> f64x8<S> {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

#[inline(always)]
fn largest<S: Simd>(v: Three<S>) -> f64x8<S> {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests {
    use super::*;
    use crate::exact::ray::PreparedRay;
    use crate::exact::ray::certify8::tests::{RayAndTriangle, levels};
    use crate::shapes::{Hit, PrimId, Ray, Triangle};
    use alloc::vec::Vec;
    use estoc_testkit::generate::{self, Rng};
    use fearless_simd::Level;

    fn truth(ray: &Ray, triangle: &Triangle) -> Option<Hit> {
        let question = PreparedRay::new(ray)?;
        let prim = PrimId::from_index(0).unwrap();
        let touch = question.touch(prim, triangle, f64::INFINITY)?;
        Some(question.hit(&touch))
    }

    /// Compares hits of rays from one point with the scalar code; returns the number of certain
    /// ones.
    fn compare(level: Level, pairs: &[RayAndTriangle]) -> usize {
        let mut certain = 0;
        for sixteen in pairs.chunks(16) {
            let mut dir = [[1.0; 16]; 3];
            let mut corners = [[[0.0; 16]; 3]; 3];
            for (lane, (ray, triangle)) in sixteen.iter().enumerate() {
                for axis in 0..3 {
                    dir[axis][lane] = ray.dir[axis];
                    for (corner, point) in triangle.corners().iter().enumerate() {
                        corners[corner][axis][lane] = point[axis];
                    }
                }
            }
            let origin = sixteen[0].0.origin.to_array();
            let (bits, t, u, v) = fearless_simd::dispatch!(level, simd => {
                let load = |row: [f32; 16]| f32x16::load_array(simd, row);
                let found = round_sixteen(simd, origin, dir.map(load), corners.map(|p| p.map(load)));
                (found.certain, found.t.to_array(), found.u.to_array(), found.v.to_array())
            });
            for (lane, (ray, triangle)) in sixteen.iter().enumerate() {
                if bits >> lane & 1 == 0 {
                    continue;
                }
                certain += 1;
                let hit = truth(ray, triangle).expect("pairs of hits");
                let found = [t[lane], u[lane], v[lane]].map(f32::to_bits);
                let expected = [hit.t, hit.u, hit.v].map(f32::to_bits);
                assert_eq!(found, expected, "{level:?}: {hit:?}: {ray:?} {triangle:?}");
            }
        }
        certain
    }

    /// Returns rays from one point with the triangles that they hit.
    fn hits(origin: glam::Vec3, triangles: &[Triangle], rng: &mut Rng) -> Vec<RayAndTriangle> {
        let mut pairs = Vec::new();
        for &triangle in triangles {
            for _ in 0..4 {
                let [u, v] = [0; 2].map(|_: i32| rng.pick(&[0.0, 1.0, 0.5]) * rng.signed().abs());
                let (a, b, c) = (triangle.p0, triangle.p1, triangle.p2);
                let ray = Ray::new(origin, a + u * (b - a) + v * (1.0 - u) * (c - a) - origin);
                if truth(&ray, &triangle).is_some() {
                    pairs.push((ray, triangle));
                }
            }
        }
        pairs
    }

    #[test]
    fn certain_lanes_are_what_the_scalar_path_says() {
        let mut rng = Rng::named(1, "sixteen");
        for level in levels() {
            let (mut all, mut certain) = (0, 0);
            for _ in 0..40 {
                let origin = rng.point();
                let triangles: Vec<Triangle> = (0..100)
                    .map(|_| Triangle::new(rng.point(), rng.point(), rng.point()))
                    .collect();
                let pairs = hits(origin, &triangles, &mut rng);
                all += pairs.len();
                certain += compare(level, &pairs);
            }
            assert!(all > 5_000 && certain > all / 2, "{certain} of {all}");
            let (mut all, mut certain) = (0, 0);
            for scene in generate::scenes(4) {
                let finite = scene
                    .triangles
                    .iter()
                    .filter(|triangle| triangle.is_finite());
                let triangles: Vec<Triangle> = finite
                    .take(300)
                    .map(|triangle| Triangle::new(triangle.p0, triangle.p1, triangle.p2))
                    .collect();
                let on_it = triangles
                    .first()
                    .map_or(glam::Vec3::ZERO, |triangle| triangle.p1);
                for origin in [on_it, rng.point(), 100.0 * rng.point()] {
                    let pairs = hits(origin, &triangles, &mut rng);
                    all += pairs.len();
                    certain += compare(level, &pairs);
                }
            }
            std::println!("{level:?}: {certain} of {all} hits in hostile scenes are certain");
            assert!(all > 3_000 && certain > all / 20, "{certain} of {all}");
        }
    }
}

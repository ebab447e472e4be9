//! Rounds the numbers of sixteen hits that are certain already, for rays from one point, or on triangles whose
//! corners are known with errors.
//!
//! `products.rs` and `quotients.rs` are evaluated with one lane per ray, which has a triangle of its own.

use super::f64_lanes::round_lanes;
use super::products::Products;
use super::quotients::{Quotients, WELL_ABOVE};
use crate::arithmetic::InlineMap;
use fearless_simd::{Simd, SimdBase, SimdMask, SimdWiden, f32x16, f64x8, mask64x8};

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
        f64x8::splat(simd, origin[0].into()),
        f64x8::splat(simd, origin[1].into()),
        f64x8::splat(simd, origin[2].into()),
    ];
    let (d_low, d_high) = widen(dir);
    let (p0_low, p0_high) = widen(p0);
    let (p1_low, p1_high) = widen(p1);
    let (p2_low, p2_high) = widen(p2);
    let low = Products::of(o, d_low, [p0_low, p1_low, p2_low]);
    let high = Products::of(o, d_high, [p0_high, p1_high, p2_high]);
    rounded(&low, &high)
}

/// Numbers of sixteen rays, in two halves.
#[doc(hidden)]
pub type Wide16<S> = [f64x8<S>; 2];

/// Does the same for rays from any points, on triangles whose corners are known with errors: `off` bounds those of
/// each coordinate.
#[doc(hidden)]
#[inline(always)]
pub fn round_sixteen_blurred<S: Simd>(
    (origin, dir): ([f32x16<S>; 3], [f32x16<S>; 3]),
    corners: [[Wide16<S>; 3]; 3],
    off: Wide16<S>,
) -> RoundedHits<S> {
    let (o_low, o_high) = widen(origin);
    let (d_low, d_high) = widen(dir);
    let half = |i: usize| corners.inline_map(|p: [Wide16<S>; 3]| p.inline_map(|x: Wide16<S>| x[i]));
    let low = Products::of_blurred(o_low, d_low, half(0), off[0]);
    let high = Products::of_blurred(o_high, d_high, half(1), off[1]);
    rounded(&low, &high)
}

#[inline(always)]
fn rounded<S: Simd>(low: &Products<f64x8<S>>, high: &Products<f64x8<S>>) -> RoundedHits<S> {
    let (low, high) = (EightIntervals::of(low), EightIntervals::of(high));
    let (t, t_certain) = round_lanes(low.t, high.t);
    let (u, u_certain) = round_lanes(low.u, high.u);
    let (v, v_certain) = round_lanes(low.v, high.v);
    let divides = low.divides.to_bitmask() as u32 | (high.divides.to_bitmask() as u32) << 8;
    RoundedHits {
        t,
        u,
        v,
        certain: divides & t_certain & u_certain & v_certain,
    }
}

type Point64x8<S> = [f64x8<S>; 3];

/// The intervals of eight hits.
struct EightIntervals<S: Simd> {
    t: (f64x8<S>, f64x8<S>),
    u: (f64x8<S>, f64x8<S>),
    v: (f64x8<S>, f64x8<S>),
    /// Lanes whose denominator is well above its error; without this, they have no meaning.
    divides: mask64x8<S>,
}

impl<S: Simd> EightIntervals<S> {
    #[inline(always)]
    fn of(found: &Products<f64x8<S>>) -> Self {
        let quotients = Quotients::of(found);
        EightIntervals {
            t: quotients.interval(found.num, found.num_error),
            u: quotients.interval(found.edges[1], found.edge_error),
            v: quotients.interval(found.edges[2], found.edge_error),
            divides: found.den.abs().simd_gt(found.den_error * WELL_ABOVE),
        }
    }
}

#[inline(always)]
fn widen<S: Simd>(v: [f32x16<S>; 3]) -> (Point64x8<S>, Point64x8<S>) {
    let (x, y, z) = (v[0].widen(), v[1].widen(), v[2].widen());
    ([x.0, y.0, z.0], [x.1, y.1, z.1])
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests {
    use super::*;
    use crate::exact::ray::certify8::tests::{RayAndTriangle, levels, truth};
    use crate::shapes::{Ray, Triangle};
    use alloc::vec::Vec;
    use estoc_testkit::generate::{self, Rng};
    use fearless_simd::Level;

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
                let hit = truth(&(*ray, *triangle)).expect("pairs of hits");
                let found = [t[lane], u[lane], v[lane]].map(f32::to_bits);
                let expected = [hit.t, hit.u, hit.v].map(f32::to_bits);
                assert_eq!(found, expected, "{level:?}: {hit:?}: {ray:?} {triangle:?}");
            }
        }
        certain
    }

    /// Compares hits on corners with errors of such binary exponents, that state `told` times these, with those on
    /// the true corners. Returns how many are certain, and how many of these are wrong.
    fn compare_blurred(
        level: Level,
        pairs: &[RayAndTriangle],
        (told, [least, most]): (f64, [i32; 2]),
        rng: &mut Rng,
    ) -> [usize; 2] {
        let [mut certain, mut wrong] = [0; 2];
        for sixteen in pairs.chunks(16) {
            let [mut origin, mut dir] = [[[1.0; 16]; 3]; 2];
            let mut corners = [[[[0.0; 8]; 2]; 3]; 3];
            let mut off = [[0.0; 8]; 2];
            for (lane, (ray, triangle)) in sixteen.iter().enumerate() {
                let (half, place) = (lane / 8, lane % 8);
                let error = 2f64.powi(rng.int(least, most));
                off[half][place] = told * error;
                for axis in 0..3 {
                    (origin[axis][lane], dir[axis][lane]) = (ray.origin[axis], ray.dir[axis]);
                    for (corner, point) in triangle.corners().iter().enumerate() {
                        let moved = error * rng.pick(&[-1.0, 1.0, 0.3, 0.0]);
                        let corner = &mut corners[corner][axis][half][place];
                        *corner = f64::from(point[axis]) + moved;
                        // What that sum has lost.
                        off[half][place] += corner.abs() * f64::EPSILON;
                    }
                }
            }
            let (bits, t, u, v) = fearless_simd::dispatch!(level, simd => {
                let load = |row: [f32; 16]| f32x16::load_array(simd, row);
                let wide = |row: [[f64; 8]; 2]| row.map(|half| f64x8::load_array(simd, half));
                let corners = corners.map(|p| p.map(wide));
                let rays = (origin.map(load), dir.map(load));
                let found = round_sixteen_blurred(rays, corners, wide(off));
                (found.certain, found.t.to_array(), found.u.to_array(), found.v.to_array())
            });
            for (lane, pair) in sixteen.iter().enumerate() {
                if bits >> lane & 1 == 0 {
                    continue;
                }
                certain += 1;
                let hit = truth(pair).expect("pairs of hits");
                let found = [t[lane], u[lane], v[lane]].map(f32::to_bits);
                wrong += usize::from(found != [hit.t, hit.u, hit.v].map(f32::to_bits));
            }
        }
        [certain, wrong]
    }

    #[test]
    fn corners_with_errors_are_rounded_as_the_true_ones() {
        let mut rng = Rng::named(1, "sixteen with errors");
        for level in levels() {
            let [mut certain, mut wrong, mut understated] = [0; 3];
            for _ in 0..40 {
                let pairs = random_hits(&mut rng);
                let stated = compare_blurred(level, &pairs, (1.0, [-60, -28]), &mut rng);
                (certain, wrong) = (certain + stated[0], wrong + stated[1]);
                understated += compare_blurred(level, &pairs, (0.005, [-30, -18]), &mut rng)[1];
            }
            std::println!("{level:?}: {certain} certain, {understated} wrong if understated");
            assert!(certain > 4_000 && wrong == 0, "{wrong} of {certain}");
            assert!(understated > 10, "{understated}");
        }
    }

    /// Returns rays from a point with a hundred triangles that they hit, but for some.
    fn random_hits(rng: &mut Rng) -> Vec<RayAndTriangle> {
        let origin = rng.point();
        let triangles: Vec<Triangle> = (0..100)
            .map(|_| Triangle::new(rng.point(), rng.point(), rng.point()))
            .collect();
        hits(origin, &triangles, rng)
    }

    /// Returns rays from one point with the triangles that they hit.
    fn hits(origin: glam::Vec3, triangles: &[Triangle], rng: &mut Rng) -> Vec<RayAndTriangle> {
        let mut pairs = Vec::new();
        for &triangle in triangles {
            for _ in 0..4 {
                let [u, v] = [0; 2].map(|_: i32| rng.pick(&[0.0, 1.0, 0.5]) * rng.signed().abs());
                let (a, b, c) = (triangle.p0, triangle.p1, triangle.p2);
                let ray = Ray::new(origin, a + u * (b - a) + v * (1.0 - u) * (c - a) - origin);
                let pair = (ray, triangle);
                if ray.check().is_ok() && truth(&pair).is_some() {
                    pairs.push(pair);
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
                let pairs = random_hits(&mut rng);
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

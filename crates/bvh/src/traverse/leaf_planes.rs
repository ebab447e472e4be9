//! Which leaves a plain ray does not reach in time: it meets none of their triangles' planes between
//! its ends.
//!
//! The test takes a third of the operations of a leaf test, and reads less than half of the memory. Many of
//! the leaves that a ray visits hold nothing that it hits in time.
//!
//! # Bound
//! Let u = 2^-24, and let way be the reach of the tree and the largest coordinate of the origin `o`
//! together, W the largest coordinate of the direction `w`. A plane (`wide/planes.rs`) has
//! `|n p - d| <= 4u way` for every point p of its triangle, `|n| <= 1 + u`, and so
//! `|d| <= sqrt 3 way` but for terms of the order of u. At a hit, `p = o + t w`, so `t D = N` with
//! `D = n w`, and N off from `d - n o` by `4u way`.
//!
//! `d - n o` is computed as three products that are subtracted one by one. Each sum is at most
//! `sqrt 3 way`, and rounded by u of it: 5.2u way. The products, if they are rounded, add `sqrt 3 u way`.
//! So N is off from what is computed by less than 11u way, and D by less than 5.2u W: `3 sqrt 3 u W` for
//! its products and two sums. What underflows is below 2^-147, while way is at least 2^-20 and W 2^-8
//! (`ray.rs`).
//!
//! With the signs of both turned so that the computed D is not negative, and E = 11u way, F = 5.2u W:
//! - If `N - E > limit (D + F)` for the computed numbers, then no `0 <= t <= limit` has `t D = N` for
//!   true ones: where D is positive, t is above the limit, and elsewhere t would be negative.
//! - If `N + E < t_min (D - F)` and `D > F`, then D is positive and t less than `t_min`.
//!
//! The right sides are computed with at most four roundings of each term, of which `limit D` has no
//! more than `2u sqrt 3 W limit`; 12u W in the place of F and 13u way in that of E are more than all of
//! these, and than the rounding of way. NaN fails the comparisons, and so does an infinite right side of
//! the first. One of the second is the overflow of `t_min D`, which is then above 2^126 and more than any
//! N, below 2^34.

use super::kernel_ray::U;
use super::plain_ray::ray::PlainRay;
use crate::wide::{PlaneRows, WIDTH};
use estoc_core::{InlineMap, Ray};
use fearless_simd::{Bytes, Simd, SimdBase, SimdFloat, SimdMask, f32x8, u32x8};

/// A ray, as the planes of leaves are compared with it.
#[derive(Debug)]
pub struct PlanesRay {
    /// Negated.
    origin: [f32; 3],
    dir: [f32; 3],
    t_min: f32,
    /// What the distance of the origin from a plane is off, and the slope of the direction to it.
    pub error: f32,
    pub slope_error: f32,
    /// The error at `t_min`, negated.
    pub least: f32,
}

impl PlanesRay {
    #[inline(always)]
    pub fn of<S: Simd>(ray: &Ray, plain: &PlainRay<S>) -> Self {
        let [x, y, z] = ray.dir.to_array().inline_map(f32::abs);
        let larger = if x > y { x } else { y };
        let slope_error = 12.0 * U * if larger > z { larger } else { z };
        let error = 13.0 * U * plain.way;
        PlanesRay {
            origin: ray.origin.to_array().inline_map(|x| -x),
            dir: ray.dir.to_array(),
            t_min: plain.t_min,
            error,
            slope_error,
            least: -(error + plain.t_min * slope_error),
        }
    }
}

/// Returns the triangles of a leaf that the ray may hit between its beginning and the limit, as bits.
#[inline(always)]
pub fn met<S: Simd>(
    simd: S,
    planes: PlaneRows<'_>,
    len: usize,
    ray: &PlanesRay,
    limit: f32,
) -> u32 {
    let splat = |x: f32| f32x8::splat(simd, x);
    let [nx, ny, nz, d] = [
        f32x8::load_array_ref(simd, planes[0]),
        f32x8::load_array_ref(simd, planes[1]),
        f32x8::load_array_ref(simd, planes[2]),
        f32x8::load_array_ref(simd, planes[3]),
    ];
    let [ox, oy, oz] = [
        splat(ray.origin[0]),
        splat(ray.origin[1]),
        splat(ray.origin[2]),
    ];
    let [wx, wy, wz] = [splat(ray.dir[0]), splat(ray.dir[1]), splat(ray.dir[2])];
    let height = nz.mul_add(oz, ny.mul_add(oy, nx.mul_add(ox, d)));
    let slope = nz.mul_add(wz, ny.mul_add(wy, nx * wx));
    let sign: u32x8<S> = slope.bitcast::<u32x8<S>>() & u32x8::splat(simd, 1 << 31);
    let height = (height.bitcast::<u32x8<S>>() ^ sign).bitcast::<f32x8<S>>();
    let slope = slope.abs();
    let most = limit * ray.slope_error + ray.error;
    let beyond = height.simd_gt(slope.mul_add(splat(limit), splat(most)));
    let before = height.simd_lt(slope.mul_add(splat(ray.t_min), splat(ray.least)))
        & slope.simd_gt(splat(ray.slope_error));
    let passed = (beyond | before).to_bitmask() as u32;
    let there = ((1 << len) - 1) & ((1 << WIDTH) - 1);
    !passed & there
}

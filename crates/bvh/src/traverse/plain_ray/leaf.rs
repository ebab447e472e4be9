//! The leaf test of plain rays, and of others that may be certain of their hits: edges first, parameters
//! only where a triangle passes them.
//!
//! The test is that of `edge_functions.rs` and `t_spans.rs`, with bounds that need fewer operations
//! for each triangle. Let u = 2^-24, and let way be the largest distance from the origin to the tree in
//! any coordinate, which every computed |z| exceeds by no more than a rounding. The origin of a plain ray
//! is exact, and `moved` 2^-126; that of rays that were moved or mapped (`kernel_ray.rs`, `mapped_frame.rs`),
//! which are tested in the same way where the tree has plain rays, is off by `moved`. The way lies
//! between 2^-20 and 2^31: the reach of the tree lies between 2^-20 and 2^30 (`PLAIN` in `wide`), and the
//! origin and `moved` are below 2^26.
//!
//! # Edges
//! A slope is the product of a coordinate of the direction and the rounded inverse of the longest
//! one. It is at most 1 and off by 2u, not u, and saves two divisions. So the sheared coordinate
//! `a` is off by `2u |a| + 5u |z|`: 2u for the slope, u for z, u for their product if it is rounded,
//! and u for x, as `edge_functions.rs` derives; and by what underflows. With
//! `b = 6.2u depth + 2.2 moved` instead of `5.1u depth + 2.2 moved`, the bound is
//! `E = 6.5u S^2 + b S + 2 b^2 + 1e-30`. With the way instead of the depth it would take fewer
//! operations, but rays that nearly lie in a plane then leave three times as many doubts.
//!
//! # Parameters
//! `t_spans.rs` derives that the computed z of a hit is off by `3E spread / |A|` and 13u of the
//! depth; here `3.2 E spread / |A| + 20u way`. What underflows in `place` is at most 2^-147. As
//! |A| exceeds `3E > 3e-30` where a hit is certain, that is less than 2^-48 after the division, and
//! so is what underflows in `E spread`, even times the inverse of the direction's z, as that is in
//! the spread already; the spare is `7u way >= 2^-42`. Nothing overflows: S is at most `12 way`, so
//! |A| at most `24 way^2 < 2^67` and |place| at most `48 way^3 < 2^99`, and `1 / |A|` is less than
//! 2^99. Therefore no range of the area has to be tested.
//!
//! # Moved rays
//! `t_spans.rs` has `3 moved` besides, which in z is more than 2^-42 only for rays that were moved or
//! mapped. The direction of a mapped ray is off by a part f of its largest coordinate, which is that of z
//! or as large: a hit's z, at most `way + moved` in size, is divided by a number that is off by that part,
//! and `moved` is at least `1.44 f way`. So `4 moved` covers both, and E bounds the errors of edges as for
//! any ray. Nothing else changes the parameter: the start and the end (`certain_end`) are exact or on the
//! safe side. Each corner may be off by another vector of that size, as where placements are nested
//! (`walk.rs` of estoc-scene): the bounds of edges and of z hold for each corner by itself.
//!
//! # Ends
//! Where an edge is in doubt, a triangle whose corners all lie before the ray or behind its limit
//! is dropped as in `leaf_test.rs`.

use super::super::edge_functions::{EdgeBound, EdgeValues, Line, block_corners};
use super::super::kernel_ray::U;
use super::super::leaf_ray::{AXES, LeafRay};
use super::super::t_spans::{Passed, Spans};
use super::ray::PlainRay;
use crate::wide::{Axis, Block, WIDTH};
use estoc_core::InlineMap;
use estoc_core::Ray;
#[cfg(target_arch = "x86_64")]
use fearless_simd::SimdFrom;
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, f32x4, f32x8};

/// The part of a plain ray that leaf tests need.
#[derive(Debug)]
pub struct SpanRay {
    /// The origin, with axes rotated so that the direction's longest is the last.
    pub(in crate::traverse) origin: [f32; 3],
    /// The direction's slopes along the last axis, negated.
    pub(in crate::traverse) shear: [f32; 2],
    pub(in crate::traverse) inverse_z: f32,
    pub(in crate::traverse) dir_z: f32,
    pub(in crate::traverse) last: usize,
    pub(in crate::traverse) t_min: f32,
    pub(in crate::traverse) t_max: f32,
    /// The part of the parameter's error that does not depend on the triangle.
    pub(in crate::traverse) t_error: f32,
    pub(in crate::traverse) way: f32,
    /// What the origin is off.
    pub(in crate::traverse) moved: f32,
}

impl SpanRay {
    #[inline(always)]
    pub fn of<S: Simd>(ray: &Ray, plain: &PlainRay<S>, inverse: &[f32; 4]) -> Self {
        let numbers = ray.as_array();
        let [x, y, z] = [numbers[3].abs(), numbers[4].abs(), numbers[5].abs()];
        // No branches: unrelated rays would take each at random.
        let last = usize::from((if y > z { y } else { z }) >= x) * (1 + usize::from(z >= y));
        let axes = AXES[last & 3];
        // Read again from where the ray lies: an array indexed by a number that is not known at
        // compile time would keep all of the ray out of registers.
        let [dir_x, dir_y, dir_z] =
            axes.inline_map(|axis| numbers[(3 + axis.index()) % numbers.len()]);
        let inverse_z = inverse[last & 3];
        SpanRay {
            origin: axes.inline_map(|axis| numbers[axis.index() % numbers.len()]),
            shear: [-dir_x * inverse_z, -dir_y * inverse_z],
            inverse_z,
            dir_z,
            last,
            t_min: plain.t_min,
            t_max: plain.t_max,
            t_error: 20.0 * U * plain.way * inverse_z.abs(),
            way: plain.way,
            moved: f32::MIN_POSITIVE,
        }
    }

    /// Returns a ray whose origin is off by at most `moved`, with its ends.
    #[inline(always)]
    pub fn of_mapped<S: Simd>(
        (ray, moved): (&Ray, f32),
        plain: &PlainRay<S>,
        inverse: &[f32; 4],
    ) -> Self {
        let of = SpanRay::of(ray, plain, inverse);
        SpanRay {
            t_min: ray.t_min,
            t_max: ray.t_max,
            t_error: of.t_error + 4.0 * moved * of.inverse_z.abs(),
            moved,
            ..of
        }
    }

    /// Returns the ray if hits on it may be [certain](super::super::kernel_ray::RayEnds::greatest).
    #[inline(always)]
    pub fn of_prepared(ray: &LeafRay, t_max: f32) -> Self {
        let way = 0.25 * ray.farthest;
        SpanRay {
            origin: ray.origin,
            shear: ray.shear,
            inverse_z: ray.inverse_z,
            dir_z: ray.dir_z,
            last: ray.last as usize,
            t_min: ray.least,
            t_max,
            t_error: (20.0 * U * way + 4.0 * ray.moved) * ray.inverse_z.abs(),
            way,
            moved: ray.moved,
        }
    }

    #[inline(always)]
    fn axes(&self) -> [Axis; 3] {
        AXES[self.last & 3]
    }
}

/// The bound of plain rays.
pub(in crate::traverse) const BOUND: EdgeBound = EdgeBound {
    depth: 6.2 * U,
    least: 1e-30,
};

/// Returns the edge functions of the triangles of a leaf, and those that the line may meet, as bits.
#[inline(always)]
fn edges_of<S: Simd>(simd: S, block: Block<'_>, ray: &SpanRay) -> (EdgeValues<S, f32x8<S>>, u32) {
    let line = Line {
        origin: ray.origin.inline_map(|x| f32x8::splat(simd, x)),
        shear: ray.shear.inline_map(|x| f32x8::splat(simd, x)),
        off: f32x8::splat(simd, 2.2 * ray.moved),
    };
    let edges = EdgeValues::of(simd, block_corners(simd, block, ray.axes()), &line, BOUND);
    let there = ((1 << block.len()) - 1) & ((1 << WIDTH) - 1);
    let maybe = !edges.outside.to_bitmask() as u32 & there;
    (edges, maybe)
}

/// The numbers of rays that tell where they hit triangles, in the lanes of vectors.
pub(in crate::traverse) struct SpanNumbers<V> {
    pub(in crate::traverse) inverse_z: V,
    /// 3.2 times its size.
    pub(in crate::traverse) spread: V,
    pub(in crate::traverse) t_min: V,
    pub(in crate::traverse) t_max: V,
    pub(in crate::traverse) t_error: V,
    pub(in crate::traverse) limit: V,
}

impl<V> Spans<V> {
    /// Returns the spans of the lanes, given as bits, in which the line may meet a triangle by its edges.
    #[inline(always)]
    pub(in crate::traverse) fn of<S: Simd>(
        simd: S,
        (edges, maybe): (&EdgeValues<S, V>, u32),
        ray: &SpanNumbers<V>,
    ) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let (place, area) = edges.place_and_area();
        let inverse = V::splat(simd, 1.0) / area;
        let spread = (edges.farthest - edges.nearest) * ray.spread;
        let t_error = (edges.error * spread).mul_add(inverse.abs(), ray.t_error);
        let middle = place * inverse * ray.inverse_z;
        let (from, to) = (middle - t_error, middle + t_error);
        let inside = edges.least.simd_gt(edges.error) | edges.greatest.simd_lt(-edges.error);
        let missed = to.simd_lt(ray.t_min) | from.simd_gt(ray.limit);
        let maybe = maybe & !((missed & inside).to_bitmask() as u32);
        let between = from.simd_ge(ray.t_min) & to.simd_le(ray.t_max);
        let certain = (between & inside).to_bitmask() as u32 & maybe;
        Spans {
            passed: Passed { maybe, certain },
            from,
            to,
        }
    }
}

/// Returns the spans of the triangles that the line may meet by their edges, given as bits.
#[inline(always)]
fn spans_of<S: Simd>(
    simd: S,
    (edges, maybe): (&EdgeValues<S, f32x8<S>>, u32),
    ray: &SpanRay,
    limit: f32,
) -> Spans<f32x8<S>> {
    let splat = |x: f32| f32x8::splat(simd, x);
    let numbers = SpanNumbers {
        inverse_z: splat(ray.inverse_z),
        spread: splat(3.2 * ray.inverse_z.abs()),
        t_min: splat(ray.t_min),
        t_max: splat(ray.t_max),
        t_error: splat(ray.t_error),
        limit: splat(limit),
    };
    Spans::of(simd, (edges, maybe), &numbers)
}

/// Returns which triangles of a leaf the ray may hit up to the limit, which of them it certainly
/// hits, and intervals of these hits' parameters.
#[inline(always)]
pub fn spans<S: Simd>(simd: S, block: Block<'_>, ray: &SpanRay, limit: f32) -> Spans<f32x8<S>> {
    let splat = |x: f32| f32x8::splat(simd, x);
    let (edges, maybe) = edges_of(simd, block, ray);
    if maybe == 0 {
        return Spans::none(simd);
    }
    let mut spans = spans_of(simd, (&edges, maybe), ray, limit);
    let Passed { maybe, certain } = spans.passed;
    if maybe != certain {
        // Most triangles that are not certainly inside lie elsewhere along the ray.
        let (low, high) = ends(ray, limit);
        let elsewhere = edges.farthest.simd_lt(splat(low)) | edges.nearest.simd_gt(splat(high));
        spans.passed.maybe &= !elsewhere.to_bitmask() as u32 | certain;
    }
    spans
}

/// Does the same as [`spans`] without any branch, but does not look where triangles lie along the ray
/// that are not certainly inside.
#[inline(always)]
pub fn wide_spans<S: Simd>(
    simd: S,
    block: Block<'_>,
    ray: &SpanRay,
    limit: f32,
) -> Spans<f32x8<S>> {
    let (edges, maybe) = edges_of(simd, block, ray);
    spans_of(simd, (&edges, maybe), ray, limit)
}

/// Returns the ends of the ray up to the limit along the last axis, the lower first, with margins.
#[inline(always)]
fn ends(ray: &SpanRay, limit: f32) -> (f32, f32) {
    let from = ray.t_min * ray.dir_z;
    let to = limit * ray.dir_z;
    let farthest = 4.0 * ray.way;
    let to = if to.abs() < farthest {
        to
    } else {
        farthest.copysign(to)
    };
    let (low, high) = if from < to { (from, to) } else { (to, from) };
    let spare = |end: f32| end.abs() * (4.0 * U) + 2.0 * ray.moved;
    (low - spare(low), high + spare(high))
}

/// Returns the corners of one triangle, each coordinate in all lanes.
#[inline(always)]
pub(in crate::traverse) fn corners<S: Simd>(
    simd: S,
    block: Block<'_>,
    place: usize,
) -> [[f32x4<S>; 3]; 3] {
    [
        lanes_of_corner::<S, 0>(simd, block, place),
        lanes_of_corner::<S, 1>(simd, block, place),
        lanes_of_corner::<S, 2>(simd, block, place),
    ]
}

#[inline(always)]
fn lanes_of_corner<S: Simd, const CORNER: usize>(
    simd: S,
    block: Block<'_>,
    place: usize,
) -> [f32x4<S>; 3] {
    [
        each_lane(simd, block.row::<CORNER>(Axis::X), place),
        each_lane(simd, block.row::<CORNER>(Axis::Y), place),
        each_lane(simd, block.row::<CORNER>(Axis::Z), place),
    ]
}

/// Returns one of eight numbers in all lanes.
#[inline(always)]
fn each_lane<S: Simd>(simd: S, row: &[f32; WIDTH], place: usize) -> f32x4<S> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        // The compiler would load scalars at equal distances by a gather of 20 instructions.
        let row = f32x8::load_array_ref(simd, row);
        return f32x4::simd_from(simd, x86::each_lane(avx2, row.into(), place as i32));
    }
    f32x4::splat(simd, row[place % WIDTH])
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;
    use fearless_simd::kernel;

    kernel!(
        /// Returns one of eight numbers in all lanes.
        #[inline(always)]
        pub(super) fn each_lane(avx2: Avx2, row: __m256, place: i32) -> __m128 {
            let lane = _mm256_permutevar8x32_ps(row, _mm256_set1_epi32(place));
            _mm256_castps256_ps128(lane)
        }
    );
}

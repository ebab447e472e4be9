//! Tests which of up to eight triangles the ray may hit.
//!
//! Badouel's order, plane before inside, does not apply: of the plane the test only needs whether
//! some corner lies before and some behind the limits. Then the corners are sheared along the ray
//! onto a plane across it, and the ray is outside where two of the three edge functions certainly
//! have different signs (as in Woop, Benthin and Wald 2013, "Watertight Ray/Triangle Intersection";
//! `edge_functions.rs`). A triangle that passes needlessly costs an exact test.
//!
//! # Ends
//! In z the ray goes from `low` to `high`: the least parameter and the limit times the direction's
//! z, in order, each off by u relatively. The farthest a corner can be is `way` and `moved`, so an
//! end beyond `4 way` may be set to `4 way`: `moved` may be larger still, and then decides nothing.
//! A hit lies between the Z of the corners. It is too early if the greatest z is below
//! `low - 4u |low| - 2 moved`: the two roundings of that take `2u |low|`, and the rest is u for the
//! end, u for z, which is smaller in size or has the other sign, and `moved`. The same holds for
//! too late, and with opposite signs for a triangle that is certainly between the ends.
//!
//! A triangle on both sides of an end is met at `place / area`, of the sums of `w z` and of
//! `w` over the edge functions w. A division would lose the sign, so the test computes
//! `F = place - end area = sum w (z - end)`. Let `far = depth + |end| + 2 moved`, no less than
//! any `|Z - end|`, and W the sum of the |w|. F is off
//! - by the edges: `3 E far`,
//! - by z and by the end: `u depth W + moved W + u |end| W`,
//! - by the roundings of place, `3u depth W`, of the area, `2u |end| W`, of its product,
//!   `u |end| W`, and of the difference, `u (depth + |end|) W`,
//!
//! so by less than `(3E + 5u W) far + moved W`. The sign of the area may be wrong only if the area
//! is less than `3E + 2u W`. A hit has edge functions of one sign, so that its |F| is at most
//! `area far`: then the computed F is less than `(6E + 7u W) far + moved W`. The kernel takes
//! `2 far (3.1E + 4u W) + 4 moved W + 1e-37`, which is more than both with its own roundings.
//!
//! Every intermediate result of F is at most `(depth + |end|) W`, so where one overflows, `2 far W`
//! does; where W or E does, too. The error is then infinite or NaN, as is F, and no comparison with
//! them is true. A least parameter that is infinite makes `low` infinite, with the same effect.

use super::edge_functions::{EdgeBound, EdgeValues, Line, block_corners};
use super::kernel_ray::U;
use super::leaf_ray::LeafRay;
use super::leaf_visits::smaller;
use crate::wide::{Block, WIDTH};
use estoc_core::InlineMap;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8};

/// Returns which triangles of a leaf the ray may hit up to the limit, as bits.
#[inline(always)]
pub fn leaf_test<S: Simd>(simd: S, block: Block<'_>, ray: &LeafRay, limit: f32) -> u32 {
    let splat = |x: f32| f32x8::splat(simd, x);
    let line = Line {
        origin: ray.origin.inline_map(|x| f32x8::splat(simd, x)),
        shear: ray.shear.inline_map(|x| f32x8::splat(simd, x)),
        off: splat(2.2 * ray.moved),
    };
    let corners = block_corners(simd, block, ray.axes());
    let there = ((1 << block.len()) - 1) & ((1 << WIDTH) - 1);
    let (low, high) = ends(ray, limit);
    let ends = [splat(low), splat(high)];
    let edges = EdgeValues::of(simd, corners, &line, EdgeBound::ANY);
    triangle_test(simd, &edges, ends, splat(ray.moved), there) as u32
}

/// Returns where the ray begins and ends in z, the lower first.
#[inline(always)]
fn ends(ray: &LeafRay, limit: f32) -> (f32, f32) {
    let to = limit * ray.dir_z;
    let to = if to.abs() < ray.farthest {
        to
    } else {
        ray.farthest.copysign(to)
    };
    // The limit is not before the least parameter, so their order gives the direction; and there is
    // no branch, which would be unpredictable when rays take turns.
    (smaller(ray.from, to), larger(ray.from, to))
}

/// Returns the larger number, in one instruction, as [`smaller`] does.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the triangles, of those given as bits, that a ray may hit between its ends in z.
#[inline(always)]
fn triangle_test<S: Simd>(
    simd: S,
    edges: &EdgeValues<S, f32x8<S>>,
    [low, high]: [f32x8<S>; 2],
    moved: f32x8<S>,
    triangles: u64,
) -> u64 {
    let (depth, error) = (edges.depth, edges.error);
    let splat = |x: f32| f32x8::splat(simd, x);
    let twice = moved + moved;
    let spare = |x: f32x8<S>| x.abs() * splat(4.0 * U) + twice;
    let (spare_low, spare_high) = (spare(low), spare(high));
    let before = edges.farthest.simd_lt(low - spare_low);
    let behind = edges.nearest.simd_gt(high + spare_high);
    let mut maybe = !(edges.outside | before | behind).to_bitmask() & triangles;
    if maybe == 0 {
        return 0;
    }
    // Some triangles lie on both sides of an end, such as the one that a ray has just left.
    let early = edges.nearest.simd_lt(low + spare_low);
    let late = edges.farthest.simd_gt(high - spare_high);
    let open = early | late;
    if maybe & open.to_bitmask() != 0 {
        // Where the ray meets the planes, in z: `place / area`.
        let (place, area) = edges.place_and_area();
        let place = area.simd_lt(splat(0.0)).select(-place, place);
        let area = area.abs();
        let [u, v, w] = edges.edges;
        let weights = u.abs() + v.abs() + w.abs();
        let edges = error * splat(3.1);
        let moved = weights.mul_add(twice + twice, splat(1e-37));
        // Twice as much as needed: where a sum could overflow, so does `far * weights`, and nothing
        // is decided.
        let far = |end: f32x8<S>| {
            let far = depth + (end.abs() + twice);
            far + far
        };
        let sums = |far: f32x8<S>| (far * weights).mul_add(splat(4.0 * U), moved);
        let after = place - low * area;
        let after_error = far(low).mul_add(edges, sums(far(low)));
        let over = place - high * area;
        let over_error = far(high).mul_add(edges, sums(far(high)));
        let missed = after.simd_lt(-after_error) | over.simd_gt(over_error);
        maybe &= !missed.to_bitmask();
    }
    maybe
}

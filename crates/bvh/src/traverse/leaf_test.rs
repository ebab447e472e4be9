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

use super::edge_functions::{Edges, Line};
use super::kernel_ray::U;
use super::leaf_ray::LeafRay;
use super::leaf_visits::smaller;
use crate::wide::{Block, WIDTH};
use estoc_core::InlineMap;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8};

/// Returns which triangles of a leaf the ray may hit up to the limit, as bits.
#[inline(always)]
pub fn leaf_test<S: Simd>(simd: S, block: Block<'_>, ray: &LeafRay, limit: f32) -> u32 {
    let (low, high) = ends(ray, limit);
    let edges = edges_of(simd, block, ray, (low, high));
    let there = ((1 << block.len()) - 1) & ((1 << WIDTH) - 1);
    let maybe = !edges.missed as u32 & there;
    if maybe == 0 {
        return 0;
    }
    let splat = |x: f32| f32x8::splat(simd, x);
    let ends = [splat(low), splat(high)];
    between(simd, &edges, ends, splat(ray.moved), maybe.into()) as u32
}

/// Returns the lanes, of those given as bits, where the ray may hit the triangle between its ends in z.
#[inline(always)]
pub(super) fn between<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    edges: &Edges<V>,
    [low, high]: [V; 2],
    moved: V,
    mut maybe: u64,
) -> u64 {
    let (depth, error) = (edges.depth, edges.error);
    let splat = |x: f32| V::splat(simd, x);
    let twice = moved + moved;
    // Some triangles lie on both sides of an end, such as the one that a ray has just left.
    let spacious = |x: V| x.abs() * splat(4.0 * U) + twice;
    let early = edges.nearest.simd_lt(low + spacious(low));
    let late = edges.farthest.simd_gt(high - spacious(high));
    let open = early | late;
    if maybe & open.to_bitmask() != 0 {
        // Where the ray meets the planes, in z: `place / area`.
        let (place, area) = edges.place_and_area(simd);
        let place = area.simd_lt(splat(0.0)).select(-place, place);
        let area = area.abs();
        let [u, v, w] = edges.edges;
        let weights = u.abs() + v.abs() + w.abs();
        let edges = error * splat(3.1);
        let moved = weights.mul_add(twice + twice, splat(1e-37));
        // Twice as much as needed: where a sum could overflow, so does `far * weights`, and nothing
        // is decided.
        let far = |end: V| {
            let far = depth + (end.abs() + twice);
            far + far
        };
        let sums = |far: V| (far * weights).mul_add(splat(4.0 * U), moved);
        let after = place - low * area;
        let after_error = far(low).mul_add(edges, sums(far(low)));
        let over = place - high * area;
        let over_error = far(high).mul_add(edges, sums(far(high)));
        let missed = after.simd_lt(-after_error) | over.simd_gt(over_error);
        maybe &= !missed.to_bitmask();
    }
    maybe
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

#[inline(always)]
fn edges_of<S: Simd>(
    simd: S,
    block: Block<'_>,
    ray: &LeafRay,
    (low, high): (f32, f32),
) -> Edges<f32x8<S>> {
    let before = low - low.abs() * (4.0 * U) - 2.0 * ray.moved;
    let behind = high + high.abs() * (4.0 * U) + 2.0 * ray.moved;
    let line = Line {
        origin: ray.origin.inline_map(|x| f32x8::splat(simd, x)),
        shear: ray.shear.inline_map(|x| f32x8::splat(simd, x)),
        before: f32x8::splat(simd, before),
        behind: f32x8::splat(simd, behind),
    };
    let corners = [
        corner::<S, 0>(simd, block, ray),
        corner::<S, 1>(simd, block, ray),
        corner::<S, 2>(simd, block, ray),
    ];
    let off = f32x8::splat(simd, 2.2 * ray.moved);
    Edges::of(simd, corners, &line, off)
}

/// Returns a corner of each triangle, with axes rotated like those of the ray.
#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(simd: S, block: Block<'_>, ray: &LeafRay) -> [f32x8<S>; 3] {
    let [x, y, z] = ray.axes();
    [
        f32x8::load_array_ref(simd, block.row::<CORNER>(x)),
        f32x8::load_array_ref(simd, block.row::<CORNER>(y)),
        f32x8::load_array_ref(simd, block.row::<CORNER>(z)),
    ]
}

/// Returns the larger number, in one instruction, as [`smaller`] does.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

//! On which side of a triangle's edges a ray passes: eight triangles and one ray, or one triangle
//! and as many rays as a vector holds. Each lane has one of both.
//!
//! # Edges
//! Let u = 2^-24. X, Y, Z are a corner less the ray's true origin, and `x`, `y`, `z` what is
//! computed for them: `z` is off by `u |z|` for the subtraction and by `moved` for the origin.
//! A slope of the direction is at most 1 and off by u. So `k z` is off from `slope Z` by
//! `2u |z| + moved`, and by another `u |z|` if the product is rounded; `x` is off by
//! `u |x| + moved <= u |a| + u |z| + moved`; and the rounding of their sum adds `u |a|`. Together,
//! `a` is off from `A = X - slope Z` by `2u |a| + 4u |z| + 2 moved`.
//!
//! Let depth be the greatest |z| of a triangle, S the sum of its six |a|, and
//! `b = 5.1u depth + 2.2 moved`, which with its own roundings is more than the last two terms. For rays
//! whose slopes are off by 2u, 6.2u take the place of 5.1u.
//! What underflows there is a few times 2^-150, or as small a part of the depth, and `moved` is at
//! least 2^-126.
//!
//! An edge function `a b' - a' b` with `P = |a b'| + |a' b|` is then off by
//! `4u P + b S + 2 b^2`, with the terms of second order in the last one; and by `2u P` for its
//! roundings, fused or not. The sum of the four numbers in P is at most S, so `P <= S^2 / 4`, and
//! `E = 6.5u S^2 + b S + 2 b^2 + 1e-37` suffices: `1.5u S^2` is needed, the rest covers all
//! roundings of E, and 1e-37 covers what underflows below the least `f32`, less than 2^-147. A number
//! above 1e-37 serves, too.
//!
//! A product overflows only where S^2 does: `S^2 / 4` bounds both. Corners are finite and
//! below 2^118, so S and b are finite and E is infinite, not NaN: nothing is outside or
//! inside. A corner that is not finite makes S infinite or NaN, and is not inside either.

use super::kernel_ray::U;
use crate::wide::{Axis, Block};
use fearless_simd::{Simd, SimdBase, SimdFloat, f32x8};

/// Rays in the form that edge functions use, one for each lane; all have the same last axis.
pub(super) struct Line<V> {
    /// The origin, with axes rotated so that the direction's longest is the last.
    pub(super) origin: [V; 3],
    /// The direction's slopes along the last axis, negated.
    pub(super) shear: [V; 2],
    /// `2.2 moved`.
    pub(super) off: V,
}

/// What bounds the errors of a kind of rays.
#[derive(Clone, Copy)]
pub(super) struct EdgeBound {
    /// The factor of the depth.
    pub(super) depth: f32,
    /// The summand of E.
    pub(super) least: f32,
}

impl EdgeBound {
    /// The bound of any ray.
    pub(super) const ANY: EdgeBound = EdgeBound {
        depth: 5.1 * U,
        least: 1e-37,
    };
}

/// The first results of a leaf test.
pub(super) struct EdgeValues<S: Simd, V: SimdFloat<S, Element = f32>> {
    /// The edge functions, the least and the greatest of them, and the bound of their errors.
    pub(super) edges: [V; 3],
    pub(super) least: V,
    pub(super) greatest: V,
    pub(super) error: V,
    /// The z of the corners, the least and the greatest of them, and the largest absolute value.
    pub(super) corners: [V; 3],
    pub(super) nearest: V,
    pub(super) farthest: V,
    pub(super) depth: V,
    /// The lanes where the line passes the triangle.
    pub(super) outside: V::Mask,
}

impl<S: Simd, V: SimdFloat<S, Element = f32>> EdgeValues<S, V> {
    /// Computes the edge functions of `corners`, whose axes are rotated like those of the rays.
    #[inline(always)]
    pub(super) fn of(simd: S, corners: [[V; 3]; 3], line: &Line<V>, bound: EdgeBound) -> Self {
        let [a, b, c] = corners;
        let [ax, ay, az] = sheared(a, line);
        let [bx, by, bz] = sheared(b, line);
        let [cx, cy, cz] = sheared(c, line);
        let u = cx.mul_sub(by, cy * bx);
        let v = ax.mul_sub(cy, ay * cx);
        let w = bx.mul_sub(ay, by * ax);
        let sum = (ax.abs() + ay.abs()) + (bx.abs() + by.abs()) + (cx.abs() + cy.abs());
        let (nearest, farthest) = (az.min(bz).min(cz), az.max(bz).max(cz));
        let depth = nearest.abs().max(farthest.abs());
        // Operations that need the sum come last, since it is ready last.
        let b = depth.mul_add(V::splat(simd, bound.depth), line.off);
        let constant = (b + b).mul_add(b, V::splat(simd, bound.least));
        let linear = sum.mul_add(b, constant);
        let error = (sum * sum).mul_add(V::splat(simd, 6.5 * U), linear);
        let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
        EdgeValues {
            edges: [u, v, w],
            least,
            greatest,
            error,
            corners: [az, bz, cz],
            nearest,
            farthest,
            depth,
            outside: greatest.simd_gt(error) & least.simd_lt(-error),
        }
    }

    /// Returns two numbers whose quotient is the z at which the line meets the plane.
    #[inline(always)]
    pub(super) fn place_and_area(&self) -> (V, V) {
        let ([u, v, w], [az, bz, cz]) = (self.edges, self.corners);
        (u.mul_add(az, v.mul_add(bz, w * cz)), u + v + w)
    }
}

/// Returns a corner less the origin, sheared onto a plane across the ray.
///
/// A function and no closure: only functions can be forced inline, and in a closure that is not
/// inlined the instructions would be calls.
#[inline(always)]
fn sheared<S: Simd, V: SimdFloat<S, Element = f32>>([x, y, z]: [V; 3], line: &Line<V>) -> [V; 3] {
    let z = z - line.origin[2];
    let x = x - line.origin[0];
    let y = y - line.origin[1];
    [line.shear[0].mul_add(z, x), line.shear[1].mul_add(z, y), z]
}

/// Returns the corners of the triangles of a block, with the axes given.
#[inline(always)]
pub(super) fn block_corners<S: Simd>(
    simd: S,
    block: Block<'_>,
    axes: [Axis; 3],
) -> [[f32x8<S>; 3]; 3] {
    [
        corner::<S, 0>(simd, block, axes),
        corner::<S, 1>(simd, block, axes),
        corner::<S, 2>(simd, block, axes),
    ]
}

#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(
    simd: S,
    block: Block<'_>,
    [x, y, z]: [Axis; 3],
) -> [f32x8<S>; 3] {
    [
        f32x8::load_array_ref(simd, block.row::<CORNER>(x)),
        f32x8::load_array_ref(simd, block.row::<CORNER>(y)),
        f32x8::load_array_ref(simd, block.row::<CORNER>(z)),
    ]
}

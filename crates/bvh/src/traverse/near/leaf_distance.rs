//! Bounds of the squared distances of a point from eight triangles at once.
//!
//! The kernel finds a point of each triangle that is about the closest one, by the regions of the
//! edges and the face, and a direction in which all of the triangle is about that far. Neither has
//! to be accurate: the distance of any point of the triangle is an upper bound, and for any
//! direction g the least `g . c / |g|` of the corners c, relative to the point, is a lower one. So
//! only their evaluation needs bounds, and slivers need none of their own.
//!
//! # Bounds
//! Let u = 2^-24 and R the largest coordinate of the corners relative to the point, each of which
//! has one rounding, as have the edges.
//!
//! - **Points of edges.** `c + t e` with t in 0 ..= 1: u R for c, 2u R for e, 2u R for the product
//!   and u R for the sum, together 6.1u R in each coordinate.
//! - **Points of faces.** Weights are shares of a sum of numbers that are not negative; they have
//!   four roundings each, so their sum is within 4.1u of 1, and dividing by it would move the point
//!   by 4.2u R. Its own roundings are one of each corner, one of each product and two of the sums,
//!   4.1u R: together 8.3u R in each coordinate.
//! - **Upper bounds.** So the vector is off by at most 14.4u R, and 17u R are granted. Its computed
//!   length is off by 2.6u of it, for which 8u are granted, and by what underflows in squares, at
//!   most 2^-73, for which 2^-70 is granted; that covers what underflows in products too. The
//!   square may fall short by its rounding and those of the grants, less than 2u.
//! - **Lower bounds.** `g . c` has a rounding of c, one of each product and two of the sums: with
//!   the sum G of the absolute coordinates of g, it is off by at most `4.1u G R`; `5u G R` and
//!   2^-126 for what underflows are granted. The length of g has 2.6u, where its square is at least
//!   2^-100, and the difference and the quotient one rounding each: squared, together with its own
//!   rounding, 12.1u.
//! - **Area.** A triangle without area has no distance, so its upper bound must not count. A
//!   component of the normal is off by at most `8.1u L^2`, L the largest coordinate of the edges,
//!   and by what underflows: one above `10u L^2 + 2^-126` proves an area. Where each coordinate of the corners is
//!   off by d, edges are off by 2d, and a component by `8 d L + 8 d^2` more; `8.5 d (L + d)` are granted.
//!
//! As coordinates are below 2^31, nothing overflows but the weights of faces and the square of a
//! normal; then edges and the other direction serve. NaN passes all tests, as a lower bound of 0.

use super::super::kernel_ray::U;
use super::near_point::NearPoint;
use crate::wide::{Axis, Block, WIDTH};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, f32x8, mask32x8};

type Three<S> = [f32x8<S>; 3];

/// Bounds of squared distances in units of the tree.
pub struct LeafDistances<S: Simd> {
    pub low: f32x8<S>,
    /// Infinite where the triangle may have no area.
    pub high: f32x8<S>,
}

const fn power(exponent: i32) -> f32 {
    f32::from_bits(((127 + exponent) as u32) << 23)
}

/// Returns bounds of the squared distances of the triangles of a leaf. Lanes beyond its length have
/// no meaning.
#[inline(always)]
pub fn leaf_distances<S: Simd>(simd: S, block: Block<'_>, point: &NearPoint) -> LeafDistances<S> {
    let splat = |x: f32| f32x8::splat(simd, x);
    let zero = splat(0.0);
    let (p0, p1, p2) = (
        corner::<S, 0>(simd, block),
        corner::<S, 1>(simd, block),
        corner::<S, 2>(simd, block),
    );
    let [x, y, z] = point.coordinates;
    let at = [splat(x), splat(y), splat(z)];
    let (c0, c1, c2) = (minus(p0, at), minus(p1, at), minus(p2, at));
    let (e0, e1, e2) = (minus(p1, p0), minus(p2, p1), minus(p0, p2));
    let reach = largest(c0).max(largest(c1)).max(largest(c2));

    let normal = cross(e0, e1);
    let (nearest, is_face) = about_closest(simd, [c0, c1, c2], [e0, e1, e2], normal);
    let nearest_square = dot(nearest, nearest);
    let length = nearest_square.sqrt();
    let high = length.mul_add(
        splat(1.0 + 8.0 * U),
        reach.mul_add(splat(17.0 * U), splat(power(-70))),
    );
    let size = largest(e0).max(largest(e1));
    let off = splat(8.5 * point.corners_off) * (size + splat(point.corners_off));
    let least = (size * size).mul_add(splat(10.0 * U), off + splat(power(-126)));
    let has_area = largest(normal).simd_gt(least);

    // The normal towards the triangle's plane is the better direction over the face.
    let normal_square = dot(normal, normal);
    let takes_normal = is_face
        & normal_square.simd_ge(splat(power(-100)))
        & normal_square.simd_le(splat(power(100)));
    let height = dot(normal, c0);
    let is_negative = height.simd_lt(zero);
    let towards = select(
        is_negative,
        [zero - normal[0], zero - normal[1], zero - normal[2]],
        normal,
    );
    let direction = select(takes_normal, towards, nearest);
    let direction_square = takes_normal.select(normal_square, nearest_square);
    let least = dot(direction, c0)
        .min(dot(direction, c1))
        .min(dot(direction, c2));
    let error = (sum_of(direction) * reach).mul_add(splat(5.0 * U), splat(power(-126)));
    let low = (least - error) / direction_square.sqrt();
    let counts = low.simd_gt(zero) & direction_square.simd_ge(splat(power(-100)));
    LeafDistances {
        low: counts.select(low * low, zero),
        high: has_area.select(high * high, splat(f32::INFINITY)),
    }
}

/// Returns about the closest point of each triangle, and whether it is inside the face.
#[inline(always)]
fn about_closest<S: Simd>(
    simd: S,
    [c0, c1, c2]: [Three<S>; 3],
    [e0, e1, e2]: [Three<S>; 3],
    normal: Three<S>,
) -> (Three<S>, mask32x8<S>) {
    let splat = |x: f32| f32x8::splat(simd, x);
    let zero = splat(0.0);
    let (x0, d0) = on_edge(simd, c0, e0);
    let (x1, d1) = on_edge(simd, c1, e1);
    let (x2, d2) = on_edge(simd, c2, e2);
    let is_first = d0.simd_le(d1);
    let (x, d) = (select(is_first, x0, x1), is_first.select(d0, d1));
    let on_edges = select(d.simd_le(d2), x, x2);
    // The weights of the corners opposite to the edges.
    let (s0, s1, s2) = (
        dot(normal, cross(c0, e0)),
        dot(normal, cross(c1, e1)),
        dot(normal, cross(c2, e2)),
    );
    let sum = s0 + s1 + s2;
    let is_face = s0.simd_ge(zero)
        & s1.simd_ge(zero)
        & s2.simd_ge(zero)
        & sum.simd_gt(splat(power(-100)))
        & sum.simd_lt(splat(power(120)));
    let inverse = splat(1.0) / sum;
    let (w0, w1, w2) = (s1 * inverse, s2 * inverse, s0 * inverse);
    let foot = [
        w0.mul_add(c0[0], w1.mul_add(c1[0], w2 * c2[0])),
        w0.mul_add(c0[1], w1.mul_add(c1[1], w2 * c2[1])),
        w0.mul_add(c0[2], w1.mul_add(c1[2], w2 * c2[2])),
    ];
    (select(is_face, foot, on_edges), is_face)
}

/// Returns about the closest point of an edge, which starts at a corner, and its squared length.
#[inline(always)]
fn on_edge<S: Simd>(simd: S, corner: Three<S>, edge: Three<S>) -> (Three<S>, f32x8<S>) {
    let zero = f32x8::splat(simd, 0.0);
    let one = f32x8::splat(simd, 1.0);
    let share = (zero - dot(corner, edge)) / dot(edge, edge);
    // Where that is not a number, any will do.
    let share = share.simd_gt(zero).select(share, zero);
    let share = share.simd_lt(one).select(share, one);
    let x = [
        share.mul_add(edge[0], corner[0]),
        share.mul_add(edge[1], corner[1]),
        share.mul_add(edge[2], corner[2]),
    ];
    (x, dot(x, x))
}

#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(simd: S, block: Block<'_>) -> Three<S> {
    let row = |row: &[f32; WIDTH]| f32x8::load_array_ref(simd, row);
    [
        row(block.row::<CORNER>(Axis::X)),
        row(block.row::<CORNER>(Axis::Y)),
        row(block.row::<CORNER>(Axis::Z)),
    ]
}

#[inline(always)]
fn select<S: Simd>(mask: mask32x8<S>, a: Three<S>, b: Three<S>) -> Three<S> {
    [
        mask.select(a[0], b[0]),
        mask.select(a[1], b[1]),
        mask.select(a[2], b[2]),
    ]
}

#[inline(always)]
fn minus<S: Simd>(a: Three<S>, b: Three<S>) -> Three<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
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
fn dot<S: Simd>(a: Three<S>, b: Three<S>) -> f32x8<S> {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

#[inline(always)]
fn largest<S: Simd>(a: Three<S>) -> f32x8<S> {
    a[0].abs().max(a[1].abs()).max(a[2].abs())
}

#[inline(always)]
fn sum_of<S: Simd>(a: Three<S>) -> f32x8<S> {
    a[0].abs() + a[1].abs() + a[2].abs()
}

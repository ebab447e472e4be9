//! Rounds the numbers of many rays' hits on one triangle, where the rays start at one point and the
//! hits are certain already.
//!
//! With the formulas of `products.rs`, all that does not depend on the direction is computed once:
//! `num`, and the normals `n = e1 x e2`, `e2 x a` and `a x e1` of which
//!
//! - `den = d . n`,
//! - the edge opposite to `p1` is `e2 . (a x d) = d . (e2 x a)`,
//! - the edge opposite to `p2` is `-e1 . (a x d) = d . (a x e1)`.
//!
//! What is left for a ray are three scalar products and one division.
//!
//! # Bound
//! All are triple products. Each term of an edge has the roundings of two differences, of a product,
//! of a difference of products, of the product with d, and of two sums: seven, as `den` has in
//! `products.rs`. Terms of which some are fused have fewer. So an edge is off by at most
//! `7v * 6 D A E = 42v D A E` with v = 2^-53 and the largest components D, A, E of d, a and the
//! edge's vector; `num` and `den` are off as in `products.rs`, by `48v A E1 E2` and `42v D E1 E2`.
//! For all of them `56v` is granted as there. Quotients are bounded as in `f64_test.rs`.

use super::f64_test::{ROOM, V, WELL_ABOVE};
use super::products::SHARE;
use crate::arithmetic::widen;
use crate::{PrimId, Triangle};
use fearless_simd::{
    Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x16, f64x8, mask64x8,
};

type V3 = [f64; 3];

/// A triangle seen from a point: what its hits on all rays from there have in common.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct TriangleFromOrigin {
    normal: V3,
    /// The normals of the edges opposite to the second and the third corner.
    edges: [V3; 2],
    num: f64,
    num_error: f64,
    /// To be multiplied by the largest component of the direction.
    den_error: f64,
    edge_errors: [f64; 2],
    pub prim: PrimId,
}

/// The rounded numbers of sixteen hits.
#[doc(hidden)]
pub struct RoundedHits<S: Simd> {
    pub t: f32x16<S>,
    pub u: f32x16<S>,
    pub v: f32x16<S>,
    /// The lanes whose numbers are certain, as bits.
    pub certain: u32,
}

impl TriangleFromOrigin {
    /// Prepares a triangle for rays from a point. All numbers must be finite.
    #[inline(always)]
    pub fn new(origin: V3, prim: PrimId, triangle: &Triangle) -> Self {
        let (p0, p1, p2) = (widen(triangle.p0), widen(triangle.p1), widen(triangle.p2));
        let (a, e1, e2) = (minus(p0, origin), minus(p1, p0), minus(p2, p0));
        let normal = cross(e1, e2);
        let num = a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2];
        let (size_a, size_1, size_2) = (largest(a), largest(e1), largest(e2));
        TriangleFromOrigin {
            normal,
            edges: [cross(e2, a), cross(a, e1)],
            num,
            num_error: SHARE * size_a * size_1 * size_2,
            den_error: SHARE * size_1 * size_2,
            edge_errors: [SHARE * size_a * size_2, SHARE * size_a * size_1],
            prim,
        }
    }

    /// Returns the rounded numbers of the hits of sixteen rays with these directions, by axis.
    /// Lanes whose ray does not certainly hit the triangle have no meaning.
    #[inline(always)]
    pub fn round<S: Simd>(&self, simd: S, dir: [f32x16<S>; 3]) -> RoundedHits<S> {
        let longest = dir[0].abs().max(dir[1].abs()).max(dir[2].abs());
        let (x, y, z) = (dir[0].widen(), dir[1].widen(), dir[2].widen());
        let longest = longest.widen();
        let low = self.spans(simd, [x.0, y.0, z.0], longest.0);
        let high = self.spans(simd, [x.1, y.1, z.1], longest.1);
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

    #[inline(always)]
    fn spans<S: Simd>(&self, simd: S, dir: [f64x8<S>; 3], longest: f64x8<S>) -> Spans<S> {
        let den = dot(simd, dir, self.normal);
        let inverse = splat(simd, 1.0) / den;
        let size = inverse.abs() * splat(simd, ROOM);
        let sized = longest * size;
        let den_error = sized * splat(simd, self.den_error);
        let relative = den_error + splat(simd, 4.0 * V);
        let u = dot(simd, dir, self.edges[0]) * inverse;
        let v = dot(simd, dir, self.edges[1]) * inverse;
        let u_error = sized * splat(simd, self.edge_errors[0]);
        let v_error = sized * splat(simd, self.edge_errors[1]);
        let t = splat(simd, self.num) * inverse;
        let t_error = size * splat(simd, self.num_error);
        Spans {
            t: around(t, t_error, relative),
            u: around(u, u_error, relative),
            v: around(v, v_error, relative),
            divides: den_error.simd_lt(splat(simd, 1.0 / WELL_ABOVE)),
        }
    }
}

/// The lower and upper end of an interval.
type Span<S> = (f64x8<S>, f64x8<S>);

/// The intervals of eight hits.
struct Spans<S: Simd> {
    t: Span<S>,
    u: Span<S>,
    v: Span<S>,
    /// Lanes whose denominator is well above its error; without this, they have no meaning.
    divides: mask64x8<S>,
}

#[inline(always)]
fn around<S: Simd>(quotient: f64x8<S>, error: f64x8<S>, relative: f64x8<S>) -> Span<S> {
    let error = quotient.abs().mul_add(relative, error);
    (quotient - error, quotient + error)
}

/// Returns both ends rounded, if equal, and the lanes where they are, as bits.
#[inline(always)]
fn rounded<S: Simd>(simd: S, low: Span<S>, high: Span<S>) -> (f32x16<S>, u32) {
    // Adding 0 turns -0 into +0.
    let zero = f32x16::splat(simd, 0.0);
    let from = low.0.narrow(high.0) + zero;
    let to = low.1.narrow(high.1) + zero;
    (from, from.simd_eq(to).to_bitmask() as u32)
}

#[inline(always)]
fn dot<S: Simd>(simd: S, d: [f64x8<S>; 3], n: V3) -> f64x8<S> {
    let last = d[2] * splat(simd, n[2]);
    let sum = d[1].mul_add(splat(simd, n[1]), last);
    d[0].mul_add(splat(simd, n[0]), sum)
}

#[inline(always)]
fn splat<S: Simd>(simd: S, x: f64) -> f64x8<S> {
    f64x8::splat(simd, x)
}

#[inline(always)]
fn minus(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross(a: V3, b: V3) -> V3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline(always)]
fn largest(v: V3) -> f64 {
    larger(larger(v[0].abs(), v[1].abs()), v[2].abs())
}

/// A single instruction, unlike [`f64::max`], which must ignore a NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

//! Rounds the numbers of a hit that is certain already, with one vector for each axis.
//!
//! A kernel that is certain of a hit needs no test of it, only its `t`, `u` and `v`, rounded
//! correctly. They are the quotients of `products.rs`, whose polynomials fall into lanes: with
//! `e1, e2, a, d` of one axis side by side, the products of each vector with its neighbour's are
//! those of the cross products `n = e1 x e2` and `q = a x d`, and those with the other half's
//! are of `a . n`, `-d . n`, `e1 . q` and `-e2 . q`. No sum goes across a vector.
//!
//! The lanes are then `num`, `-den`, and the negated polynomials of the edges opposite to `p2` and
//! `p1`; their quotients by `-den` are `-t`, 1, `v` and `u`. Each has as
//! many roundings as in `products.rs`, or fewer where a product and a sum are fused, and the bounds
//! are those of `products.rs` and `f64_test.rs`. What they leave open is left to the certificate.

use super::f64_test::{ROOM, V, WELL_ABOVE};
use super::products::SHARE;
use crate::{Hit, PrimId, Ray};
use fearless_simd::{
    Select, Simd, SimdBase, SimdCombine, SimdFloat, SimdMask, SimdNarrow, SimdSplit, SimdWiden,
    f32x4, f64x4, mask32x4,
};

/// Returns the hit of a ray on a triangle that it certainly hits, if `f64` decides how `t`, `u` and
/// `v` are rounded. `corners` has x, y and z of each corner, in all lanes. All numbers must be
/// finite.
#[doc(hidden)]
#[inline(always)]
pub fn round_certain<S: Simd>(
    simd: S,
    ray: &Ray,
    prim: PrimId,
    corners: [[f32x4<S>; 3]; 3],
) -> Option<Hit> {
    let (o, d) = (ray.origin, ray.dir);
    let [p0, p1, p2] = corners;
    let x = axis(simd, [p0[0], p1[0], p2[0]], o.x, d.x);
    let y = axis(simd, [p0[1], p1[1], p2[1]], o.y, d.y);
    let z = axis(simd, [p0[2], p1[2], p2[2]], o.z, d.z);

    let (x1, y1, z1) = (neighbours(x), neighbours(y), neighbours(z));
    let cross_x = y.mul_sub(z1, z * y1);
    let cross_y = z.mul_sub(x1, x * z1);
    let cross_z = x.mul_sub(y1, y * x1);
    let dots = halves(x).mul_add(cross_x, halves(y).mul_add(cross_y, halves(z) * cross_z));

    let sizes = x.abs().max(y.abs()).max(z.abs());
    let sizes = sizes * neighbours(sizes) * halves(sizes);
    let sizes = sizes * f64x4::splat(simd, SHARE);
    let [num_error, den_error, edge_error1, edge_error2] = sizes.to_array();
    let edge_error = edge_error1 + edge_error2 + den_error;
    let errors = [num_error, den_error, edge_error, edge_error];
    let errors = f64x4::load_array_ref(simd, &errors);

    // The bound of `f64_test.rs`, `|q| (den_error size + 4v) + error size`, with all that does not
    // need the quotient out of its way.
    let inverse = f64x4::splat(simd, 1.0 / dots.to_array()[1]);
    let size = inverse.abs() * f64x4::splat(simd, ROOM);
    let quotients = dots * inverse;
    let sizes = quotients.abs();
    let errors = sizes.mul_add(f64x4::splat(simd, den_error), errors);
    let errors = errors.mul_add(size, sizes * f64x4::splat(simd, 4.0 * V));
    let divides = den_error * size.to_array()[1] < 1.0 / WELL_ABOVE;
    let (low, high) = (quotients - errors, quotients + errors);
    // Adding 0 turns -0 into +0. The first quotient is -t, so zero must be subtracted from it.
    let (from, to) = low.narrow(high).split();
    let same = from.simd_eq(to).to_bitmask() as u32 | 0b10;
    let [minus_t, _, v, u] = from.to_array();
    (divides && same == 0b1111).then_some(Hit {
        t: 0.0 - minus_t,
        u: u + 0.0,
        v: v + 0.0,
        prim,
    })
}

/// Returns `p1 - p0`, `p2 - p0`, `p0 - o` and `d` of one axis, each rounded to `f64`.
#[inline(always)]
fn axis<S: Simd>(simd: S, [p0, p1, p2]: [f32x4<S>; 3], o: f32, d: f32) -> f64x4<S> {
    let lanes = |bits: u64| mask32x4::from_bitmask(simd, bits);
    let to = lanes(0b0011).select(
        lanes(0b0001).select(p1, p2),
        lanes(0b0100).select(p0, f32x4::splat(simd, d)),
    );
    let from = lanes(0b0011).select(
        p0,
        lanes(0b0100).select(f32x4::splat(simd, o), f32x4::splat(simd, 0.0)),
    );
    let (to, from) = to.combine(from).widen();
    to - from
}

/// Exchanges the numbers of each pair.
#[inline(always)]
fn neighbours<S: Simd>(v: f64x4<S>) -> f64x4<S> {
    v.slide_within_blocks::<1>(v)
}

/// Exchanges the two pairs.
#[inline(always)]
fn halves<S: Simd>(v: f64x4<S>) -> f64x4<S> {
    v.slide::<2>(v)
}

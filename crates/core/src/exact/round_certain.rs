//! Rounds the numbers of a hit that is certain already, with one vector for each axis.
//!
//! A kernel that is certain of a hit needs no test of it, only its `t`, `u` and `v`, rounded
//! correctly. They are the quotients of `products.rs`, whose polynomials fall into lanes: with
//! `e1, e2, a, d` of one axis side by side, the products of each vector with its neighbour's are
//! those of the cross products `n = e1 x e2` and `q = a x d`, and those with the other half's
//! are of `a . n`, `-d . n`, `e1 . q` and `-e2 . q`. No sum goes across a vector.
//!
//! The lanes are then `num`, `-den`, and, of the edges opposite to `p2` and `p1`, the negated first
//! and the negated second polynomial; divided by `-den` they are `-t`, 1, `v` and `u`. Each has as
//! many roundings as in `products.rs`, or fewer where a product and a sum are fused, and the bounds
//! are those of `products.rs` and `f64_test.rs`. What they leave open is left to the certificate.

use super::f64_test::{ROOM, V, WELL_ABOVE};
use super::products::SHARE;
use crate::{Hit, PrimId, Ray, Triangle};
use fearless_simd::{
    Simd, SimdBase, SimdCombine, SimdFloat, SimdFrom, SimdMask, SimdNarrow, SimdSplit, SimdWiden,
    f32x4, f64x4,
};

/// Returns the hit of a ray on a triangle that it certainly hits, if `f64` decides how `t`, `u` and
/// `v` are rounded. All numbers must be finite.
#[doc(hidden)]
#[inline(always)]
pub fn round_certain<S: Simd>(
    simd: S,
    ray: &Ray,
    prim: PrimId,
    triangle: &Triangle,
) -> Option<Hit> {
    let Triangle { p0, p1, p2 } = triangle;
    let (o, d) = (ray.origin, ray.dir);
    let x = axis(simd, [p1.x, p2.x, p0.x, d.x], [p0.x, p0.x, o.x, 0.0]);
    let y = axis(simd, [p1.y, p2.y, p0.y, d.y], [p0.y, p0.y, o.y, 0.0]);
    let z = axis(simd, [p1.z, p2.z, p0.z, d.z], [p0.z, p0.z, o.z, 0.0]);

    let (x1, y1, z1) = (neighbours(x), neighbours(y), neighbours(z));
    let cross_x = y.mul_sub(z1, z * y1);
    let cross_y = z.mul_sub(x1, x * z1);
    let cross_z = x.mul_sub(y1, y * x1);
    let dots = halves(x).mul_add(cross_x, halves(y).mul_add(cross_y, halves(z) * cross_z));

    let sizes = x.abs().max(y.abs()).max(z.abs());
    let sizes = sizes * neighbours(sizes) * halves(sizes);
    let [num_size, den_size, edge_size1, edge_size2] = sizes.to_array();
    let edge_size = edge_size1 + edge_size2 + den_size;
    let errors = [num_size, den_size, edge_size, edge_size];
    let errors = f64x4::load_array_ref(simd, &errors) * f64x4::splat(simd, SHARE);

    let inverse = 1.0 / dots.to_array()[1];
    let errors = errors * f64x4::splat(simd, inverse.abs() * ROOM);
    let den_error = errors.to_array()[1];
    let quotients = dots * f64x4::splat(simd, inverse);
    let relative = f64x4::splat(simd, den_error + 4.0 * V);
    let errors = quotients.abs().mul_add(relative, errors);
    let (low, high) = (quotients - errors, quotients + errors);
    // Adding 0 turns -0 into +0. The first quotient is -t, so zero must be subtracted from it.
    let (from, to) = low.narrow(high).split();
    let same = from.simd_eq(to).to_bitmask() as u32 | 0b10;
    let [minus_t, _, v, u] = from.to_array();
    let divides = den_error < 1.0 / WELL_ABOVE;
    (divides && same == 0b1111).then(|| Hit {
        t: 0.0 - minus_t,
        u: u + 0.0,
        v: v + 0.0,
        prim,
    })
}

/// Returns the differences of four numbers and four others, each rounded to `f64`.
#[inline(always)]
fn axis<S: Simd>(simd: S, to: [f32; 4], from: [f32; 4]) -> f64x4<S> {
    let (to, from) = (four(simd, to), four(simd, from));
    let (to, from) = to.combine(from).widen();
    to - from
}

/// Returns four numbers as a vector.
#[inline(always)]
fn four<S: Simd>(simd: S, numbers: [f32; 4]) -> f32x4<S> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        let [a, b, c, d] = numbers;
        return f32x4::simd_from(simd, x86::four(avx2, a, b, c, d));
    }
    f32x4::load_array_ref(simd, &numbers)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__m128, _mm_insert_ps, _mm_set_ss};
    use fearless_simd::kernel;

    kernel!(
        /// Returns four numbers as a vector. The compiler would load numbers that lie at equal
        /// distances by a gather, which takes 20 instructions.
        #[inline(always)]
        pub(super) fn four(avx2: Avx2, a: f32, b: f32, c: f32, d: f32) -> __m128 {
            let two = _mm_insert_ps::<0x10>(_mm_set_ss(a), _mm_set_ss(b));
            let three = _mm_insert_ps::<0x20>(two, _mm_set_ss(c));
            _mm_insert_ps::<0x30>(three, _mm_set_ss(d))
        }
    );
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

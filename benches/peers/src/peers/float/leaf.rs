//! Up to eight triangles at once, by Badouel's test, with everything possible precomputed.
//!
//! Of a triangle `a`, `b`, `c` let `k` be the axis along which its normal is longest, and `u`,
//! `v` the two after it. Its plane is `(p_k - a_k) + nu (p_u - a_u) + nv (p_v - a_v) = 0`, and
//! the point `p` of it is `a + beta (b - a) + gamma (c - a)` with `beta` and `gamma` linear in
//! `p_u - a_u` and `p_v - a_v`: nine numbers in all (Badouel 1990, "An Efficient Ray-Polygon
//! Intersection"). They are computed in `f64` and rounded.

use super::ray::TwinRay;
use std::arch::x86_64::*;

/// The most triangles of a leaf.
pub(super) const WIDTH: usize = 8;

/// Rows of a leaf, each as wide as its number of triangles: the nine numbers and a name.
pub(super) const ROWS: usize = 10;

/// Set in every name. Loads are eight wide, so in narrow leaves they reach into the names, which
/// would be denormal as floats: on processors where denormals are slow, whole traversals took a
/// third longer.
const NORMAL: u32 = 1 << 30;

/// The number of primitives that have a name.
pub(super) const MOST: usize = 1 << 28;

/// Returns the precomputed numbers of one triangle, one for each row. `prim` is below `MOST`.
///
/// A name holds the primitive and, in two bits, the position of the axis in a `TwinRay`.
pub(super) fn precomputed(corners: [[f32; 3]; 3], prim: u32) -> [u32; ROWS] {
    let [a, b, c] = corners.map(|p| p.map(f64::from));
    let minus = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|i| p[i] - q[i]);
    let (e, f) = (minus(b, a), minus(c, a));
    let after = |axis: usize| (axis + 1) % 3;
    let normal = [0, 1, 2].map(|i| {
        let (j, k) = (after(i), after(after(i)));
        e[j] * f[k] - e[k] * f[j]
    });
    let longer = |k: usize, i: usize| {
        if normal[i].abs() > normal[k].abs() {
            i
        } else {
            k
        }
    };
    let k = longer(longer(0, 1), 2);
    let (u, v) = (after(k), after(after(k)));
    // Without an area this is 0, the following numbers are NaN, and no ray hits the triangle.
    let det = normal[k];
    let numbers = [
        normal[u] / det,
        normal[v] / det,
        a[u],
        a[v],
        a[k],
        f[v] / det,
        -f[u] / det,
        -e[v] / det,
        e[u] / det,
    ];
    let mut rows = [NORMAL | prim << 2 | (k as u32 + 1); ROWS];
    for (row, number) in rows.iter_mut().zip(numbers) {
        *row = (number as f32).to_bits();
    }
    rows
}

/// Returns the primitive of a name.
#[inline(always)]
pub(super) fn prim(name: u32) -> u32 {
    (name & !NORMAL) >> 2
}

/// The rows of a leaf.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    numbers: &'a [u32],
    len: usize,
}

impl<'a> Rows<'a> {
    /// # Safety
    /// `numbers` has `ROWS * len + WIDTH` elements, with `len` from 1 to `WIDTH`.
    #[inline(always)]
    pub(super) unsafe fn new(numbers: &'a [u32], len: usize) -> Self {
        debug_assert!(numbers.len() == ROWS * len + WIDTH && (1..=WIDTH).contains(&len));
        Rows { numbers, len }
    }

    /// Returns the name of the triangle at `place`, below the number of triangles.
    #[inline(always)]
    pub(super) fn name(self, place: usize) -> &'a u32 {
        &self.numbers[(ROWS - 1) * self.len + place]
    }

    /// Loads eight numbers, starting at a row.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    fn row<const ROW: usize>(self) -> __m256 {
        const { assert!(ROW < ROWS) };
        // SAFETY: the last row begins at `9 len`, and eight numbers from there end before the end.
        unsafe { _mm256_loadu_ps(self.numbers.as_ptr().add(ROW * self.len).cast()) }
    }
}

/// Returns the parameters at which the ray meets the planes of the triangles, and as bits, the
/// triangles that it hits up to the limit.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn leaf_test(rows: Rows<'_>, ray: &TwinRay, limit: __m256) -> (__m256, u32) {
    let axis = _mm256_castps_si256(rows.row::<9>());
    let [ok, ou, ov] = ray.origin.map(|turned| _mm256_permutevar_ps(turned, axis));
    let [dk, du, dv] = ray.dir.map(|turned| _mm256_permutevar_ps(turned, axis));
    let (nu, nv) = (rows.row::<0>(), rows.row::<1>());
    let su = _mm256_sub_ps(rows.row::<2>(), ou);
    let sv = _mm256_sub_ps(rows.row::<3>(), ov);
    let sk = _mm256_sub_ps(rows.row::<4>(), ok);
    let way = _mm256_fmadd_ps(nv, sv, _mm256_fmadd_ps(nu, su, sk));
    let speed = _mm256_fmadd_ps(nv, dv, _mm256_fmadd_ps(nu, du, dk));
    let t = _mm256_div_ps(way, speed);
    let pu = _mm256_fmsub_ps(t, du, su);
    let pv = _mm256_fmsub_ps(t, dv, sv);
    let beta = _mm256_fmadd_ps(rows.row::<5>(), pu, _mm256_mul_ps(rows.row::<6>(), pv));
    let gamma = _mm256_fmadd_ps(rows.row::<7>(), pu, _mm256_mul_ps(rows.row::<8>(), pv));
    let alpha = _mm256_sub_ps(_mm256_sub_ps(_mm256_set1_ps(1.0), beta), gamma);
    // If one operand is NaN, the minimum is the second. Where t is NaN, all are; where only alpha
    // is, beta and gamma are infinite, one of them below zero.
    let least = _mm256_min_ps(_mm256_min_ps(t, alpha), _mm256_min_ps(beta, gamma));
    let inside = _mm256_cmp_ps::<_CMP_GE_OQ>(least, _mm256_setzero_ps());
    let in_time = _mm256_cmp_ps::<_CMP_LE_OQ>(t, limit);
    let hits = _mm256_movemask_ps(_mm256_and_ps(inside, in_time)) as u32;
    (t, _bzhi_u32(hits, rows.len as u32))
}

//! A ray prepared for both tests.

use crate::ray::Ray;
use std::arch::x86_64::*;

pub(super) struct TwinRay {
    /// By axis, the inverse of the direction in all lanes.
    pub(super) inverse: [__m256; 3],
    /// By axis, the origin times the inverse.
    pub(super) start: [__m256; 3],
    /// By axis, the offset of the faces that the ray meets first in a node, in bytes.
    pub(super) near: [usize; 3],
    /// x, y and z after one unused lane, in both halves; then rotated to y, z, x, and to z, x, y:
    /// the lane of an axis holds, across the three, its coordinate and the two after it.
    pub(super) origin: [__m256; 3],
    pub(super) dir: [__m256; 3],
}

impl TwinRay {
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn new(ray: &Ray) -> Self {
        let fields = (&raw const *ray).cast::<f32>();
        // SAFETY: seven consecutive numbers: x, y, z, t_max, and x, y, z of the direction.
        let (o, d) = unsafe { (_mm_loadu_ps(fields), _mm_loadu_ps(fields.add(3))) };
        let o = _mm_permute_ps::<0b10_01_00_11>(o);
        // Never zero: a ray parallel to a slab is treated as nearly parallel.
        let sign = _mm_set1_ps(-0.0);
        let size = _mm_max_ps(_mm_andnot_ps(sign, d), _mm_set1_ps(1e-18));
        let inverse = _mm_div_ps(_mm_set1_ps(1.0), _mm_or_ps(size, _mm_and_ps(sign, d)));
        let near = [0, 1, 2].map(|axis| {
            let reversed = ray.dir[axis].to_bits() >> 31;
            64 * axis + 32 * reversed as usize
        });
        TwinRay {
            inverse: each(inverse),
            start: each(_mm_mul_ps(o, inverse)),
            near,
            origin: turned(o),
            dir: turned(d),
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn each(v: __m128) -> [__m256; 3] {
    [
        _mm256_broadcastss_ps(_mm_permute_ps::<0b01_01_01_01>(v)),
        _mm256_broadcastss_ps(_mm_permute_ps::<0b10_10_10_10>(v)),
        _mm256_broadcastss_ps(_mm_permute_ps::<0b11_11_11_11>(v)),
    ]
}

#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn turned(v: __m128) -> [__m256; 3] {
    let both = _mm256_set_m128(v, v);
    [
        both,
        _mm256_permute_ps::<0b01_11_10_00>(both),
        _mm256_permute_ps::<0b10_01_11_00>(both),
    ]
}

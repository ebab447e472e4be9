//! Eight boxes at once. What is asked and why nothing is lost: `ray.rs`.

use super::ray::KernelRay;
use crate::wide::{Lanes, Node};
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, f32x8};

/// What the near and far parameters may be off by.
const GRANT: f32 = 1.0 + 8.0 * super::ray::U;

/// The lanes that the ray may hit up to the limit, as bits, and where it enters them.
#[inline(always)]
pub(super) fn node_test<S: Simd>(
    simd: S,
    node: &Node,
    ray: &KernelRay,
    limit: f32,
) -> (u32, Lanes) {
    let mut entry = f32x8::splat(simd, ray.least);
    let mut exit = f32x8::splat(simd, limit);
    for axis in 0..3 {
        let near_face = ray.near_face[axis] & 1;
        let near = f32x8::load_array_ref(simd, &node.faces[axis][near_face]);
        let far = f32x8::load_array_ref(simd, &node.faces[axis][near_face ^ 1]);
        let inverse = f32x8::splat(simd, ray.inverse[axis]);
        entry = near
            .mul_add(inverse, f32x8::splat(simd, ray.near[axis]))
            .max(entry);
        exit = far
            .mul_add(inverse, f32x8::splat(simd, ray.far[axis]))
            .min(exit);
    }
    let hit = entry.simd_le(exit * f32x8::splat(simd, GRANT));
    let mut entries = [0.0; 8];
    entry.store_array(&mut entries);
    (hit.to_bitmask() as u32, entries)
}

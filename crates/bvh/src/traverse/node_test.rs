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
    let entry = f32x8::splat(simd, ray.least);
    let exit = f32x8::splat(simd, limit);
    let (entry, exit) = cut(simd, node, ray, 0, entry, exit);
    let (entry, exit) = cut(simd, node, ray, 1, entry, exit);
    let (entry, exit) = cut(simd, node, ray, 2, entry, exit);
    let hit = entry.simd_le(exit * f32x8::splat(simd, GRANT));
    let mut entries = [0.0; 8];
    entry.store_array(&mut entries);
    (hit.to_bitmask() as u32, entries)
}

/// Cuts the intervals by the slabs of one axis. The new number comes first: of two of which
/// one is NaN, the second is kept.
#[inline(always)]
fn cut<S: Simd>(
    simd: S,
    node: &Node,
    ray: &KernelRay,
    axis: usize,
    entry: f32x8<S>,
    exit: f32x8<S>,
) -> (f32x8<S>, f32x8<S>) {
    let near_face = ray.near_face[axis] & 1;
    let near = f32x8::load_array_ref(simd, &node.faces[axis][near_face]);
    let far = f32x8::load_array_ref(simd, &node.faces[axis][near_face ^ 1]);
    let inverse = f32x8::splat(simd, ray.inverse[axis]);
    let near = near.mul_add(inverse, f32x8::splat(simd, ray.near[axis]));
    let far = far.mul_add(inverse, f32x8::splat(simd, ray.far[axis]));
    (near.max(entry), far.min(exit))
}

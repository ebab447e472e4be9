//! Tests eight boxes at once. The test and its proof are described in `kernel_ray.rs`.

use super::kernel_ray::BoxRay;
use crate::wide::Node;
use fearless_simd::{Bytes, Simd, SimdBase, SimdFloat, f32x8, i32x8, mask32x8};

/// Returns where the ray enters the boxes of a node's children, and which of them it may meet
/// before the limit.
///
/// Numbers that are not negative are ordered as their bits are, and each maximum includes one; in a
/// minimum, any negative number means that the ray misses the box. So they are compared as
/// integers, which takes fewer cycles.
#[inline(always)]
pub fn node_test<S: Simd>(
    simd: S,
    node: &Node,
    ray: &BoxRay,
    limit: f32,
) -> (i32x8<S>, mask32x8<S>) {
    let least = i32x8::splat(simd, ray.least.to_bits() as i32);
    let limit = i32x8::splat(simd, limit.to_bits() as i32);
    let (near_x, far_x) = slab(simd, node, ray, 0);
    let (near_y, far_y) = slab(simd, node, ray, 1);
    let (near_z, far_z) = slab(simd, node, ray, 2);
    // In pairs: the shortest chain of dependent operations.
    let entry = near_x.max(near_y).max(near_z.max(least));
    let exit = far_x.min(far_y).min(far_z.min(limit));
    (entry, exit.simd_gt(entry))
}

/// Returns where the ray passes the near and the far face of one axis.
#[inline(always)]
fn slab<S: Simd>(simd: S, node: &Node, ray: &BoxRay, axis: usize) -> (i32x8<S>, i32x8<S>) {
    let near_face = (ray.near_face[axis] & 1) as usize;
    let near = f32x8::load_array_ref(simd, &node.faces[axis][near_face]);
    let far = f32x8::load_array_ref(simd, &node.faces[axis][near_face ^ 1]);
    let inverse = f32x8::splat(simd, ray.inverse[axis]);
    let near = near.mul_add(inverse, f32x8::splat(simd, ray.near[axis]));
    let far = far.mul_add(inverse, f32x8::splat(simd, ray.far[axis]));
    (near.bitcast(), far.bitcast())
}

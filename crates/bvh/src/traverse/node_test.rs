//! Eight boxes at once. What is asked and why nothing is lost: `kernel_ray.rs`.

use super::kernel_ray::BoxRay;
use crate::wide::Node;
use fearless_simd::{Bytes, Simd, SimdBase, SimdFloat, f32x8, i32x8, mask32x8};

/// Where the ray enters the boxes of a node's children, and which of them it may meet before
/// the limit.
///
/// Numbers that are not negative are in the order of their bits, and one is among those that
/// the largest is taken of; of those that the smallest is taken of, any negative one does to
/// miss the box. So they are compared as integers, which takes fewer cycles.
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
    // Two by two: the fewest steps that wait for each other.
    let entry = near_x.max(near_y).max(near_z.max(least));
    let exit = far_x.min(far_y).min(far_z.min(limit));
    (entry, exit.simd_gt(entry))
}

/// Where the ray passes the near and the far face of one axis.
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

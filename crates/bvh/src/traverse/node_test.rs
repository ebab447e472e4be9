//! Tests eight boxes at once. The test and its proof are described in `kernel_ray.rs`.

use super::kernel_ray::BoxRay;
use super::single_walk::BoxTest;
use crate::wide::Node;
use fearless_simd::{Bytes, Simd, SimdBase, SimdFloat, f32x8, i32x8, mask32x8};

/// The numbers of one axis for box tests, each in every lane: `r`, and `q` for near and for far faces.
pub(super) struct AxisFaces<S: Simd> {
    /// Which of a node's faces is the near one.
    pub(super) near_face: usize,
    pub(super) near: [f32x8<S>; 2],
    pub(super) far: [f32x8<S>; 2],
}

impl<S: Simd> AxisFaces<S> {
    /// Returns where the ray passes the near and the far faces.
    #[inline(always)]
    fn passed(&self, simd: S, faces: &[[f32; 8]; 2]) -> (i32x8<S>, i32x8<S>) {
        let near_face = self.near_face & 1;
        let near = f32x8::load_array_ref(simd, &faces[near_face]);
        let far = f32x8::load_array_ref(simd, &faces[near_face ^ 1]);
        let near = near.mul_add(self.near[0], self.near[1]);
        let far = far.mul_add(self.far[0], self.far[1]);
        (near.bitcast(), far.bitcast())
    }
}

/// Returns where a ray enters the boxes of a node's children, and which of them it may meet before the
/// limit. `least` has the bits of the least parameter.
///
/// Numbers that are not negative are ordered as their bits are, and each maximum includes one; in a
/// minimum, any negative number means that the ray misses the box. So they are compared as
/// integers, which takes fewer cycles.
#[inline(always)]
pub(super) fn node_test<S: Simd>(
    simd: S,
    node: &Node,
    [x, y, z]: [AxisFaces<S>; 3],
    least: i32x8<S>,
    limit: f32,
) -> (i32x8<S>, mask32x8<S>) {
    let limit = i32x8::splat(simd, limit.to_bits() as i32);
    let (near_x, far_x) = x.passed(simd, &node.faces[0]);
    let (near_y, far_y) = y.passed(simd, &node.faces[1]);
    let (near_z, far_z) = z.passed(simd, &node.faces[2]);
    // In pairs: the shortest chain of dependent operations.
    let entry = near_x.max(near_y).max(near_z.max(least));
    let exit = far_x.min(far_y).min(far_z.min(limit));
    (entry, exit.simd_gt(entry))
}

#[inline(always)]
fn slab<S: Simd>(simd: S, ray: &BoxRay, axis: usize) -> AxisFaces<S> {
    let inverse = f32x8::splat(simd, ray.inverse[axis]);
    AxisFaces {
        near_face: ray.near_face[axis] as usize,
        near: [inverse, f32x8::splat(simd, ray.near[axis])],
        far: [inverse, f32x8::splat(simd, ray.far[axis])],
    }
}

impl<S: Simd> BoxTest<S> for BoxRay {
    #[inline(always)]
    fn test(&self, simd: S, node: &Node, limit: f32) -> (i32x8<S>, mask32x8<S>) {
        let slabs = [
            slab(simd, self, 0),
            slab(simd, self, 1),
            slab(simd, self, 2),
        ];
        let least = i32x8::splat(simd, self.least.to_bits() as i32);
        node_test(simd, node, slabs, least, limit)
    }
}

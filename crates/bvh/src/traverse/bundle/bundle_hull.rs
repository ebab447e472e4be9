//! A box test of all rays of a bundle at once, for eight boxes.
//!
//! Along one axis, let the rays go up; down is the mirror image. Of all rays, let N be a line with
//! the greatest origin and the least inverse of a direction, and F one with the least origin and
//! the greatest inverse. Where a ray meets a box, it does so at a parameter t >= 0 up to its limit.
//! - The low face at `x` has the parameter `(x - o) r <= t` on the ray and V on N. If V is positive,
//!   no factor of it is greater than that of the ray, so `V <= t`, and otherwise V is at most 0.
//! - The high face has `(x - o) r >= t >= 0`, so no factor of its parameter on F is less than that
//!   of the ray, and it is at least t.
//!
//! The numbers of N and F have the bounds of `kernel_ray.rs`: the origins are those of rays, off by at
//! most the largest `moved`, and the least of rounded inverses is the rounded least inverse. So what
//! is computed for the low face lies strictly before t, and what is computed for the high face
//! strictly behind. With the least of all least parameters and the greatest of all limits, a box
//! that any of the rays meets passes the test.
//!
//! A steep ray has r = 2^96, which is the greatest. It meets a box at t with `(x - o) r <= t` for
//! the low face, as others do, and `(x - o) r >= -t` for the high face: on F that is at least -t,
//! and t is covered by what is added to the margin of F if any ray is steep, as for that ray alone.

use crate::traverse::kernel_ray::U;
use crate::traverse::node_test::{AxisFaces, node_test};
use crate::traverse::slab::SlabNumbers;
use crate::wide::Node;
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase, f32x8, f32x16, i32x8, mask32x8};

/// Bounds of all rays of a bundle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hull {
    /// By axis, the inverse of the direction and `q` (`kernel_ray.rs`) for near and for far faces.
    pub near: [[f32; 2]; 3],
    pub far: [[f32; 2]; 3],
    pub least: f32,
    /// The greatest limit.
    pub limit: f32,
}

impl Hull {
    /// Returns the hull of rays whose origins are off by at most `moved`.
    #[inline(always)]
    pub(in crate::traverse) fn of<S: Simd>(
        slabs: &[SlabNumbers<f32x16<S>>; 3],
        moved: f32,
        least: f32x16<S>,
        limit: f32x16<S>,
    ) -> Self {
        let mut hull = Hull {
            least: least.reduce_min(),
            limit: limit.reduce_max(),
            ..Hull::default()
        };
        for (axis, slab) in slabs.iter().enumerate() {
            let (low, high) = (slab.origin.reduce_min(), slab.origin.reduce_max());
            let (low_r, high_r) = (slab.inverse.reduce_min(), slab.inverse.reduce_max());
            // Where rays go down, the low face is the far one, and all factors are negative.
            let ([near_o, near_r], [far_o, far_r]) = match high_r < 0.0 {
                false => ([high, low_r], [low, high_r]),
                true => ([low, high_r], [high, low_r]),
            };
            let beyond = slab.beyond.reduce_max();
            let pad =
                |product: f32, r: f32| product.abs() * (8.0 * U) + r.abs() * (2.0 * moved) + beyond;
            let product = -near_o * near_r;
            hull.near[axis] = [near_r, product - pad(product, near_r)];
            let product = -far_o * far_r;
            hull.far[axis] = [far_r, product + pad(product, far_r)];
        }
        hull
    }

    /// Returns where the first ray may enter each of a node's boxes, as the bits of numbers that are
    /// not negative, and which boxes may be met.
    #[inline(always)]
    pub fn test<S: Simd>(
        &self,
        simd: S,
        node: &Node,
        near_face: [usize; 3],
        limit: f32,
    ) -> (i32x8<S>, mask32x8<S>) {
        let slab = |axis: usize| AxisFaces {
            near_face: near_face[axis],
            near: self.near[axis].inline_map(|x| f32x8::splat(simd, x)),
            far: self.far[axis].inline_map(|x| f32x8::splat(simd, x)),
        };
        let least = i32x8::splat(simd, self.least.to_bits() as i32);
        node_test(simd, node, [slab(0), slab(1), slab(2)], least, limit)
    }
}

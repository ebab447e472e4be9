//! The squared distances of a point from eight boxes at once.
//!
//! Let u = 2^-24. A gap along an axis has one rounding, a square of it three, and the sum of three
//! squares two more, fused or not: the result exceeds the true squared distance by at most 5.1u of
//! it, and by what underflows, less than 2^-147. A lane without a child is infinitely far.

use super::near_point::NearPoint;
use crate::traverse::single_walk::BoxTest;
use crate::wide::Node;
use fearless_simd::{Bytes, Simd, SimdBase, SimdFloat, f32x8, i32x8, mask32x8};

/// Returns the squared distances as the bits of numbers that are not negative, and which boxes may
/// be within the limit.
#[inline(always)]
pub fn box_distances<S: Simd>(
    simd: S,
    node: &Node,
    point: &NearPoint,
    limit: f32,
) -> (i32x8<S>, mask32x8<S>) {
    let x = gap(simd, node, point, 0);
    let y = gap(simd, node, point, 1);
    let z = gap(simd, node, point, 2);
    let square = x.mul_add(x, y.mul_add(y, z * z));
    let within = square.simd_le(f32x8::splat(simd, limit));
    (square.bitcast(), within)
}

/// Returns the gaps between the point and the boxes along an axis, 0 where there is none.
#[inline(always)]
fn gap<S: Simd>(simd: S, node: &Node, point: &NearPoint, axis: usize) -> f32x8<S> {
    let [low, high] = &node.faces[axis];
    let at = f32x8::splat(simd, point.coordinates[axis]);
    let below = f32x8::load_array_ref(simd, low) - at;
    let above = at - f32x8::load_array_ref(simd, high);
    below.max(above).max(f32x8::splat(simd, 0.0))
}

impl<S: Simd> BoxTest<S> for NearPoint {
    #[inline(always)]
    fn test(&self, simd: S, node: &Node, limit: f32) -> (i32x8<S>, mask32x8<S>) {
        box_distances(simd, node, self, limit)
    }
}

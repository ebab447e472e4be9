//! The box of a region in units of the tree, and its comparisons with eight boxes at once.

use super::super::leaf_block::with_block;
use crate::wide::{Axis, Block, LeafView, Node, Scale, WIDTH};
use estoc_core::glam::DVec3;
use fearless_simd::{Simd, SimdBase, SimdMask, f32x8};

/// A box in units of the tree, rounded outward. Its numbers are finite, so that it does not meet the
/// box of a lane without a child.
pub(super) struct RegionBounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl RegionBounds {
    /// Returns the box between two corners in the space of the tree's triangles.
    pub(super) fn of(bounds: Option<[DVec3; 2]>, scale: Scale) -> Self {
        let Some([low, high]) = bounds else {
            return RegionBounds {
                min: [f32::MIN; 3],
                max: [f32::MAX; 3],
            };
        };
        // Exact, but for what underflows: there is no `f32` between it and 0.
        let up = f64::from(scale.up(1.0));
        let below = |x: f64| match (x * up) as f32 {
            nearest if f64::from(nearest) > x * up => nearest.next_down(),
            nearest => nearest.max(f32::MIN),
        };
        let above = |x: f64| match (x * up) as f32 {
            nearest if f64::from(nearest) < x * up => nearest.next_up(),
            nearest => nearest.min(f32::MAX),
        };
        RegionBounds {
            min: low.to_array().map(below),
            max: high.to_array().map(above),
        }
    }

    /// Returns the lanes whose boxes meet this one, as bits.
    #[inline(always)]
    pub(super) fn boxes<S: Simd>(&self, simd: S, node: &Node) -> u32 {
        let on_axis = |axis: usize| {
            let [low, high] = &node.faces[axis];
            let low = f32x8::load_array_ref(simd, low);
            let high = f32x8::load_array_ref(simd, high);
            low.simd_le(f32x8::splat(simd, self.max[axis]))
                & high.simd_ge(f32x8::splat(simd, self.min[axis]))
        };
        (on_axis(0) & on_axis(1) & on_axis(2)).to_bitmask() as u32
    }

    /// Returns the places in a leaf of triangles whose boxes meet this one, as bits.
    #[inline(always)]
    pub(super) fn triangles<S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        leaf: (usize, usize),
    ) -> u32 {
        let bits = with_block(
            simd,
            leaves,
            leaf,
            #[inline(always)]
            |block| self.block(simd, block),
        );
        bits & ((1 << leaf.1) - 1)
    }

    #[inline(always)]
    fn block<S: Simd>(&self, simd: S, block: Block<'_>) -> u32 {
        let row = |row: &[f32; WIDTH]| f32x8::load_array_ref(simd, row);
        let mut meets = None;
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let (a, b, c) = (
                row(block.row::<0>(axis)),
                row(block.row::<1>(axis)),
                row(block.row::<2>(axis)),
            );
            let low = a.min(b).min(c);
            let high = a.max(b).max(c);
            let i = axis.index();
            let on_axis = low.simd_le(f32x8::splat(simd, self.max[i]))
                & high.simd_ge(f32x8::splat(simd, self.min[i]));
            meets = Some(match meets {
                None => on_axis,
                Some(meets) => meets & on_axis,
            });
        }
        meets.map_or(0, |meets| meets.to_bitmask() as u32)
    }
}

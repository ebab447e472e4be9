//! Bounds of the rays of each group of a tile for any hit; derived in `any_rays.rs`.

use super::super::tile::tile_rays::{GROUP, Row, sixteen};
use super::any_lines::lines;
use bytemuck::Zeroable;
use fearless_simd::{Simd, SimdBase, SimdFloat, f32x16};

/// Bounds of the rays of each group.
#[derive(Clone, Zeroable)]
#[repr(C, align(64))]
pub struct GroupHulls {
    /// The slopes and offsets of the lines below and above the rays.
    pub slope: [[Row; 2]; 2],
    pub offset: [[Row; 2]; 2],
    /// The least first end and the greatest last one. Groups that need nothing more have no length.
    pub first: Row,
    pub last: Row,
    /// Between these, every point of a ray's line is one of the ray.
    pub inner_first: Row,
    pub inner_last: Row,
}

impl GroupHulls {
    /// Sets the lines that bound a group along one of the two axes across, given whole slopes and
    /// offsets of its rays. They matter from its first end, which is set before, up to `end`.
    #[inline(always)]
    pub(super) fn set_lines<S: Simd>(
        &mut self,
        simd: S,
        group: usize,
        axis: usize,
        (whole, offset): (&Row, &Row),
        end: f32,
    ) {
        let from = self.first[group].max(0.0);
        let to = self.last[group].min(end);
        let whole = f32x16::load_array_ref(simd, whole);
        let offset = f32x16::load_array_ref(simd, offset);
        let first = whole.mul_add(sixteen(simd, from), offset);
        let last = whole.mul_add(sixteen(simd, to), offset);
        let [below, above] = lines((from, to), (first, last));
        self.slope[axis][0][group] = below.slope;
        self.slope[axis][1][group] = above.slope;
        self.offset[axis][0][group] = below.offset;
        self.offset[axis][1][group] = above.offset;
    }

    /// Marks a group that needs nothing more.
    #[inline(always)]
    pub fn end(&mut self, group: usize) {
        self.first[group % GROUP] = f32::INFINITY;
        self.last[group % GROUP] = f32::NEG_INFINITY;
    }
}

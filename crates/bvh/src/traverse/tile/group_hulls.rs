//! Bounds of the rays of each group of a tile; derived in `tile_rays.rs`.

use super::hull_lines::lines;
use super::ray_rows::{GROUP, RayRow, load, sixteen};
use crate::traverse::kernel_ray::U;
use bytemuck::Zeroable;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x16, mask32x16};

/// Bounds of the rays of each group.
#[derive(Clone, Zeroable)]
#[repr(C, align(64))]
pub struct GroupHulls {
    /// The slopes and offsets of the lines below and above the rays, by axis. The offsets of rays
    /// from one point are 0.
    pub slope: [[RayRow; 2]; 2],
    pub offset: [[RayRow; 2]; 2],
    /// The least first end and the greatest last one. Groups that need nothing more have no length.
    pub first: RayRow,
    pub last: RayRow,
    /// Between these, every point of a ray's line is one of the ray.
    pub inner_first: RayRow,
    pub inner_last: RayRow,
    /// Of rays from one point, the middle and the radius of slopes, by axis.
    pub middle: [RayRow; 2],
    pub radius: [RayRow; 2],
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
        (whole, offset): (&RayRow, &RayRow),
        end: f32,
    ) {
        let from = self.first[group].max(0.0);
        let to = self.last[group].min(end);
        let (whole, offset) = (load(simd, whole), load(simd, offset));
        let first = whole.mul_add(sixteen(simd, from), offset);
        let last = whole.mul_add(sixteen(simd, to), offset);
        let [below, above] = lines((from, to), (first, last));
        self.slope[axis][0][group] = below.slope;
        self.slope[axis][1][group] = above.slope;
        self.offset[axis][0][group] = below.offset;
        self.offset[axis][1][group] = above.offset;
    }

    /// Sets the hulls of groups of rays from one point along one of the two axes across, given the
    /// slope of the middle, the greatest slope beside that, and in the place of lines the least and
    /// the greatest slope of each group beside that.
    #[inline(always)]
    pub(super) fn set_slopes<S: Simd>(
        &mut self,
        simd: S,
        groups: usize,
        axis: usize,
        slope: f32,
        widest: f32,
    ) {
        let there = mask32x16::from_bitmask(simd, u64::MAX >> (64 - groups.clamp(1, GROUP)));
        let zero = sixteen(simd, 0.0);
        let [down, up] = &mut self.slope[axis];
        let least = there.select(load(simd, down), zero);
        let most = there.select(load(simd, up), zero);
        let center = least + (most - least) * sixteen(simd, 0.5);
        let radius = (most - center).max(center - least) * sixteen(simd, 1.0 + 2.0 * U);
        center.store_array(&mut self.middle[axis]);
        radius.store_array(&mut self.radius[axis]);
        let slope = sixteen(simd, slope);
        let pad = (slope.abs() + sixteen(simd, widest)) * sixteen(simd, 4.0 * U);
        (slope + least - pad).store_array(down);
        (slope + most + pad).store_array(up);
    }

    /// Marks a group that needs nothing more.
    #[inline(always)]
    pub fn end(&mut self, group: usize) {
        self.first[group % GROUP] = f32::INFINITY;
        self.last[group % GROUP] = f32::NEG_INFINITY;
    }

    /// Returns the greatest last end.
    #[inline(always)]
    pub(super) fn last_end<S: Simd>(&self, simd: S) -> f32 {
        f32x16::load_array_ref(simd, &self.last).reduce_max()
    }
}

//! The numbers of up to sixteen rays for box tests, one ray in each lane.

use super::{LANES, Lanes, load, store};
use crate::traverse::slab::SlabNumbers;
use crate::wide::Node;
use bytemuck::Zeroable;
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, f32x16};

/// Numbers of rays, which are those of single rays (`kernel_ray.rs`).
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct BoxLanes {
    pub inverse: [Lanes; 3],
    pub near: [Lanes; 3],
    pub far: [Lanes; 3],
    pub least: Lanes,
    /// By axis, which of a node's faces is the near one for all rays that are tested.
    pub near_face: [usize; 3],
}

impl BoxLanes {
    #[inline(always)]
    pub fn set<S: Simd>(&mut self, slabs: &[SlabNumbers<f32x16<S>>; 3], least: f32x16<S>) {
        for (axis, slab) in slabs.iter().enumerate() {
            store(&mut self.inverse[axis], slab.inverse);
            store(&mut self.near[axis], slab.near);
            store(&mut self.far[axis], slab.far);
        }
        store(&mut self.least, least);
    }

    /// Takes the near faces of the ray of a lane.
    #[inline(always)]
    pub fn set_near_faces(&mut self, lane: usize) {
        for axis in 0..3 {
            self.near_face[axis] = usize::from(self.inverse[axis][lane % LANES] < 0.0);
        }
    }

    /// Returns the rays that meet the box of a node's child up to these limits, as bits. The test is
    /// that of single rays (`kernel_ray.rs`), with one ray in each lane.
    #[inline(always)]
    pub fn meet<S: Simd>(&self, simd: S, node: &Node, child: usize, limits: f32x16<S>) -> u32 {
        let faces = |axis: usize| {
            let near_face = self.near_face[axis] & 1;
            let faces = &node.faces[axis];
            (&faces[near_face], &faces[near_face ^ 1])
        };
        let ((low_x, high_x), (low_y, high_y), (low_z, high_z)) = (faces(0), faces(1), faces(2));
        let splat = |x: f32| f32x16::splat(simd, x);
        let three = |[x, y, z]: &[Lanes; 3]| (load(simd, x), load(simd, y), load(simd, z));
        let (rx, ry, rz) = three(&self.inverse);
        let (nx, ny, nz) = three(&self.near);
        let (fx, fy, fz) = three(&self.far);
        let least = load(simd, &self.least);
        let enter_x = splat(low_x[child]).mul_add(rx, nx);
        let enter_y = splat(low_y[child]).mul_add(ry, ny);
        let enter_z = splat(low_z[child]).mul_add(rz, nz);
        let leave_x = splat(high_x[child]).mul_add(rx, fx);
        let leave_y = splat(high_y[child]).mul_add(ry, fy);
        let leave_z = splat(high_z[child]).mul_add(rz, fz);
        let enter = enter_x.max(enter_y).max(enter_z.max(least));
        let leave = leave_x.min(leave_y).min(leave_z.min(limits));
        leave.simd_gt(enter).to_bitmask() as u32
    }
}

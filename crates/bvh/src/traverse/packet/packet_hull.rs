//! Box tests of a packet: one of all rays together against eight boxes, and one of each ray against
//! one box.
//!
//! # Hull
//! Along an axis across, with slopes between `down` and `up`, both positive, and positions between
//! `low` and `high` in the plane of the frame's origin, two lines bound all rays: one from `high`
//! with slope `up` is ahead of them, one from `low` with slope `down` is behind. Let a ray meet a
//! box at parameter Z, which is not negative, as no ray starts behind the plane.
//! - Its near face at x is passed by the line ahead at `(x - high) / up`. If that is positive, it
//!   is at most `(x - place) / slope` of the ray, which is at most Z. Otherwise it is less than the
//!   least parameter, at which the box is entered anyway.
//! - Its far face is at or beyond the ray's position, so beyond `low`, and passed by the line
//!   behind at `(x - low) / down >= (x - place) / slope >= Z`.
//!
//! Both lines are computed like a single ray (`kernel_ray.rs`), and the proof there holds for each
//! of them: it leaves near faces early and far faces late, so that every near face comes strictly
//! before Z, and every far face strictly after. The one difference is that a slope is a rounded
//! quotient, and `r` the rounded inverse of that: another `u |s|`, at most `u |x r| + u |o r|`, for
//! which the proof has a spare `2.8u |x r|` and more, and `0.7u |o r|`. Rounding is monotonic, so
//! the greatest of the rounded slopes belongs to the greatest. Along the frame's own axis, `r` is 1
//! or -1. Where all slopes are negative, the same holds with opposite signs.
//!
//! Where some slopes are positive and some negative, or too small for an inverse, no far face can
//! be given, but two near ones: rays that go up reach the low face with `up` from `high`, and rays
//! that go down reach the high face with `down` from `low`, each at the earliest. An `r` that is
//! limited to 2^96 makes that earlier still. No face overflows to NaN, as in `kernel_ray.rs`.
//!
//! # Slabs
//! For each ray it is the test of single rays, with the position in the plane as an origin that is
//! off by `moved`. Axes with slopes of both signs exclude nothing there.

use super::beam::Frame;
use super::beam_rays::{BeamRays, Ranges};
use super::packet_vectors::{bits, load};
use crate::traverse::kernel_ray::U;
use crate::wide::{Node, WIDTH};
use fearless_simd::{Bytes, Simd, SimdBase, SimdFloat, SimdMask, f32x8, i32x8, mask32x8};

/// 2^96.
const STEEP: f32 = f32::from_bits((127 + 96) << 23);

/// The parameter `x r + q` of a face at `x`.
#[derive(Clone, Copy, Default)]
pub struct Plane {
    r: f32,
    pub q: f32,
}

impl Plane {
    /// Returns where the packet's hull passes faces, early or late by the bound of the error.
    #[inline(always)]
    fn of(origin: f32, r: f32, sign: f32) -> Self {
        let product = -origin * r;
        let pad = product.abs() * (8.0 * U) + r.abs() * (2.0 * f32::MIN_POSITIVE);
        let q = product + sign * pad;
        Plane { r, q }
    }
}

/// Where the first and the last ray of a packet pass faces.
pub struct PacketHull {
    pub near: [Plane; 3],
    pub far: [Plane; 3],
    near_face: [usize; 3],
    /// Axes along which some rays go up and some down: they have two near faces.
    open: [bool; 3],
}

impl PacketHull {
    /// Returns the hull of rays with these positions in the plane of the frame's origin, errors
    /// included, and these slopes.
    #[inline(always)]
    pub fn of(frame: &Frame, places: Ranges, slopes: Ranges) -> Self {
        let (axes, forward, start) = (frame.axes, frame.forward, frame.origin[2]);
        let mut planes = PacketHull {
            near: [Plane::default(); 3],
            far: [Plane::default(); 3],
            near_face: [0; 3],
            open: [false; 3],
        };
        let z = axes[2];
        planes.near[z] = Plane::of(start, forward, -1.0);
        planes.far[z] = Plane::of(start, forward, 1.0);
        planes.near_face[z] = usize::from(forward < 0.0);
        for i in 0..2 {
            let axis = axes[i];
            let ([low, high], [down, up]) = (places[i], slopes[i]);
            if down >= 1.0 / STEEP {
                planes.near[axis] = Plane::of(high, inverse(up), -1.0);
                planes.far[axis] = Plane::of(low, inverse(down), 1.0);
            } else if up <= -1.0 / STEEP {
                planes.near[axis] = Plane::of(low, inverse(down), -1.0);
                planes.far[axis] = Plane::of(high, inverse(up), 1.0);
                planes.near_face[axis] = 1;
            } else {
                // Those that go up reach low faces, those that go down high ones.
                planes.near[axis] = Plane::of(high, inverse(up.abs()), -1.0);
                planes.far[axis] = Plane::of(low, -inverse(down.abs()), -1.0);
                planes.open[axis] = true;
            }
        }
        planes
    }

    /// Returns whether some rays go up along an axis and some down, or neither.
    pub fn is_open(&self, axis: usize) -> bool {
        self.open[axis]
    }

    /// Returns bounds of the parameters of hits in the box of a node's child, by its faces along
    /// the frame's own axis.
    #[inline(always)]
    pub fn depth(&self, node: &Node, lane: usize, axis: usize) -> (f32, f32) {
        let lane = lane % WIDTH;
        let near_face = self.near_face[axis] & 1;
        let (near, far) = (self.near[axis], self.far[axis]);
        (
            node.faces[axis][near_face][lane] * near.r + near.q,
            node.faces[axis][near_face ^ 1][lane] * far.r + far.q,
        )
    }

    /// Returns which rays may meet the box of a node's child, as bits.
    #[inline(always)]
    pub fn meet<S: Simd>(
        &self,
        simd: S,
        node: &Node,
        lane: usize,
        least: f32,
        axes: [usize; 3],
        rays: &BeamRays,
    ) -> u64 {
        let lane = lane % WIDTH;
        let [x, y, z] = axes;
        let (near_z, far_z) = self.depth(node, lane, z);
        let near_z = S::f32s::splat(simd, if near_z > least { near_z } else { least });
        let far_z = S::f32s::splat(simd, far_z);
        let near_face = self.near_face[x] & 1;
        let near_x = S::f32s::splat(simd, node.faces[x][near_face][lane]);
        let far_x = S::f32s::splat(simd, node.faces[x][near_face ^ 1][lane]);
        let near_face = self.near_face[y] & 1;
        let near_y = S::f32s::splat(simd, node.faces[y][near_face][lane]);
        let far_y = S::f32s::splat(simd, node.faces[y][near_face ^ 1][lane]);
        let mut met = 0;
        for vector in rays.part.vectors::<S>() {
            let inverse_x = load(simd, &rays.inverse[0], vector);
            let inverse_y = load(simd, &rays.inverse[1], vector);
            let enter_x = near_x.mul_add(inverse_x, load(simd, &rays.near[0], vector));
            let enter_y = near_y.mul_add(inverse_y, load(simd, &rays.near[1], vector));
            let leave_x = far_x.mul_add(inverse_x, load(simd, &rays.far[0], vector));
            let leave_y = far_y.mul_add(inverse_y, load(simd, &rays.far[1], vector));
            let enter = enter_x.max(enter_y).max(near_z);
            let leave = leave_x
                .min(leave_y)
                .min(load(simd, &rays.high, vector).min(far_z));
            met |= bits::<S>(leave.simd_ge(enter).to_bitmask(), vector);
        }
        met
    }

    /// Returns where the first ray may enter the boxes of a node's children, and which of them some
    /// ray may meet.
    #[inline(always)]
    pub fn test<S: Simd>(
        &self,
        simd: S,
        node: &Node,
        least: f32,
        limit: f32,
    ) -> (i32x8<S>, mask32x8<S>) {
        let least = i32x8::splat(simd, least.to_bits() as i32);
        let limit = i32x8::splat(simd, limit.to_bits() as i32);
        let (near_x, far_x) = self.slab(simd, node, 0);
        let (near_y, far_y) = self.slab(simd, node, 1);
        let (near_z, far_z) = self.slab(simd, node, 2);
        let entry = near_x.max(near_y).max(near_z.max(least));
        let exit = far_x.min(far_y).min(far_z.min(limit));
        (entry, exit.simd_gt(entry))
    }

    #[inline(always)]
    fn slab<S: Simd>(&self, simd: S, node: &Node, axis: usize) -> (i32x8<S>, i32x8<S>) {
        let near_face = self.near_face[axis] & 1;
        let near = f32x8::load_array_ref(simd, &node.faces[axis][near_face]);
        let far = f32x8::load_array_ref(simd, &node.faces[axis][near_face ^ 1]);
        let (first, last) = (self.near[axis], self.far[axis]);
        let near = near.mul_add(f32x8::splat(simd, first.r), f32x8::splat(simd, first.q));
        let far = far.mul_add(f32x8::splat(simd, last.r), f32x8::splat(simd, last.q));
        let (near, far): (i32x8<S>, i32x8<S>) = (near.bitcast(), far.bitcast());
        if self.open[axis] {
            return (near.max(far), i32x8::splat(simd, i32::MAX));
        }
        (near, far)
    }
}

#[inline(always)]
fn inverse(slope: f32) -> f32 {
    match slope.abs() < 1.0 / STEEP {
        true => STEEP.copysign(slope),
        false => 1.0 / slope,
    }
}

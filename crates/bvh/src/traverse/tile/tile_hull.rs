//! A box test of all rays of a tile at once, for eight boxes.
//!
//! Between the ends of the tile, all rays lie below one line and above another, along each axis
//! across. Where a ray meets a box, the line above is at or above the low face, and the line below
//! is at or below the high face. So where the line above goes up, it passes the low face before that,
//! and where it goes down, after that; and the line below passes the high face after that if it goes
//! up, and before that if it goes down. A line that hardly goes up or down is replaced by one that
//! goes slightly farther out, as parameters are not negative. The lines of rays from one point go
//! through it, with the least and the greatest whole slope, which are off by less than the `8u` that
//! they are set apart (`hull_lines.rs`).
//!
//! Both lines are computed like single rays with these origins and directions (`kernel_ray.rs`),
//! whose origins count as off by what boxes are off, and the proof there holds for each of them:
//! parameters that are early remain strictly early, and late ones strictly late.

use super::hull_lines::Line;
use super::tile_frame::Frame;
use crate::traverse::kernel_ray::U;
use crate::wide::{Node, WIDTH};
use fearless_simd::{Bytes, Simd, SimdBase, SimdFloat, f32x8, i32x8, mask32x8};

/// 2^-40: the least slope of a line.
const FLATTEST: f32 = f32::from_bits((127 - 40) << 23);

/// The parameter `x r + q` of a face at `x`, and whether it is early.
#[derive(Clone, Copy, Default)]
struct Pass {
    r: f32,
    q: f32,
    is_early: bool,
}

impl Pass {
    #[inline(always)]
    fn of(origin: f32, slope: f32, is_early: bool, off: f32) -> Self {
        let r = 1.0 / slope;
        let product = -origin * r;
        let pad = product.abs() * (8.0 * U) + r.abs() * (2.0 * off);
        let q = if is_early {
            product - pad
        } else {
            product + pad
        };
        Pass { r, q, is_early }
    }
}

/// Where the bounds of a tile pass the low and the high faces of boxes, by axis.
pub struct TileHull([[Pass; 2]; 3]);

impl TileHull {
    /// Returns the hull of rays between these lines, by their positions in the mesh, errors
    /// included, for boxes that are off by as much.
    #[inline(always)]
    pub fn of(frame: &Frame, bounds: [[Line; 2]; 2], off: f32) -> Self {
        let [x, y, z] = frame.axes;
        let mut faces = [[Pass::default(); 2]; 3];
        let (start, forward) = (frame.origin[2], frame.forward);
        faces[z] = [
            Pass::of(start, forward, forward > 0.0, off),
            Pass::of(start, forward, forward < 0.0, off),
        ];
        for (axis, [below, above]) in [x, y].into_iter().zip(bounds) {
            let up = match above.slope.abs() < FLATTEST {
                true => FLATTEST,
                false => above.slope,
            };
            let down = match below.slope.abs() < FLATTEST {
                true => -FLATTEST,
                false => below.slope,
            };
            faces[axis] = [
                Pass::of(above.offset, up, up > 0.0, off),
                Pass::of(below.offset, down, down < 0.0, off),
            ];
        }
        TileHull(faces)
    }

    /// Returns bounds of the parameters of hits in the box of a node's child, by its faces along
    /// the frame's own axis.
    #[inline(always)]
    pub fn depth(&self, node: &Node, lane: usize, axis: usize) -> (f32, f32) {
        let lane = lane % WIDTH;
        let [low, high] = self.0[axis % 3];
        let low_place = node.faces[axis % 3][0][lane] * low.r + low.q;
        let high_place = node.faces[axis % 3][1][lane] * high.r + high.q;
        match low.is_early {
            true => (low_place, high_place),
            false => (high_place, low_place),
        }
    }

    /// Returns where the first ray may enter the boxes of a node's children, and which of them some
    /// ray may meet up to the limit.
    #[inline(always)]
    pub fn test<S: Simd>(&self, simd: S, node: &Node, limit: f32) -> (i32x8<S>, mask32x8<S>) {
        let limit = i32x8::splat(simd, limit.to_bits() as i32);
        let (near_x, far_x) = self.slab(simd, node, 0);
        let (near_y, far_y) = self.slab(simd, node, 1);
        let (near_z, far_z) = self.slab(simd, node, 2);
        let entry = near_x.max(near_y).max(near_z.max(i32x8::splat(simd, 0)));
        let exit = far_x.min(far_y).min(far_z.min(limit));
        (entry, exit.simd_gt(entry))
    }

    #[inline(always)]
    fn slab<S: Simd>(&self, simd: S, node: &Node, axis: usize) -> (i32x8<S>, i32x8<S>) {
        let [low_face, high_face] = self.0[axis];
        let low = f32x8::load_array_ref(simd, &node.faces[axis][0]);
        let high = f32x8::load_array_ref(simd, &node.faces[axis][1]);
        let low = low.mul_add(
            f32x8::splat(simd, low_face.r),
            f32x8::splat(simd, low_face.q),
        );
        let high = high.mul_add(
            f32x8::splat(simd, high_face.r),
            f32x8::splat(simd, high_face.q),
        );
        let (low, high): (i32x8<S>, i32x8<S>) = (low.bitcast(), high.bitcast());
        match (low_face.is_early, high_face.is_early) {
            (true, false) => (low, high),
            (false, true) => (high, low),
            (true, true) => (low.max(high), i32x8::splat(simd, i32::MAX)),
            (false, false) => (i32x8::splat(simd, 0), low.min(high)),
        }
    }
}

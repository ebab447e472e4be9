//! Prepares eight rays at once, one in each lane.
//!
//! The computation and its proof are those of `kernel_ray.rs` and `edge_functions.rs`; only rays
//! whose frame is the mesh's own take part.
//!
//! Rays that miss the box of the whole tree are found here. The box is the union of those of the
//! root's children: each near face lies no farther out, so a ray enters it no later than any of
//! them, and leaves no earlier, roundings included.

use super::kernel_ray::{SPREAD, grant_all};
use super::longest_axes::LongestAxes;
use super::slab::SlabNumbers;
use crate::wide::{WIDTH, WideTree};
use estoc_core::InlineMap;
use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8, u32x8};

/// The prepared numbers of eight rays.
pub struct Prepared8<S: Simd> {
    /// The lanes whose rays are in the usual frame, as bits.
    pub(super) usual: u32,
    /// Those of the usual lanes that may meet the box of the tree.
    pub(super) meets: u32,
    /// By axis; see [`BoxRay`](super::kernel_ray::BoxRay).
    pub(super) inverse: [f32x8<S>; 3],
    pub(super) near: [f32x8<S>; 3],
    pub(super) far: [f32x8<S>; 3],
    /// Bits of integers.
    pub(super) near_face: [f32x8<S>; 3],
    pub(super) least: f32x8<S>,
    pub(super) limit: f32x8<S>,
    /// See [`LeafRay`](super::leaf_ray::LeafRay).
    pub(super) origin: [f32x8<S>; 3],
    pub(super) dir_z: f32x8<S>,
    pub(super) shear: [f32x8<S>; 2],
    pub(super) inverse_z: f32x8<S>,
    /// Bits of integers.
    pub(super) last: f32x8<S>,
    pub(super) from: f32x8<S>,
    pub(super) farthest: f32x8<S>,
    /// What the origin is off.
    pub(super) moved: f32x8<S>,
}

/// What origins are off: a number and a share of the largest distance to the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginError {
    pub(super) off: f32,
    pub(super) share: f32,
}

impl OriginError {
    /// Only what is lost below the normal `f32`s.
    pub(super) const NONE: OriginError = OriginError {
        off: f32::MIN_POSITIVE,
        share: 0.0,
    };

    /// Returns the errors of origins at these distances.
    #[inline(always)]
    pub(super) fn all<S: Simd, V: SimdFloat<S, Element = f32>>(&self, simd: S, way: V) -> V {
        let off = V::splat(simd, self.off);
        match self.share == 0.0 {
            true => off,
            false => off + way * V::splat(simd, self.share),
        }
    }

    /// Returns the error of an origin at this distance.
    #[inline(always)]
    pub(super) fn at(&self, way: f32) -> f32 {
        self.off + way * self.share
    }
}

impl<S: Simd> Prepared8<S> {
    #[inline(always)]
    pub(super) fn of(
        simd: S,
        tree: &WideTree,
        rays: [&[f32; 8]; WIDTH],
        error: OriginError,
    ) -> Self {
        let splat = |x: f32| f32x8::splat(simd, x);
        let zero = splat(0.0);
        let load = |lane: usize| f32x8::load_array_ref(simd, rays[lane]);
        let [ox, oy, oz, dx, dy, dz, t_min, greatest] = transposed(
            simd,
            [
                load(0),
                load(1),
                load(2),
                load(3),
                load(4),
                load(5),
                load(6),
                load(7),
            ],
        );
        let (ax, ay, az) = (dx.abs(), dy.abs(), dz.abs());
        let longest = ax.max(ay).max(az);
        let farthest = ox.abs().max(oy.abs()).max(oz.abs());
        let usual = longest.simd_ge(splat(1.0 / SPREAD))
            & longest.simd_le(splat(SPREAD))
            & farthest.simd_le(splat(tree.measures.usual))
            & t_min.simd_ge(zero);
        let way = farthest + splat(tree.measures.reach);
        let least = t_min.simd_gt(zero).select(t_min, zero);

        let limit = grant_all(simd, greatest);
        let faces = |axis: usize| [tree.measures.min[axis], tree.measures.max[axis]];
        let moved = error.all(simd, way);
        let x = SlabNumbers::of(simd, ox, dx, way, moved);
        let y = SlabNumbers::of(simd, oy, dy, way, moved);
        let z = SlabNumbers::of(simd, oz, dz, way, moved);
        let [near_x, enter_x, leave_x] = passed(simd, &x, faces(0));
        let [near_y, enter_y, leave_y] = passed(simd, &y, faces(1));
        let [near_z, enter_z, leave_z] = passed(simd, &z, faces(2));
        let enter = enter_x.max(enter_y).max(enter_z.max(least));
        let leave = leave_x.min(leave_y).min(leave_z.min(limit));

        let longest = LongestAxes::of([dx, dy, dz]);
        let [dx, dy, dz] = longest.rotated([dx, dy, dz]);
        let [_, _, last] = longest.rotated([0, 1, 2].inline_map(|n| u32x8::splat(simd, n)));
        Prepared8 {
            usual: usual.to_bitmask() as u32,
            meets: (usual & leave.simd_gt(enter)).to_bitmask() as u32,
            inverse: [x.inverse, y.inverse, z.inverse],
            near: [x.near, y.near, z.near],
            far: [x.far, y.far, z.far],
            near_face: [near_x, near_y, near_z],
            least,
            limit,
            origin: longest.rotated([ox, oy, oz]),
            dir_z: dz,
            shear: [-dx / dz, -dy / dz],
            inverse_z: splat(1.0) / dz,
            last: last.bitcast(),
            from: least * dz,
            farthest: way * splat(4.0),
            moved,
        }
    }
}

/// Returns which faces are near, as bits of integers, and where rays pass the near and the far face of a box.
#[inline(always)]
fn passed<S: Simd>(simd: S, slab: &SlabNumbers<f32x8<S>>, [low, high]: [f32; 2]) -> [f32x8<S>; 3] {
    let reversed = slab.inverse.simd_lt(f32x8::splat(simd, 0.0));
    let (low, high) = (f32x8::splat(simd, low), f32x8::splat(simd, high));
    let near_face = reversed.select(u32x8::splat(simd, 1), u32x8::splat(simd, 0));
    [
        near_face.bitcast(),
        reversed.select(high, low).mul_add(slab.inverse, slab.near),
        reversed.select(low, high).mul_add(slab.inverse, slab.far),
    ]
}

/// Transposes rows and columns: three perfect shuffles.
#[inline(always)]
pub(super) fn transposed<S: Simd>(simd: S, rows: [f32x8<S>; 8]) -> [f32x8<S>; 8] {
    shuffled(simd, shuffled(simd, shuffled(simd, rows)))
}

#[inline(always)]
fn shuffled<S: Simd>(simd: S, [a, b, c, d, e, f, g, h]: [f32x8<S>; 8]) -> [f32x8<S>; 8] {
    let (a, e) = simd.interleave_f32x8(a, e);
    let (b, f) = simd.interleave_f32x8(b, f);
    let (c, g) = simd.interleave_f32x8(c, g);
    let (d, h) = simd.interleave_f32x8(d, h);
    [a, e, b, f, c, g, d, h]
}

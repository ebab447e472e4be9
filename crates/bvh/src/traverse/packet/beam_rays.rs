//! The numbers of each ray of a packet, and the bounds of their errors.
//!
//! # The frame
//! All rays are in the mesh's own frame (`kernel_ray.rs`), with exact coordinates. The axis along
//! which they go is called z, and points in their direction: `Z` is how far a point lies in front
//! of the plane through the beam's origin, behind which no ray starts. It is the parameter of
//! packets; a ray's own is `t = (Z - start) / |dz|`, which keeps the order of hits. So a ray is the
//! line `(x, y) = origin + offset + (middle + slope) Z`, where the origin and the slopes of the
//! middle are the beam's, and `f32`s.
//!
//! # Slopes
//! `dx - middle |dz|` is computed in `f64`, where the product of two `f32`s is exact, then
//! rounded to `f32` and divided: so a slope is off by little more than `2u` of *itself*, not of
//! the ray's whole slope as in `leaf_test.rs`. What underflows is at most 2^-141, as |dz| is at
//! least 2^-9; within the tree that is negligible beside the beam's slack.
//!
//! # Offsets
//! Let D be the largest distance between origins in any coordinate. An offset is `ox - aside oz`,
//! of differences to the beam's origin, each off by `u D`, and of the ray's whole slope in `f32`,
//! which is at most 1.5 and off by `1.5 u`. It is off by `u D + 3 * 1.5 u D` and its own rounding,
//! at most `2.5 u D`: in total by less than `9 u D`, for which the beam's slack has `12 u D`. With
//! one origin for all rays, offsets are 0.
//!
//! # Ends
//! A ray starts and ends at `start + t |dz|`: two roundings and that of `start`. The exact values
//! lie within `8u` of each term, and 2^-126, which covers what underflows.

use super::beam::Frame;
use super::packet_vectors::{Part, load, store};
use super::ray_arrays::{Lanes, RAYS, RayArrays};
use crate::traverse::kernel_ray::U;
use fearless_simd::{Simd, SimdBase, SimdNarrow, SimdWiden};

/// The rays of a packet.
///
/// Aligned, since vectors that lie across two cache lines cost packets about 7 % of their speed.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct BeamRays {
    /// Slopes less those of the middle.
    pub slope: [Lanes; 2],
    /// Positions in the plane of the origin, less the origin.
    pub offset: [Lanes; 2],
    /// `offset_x * slope_y - offset_y * slope_x`.
    pub moment: Lanes,
    /// The parameter of a face at `x` is `x inverse + near` for near faces, and `x inverse + far`
    /// for far ones.
    pub inverse: [Lanes; 2],
    pub near: [Lanes; 2],
    pub far: [Lanes; 2],
    /// Lower and upper bounds of where the ray starts.
    pub from: [Lanes; 2],
    /// Bounds of the end that matters: the ray's own, or the first hit so far. Both are `-inf` once
    /// a ray needs nothing more.
    pub low: Lanes,
    pub high: Lanes,
    /// The lanes in use.
    pub part: Part,
}

/// The ranges of two numbers over all rays.
pub type Ranges = [[f32; 2]; 2];

impl BeamRays {
    pub fn new() -> Self {
        BeamRays {
            part: Part::ALL,
            slope: [[0.0; RAYS]; 2],
            offset: [[0.0; RAYS]; 2],
            moment: [0.0; RAYS],
            inverse: [[0.0; RAYS]; 2],
            near: [[0.0; RAYS]; 2],
            far: [[0.0; RAYS]; 2],
            from: [[0.0; RAYS]; 2],
            low: [0.0; RAYS],
            high: [0.0; RAYS],
        }
    }

    /// Sets the whole slopes, and returns their ranges.
    #[inline(always)]
    pub fn set_whole_slopes<S: Simd>(
        &mut self,
        simd: S,
        group: &RayArrays<'_>,
        frame: &Frame,
    ) -> Ranges {
        let infinity = S::f32s::splat(simd, f32::INFINITY);
        let (mut least, mut most) = ([infinity; 2], [-infinity; 2]);
        for vector in self.part.vectors::<S>() {
            let z = load(simd, &group.dir[frame.axes[2]], vector).abs();
            for i in 0..2 {
                let x = load(simd, &group.dir[frame.axes[i]], vector) / z;
                (least[i], most[i]) = (least[i].min(x), most[i].max(x));
                store::<S, _>(&mut self.slope[i], vector, x);
            }
        }
        [
            [least[0].reduce_min(), most[0].reduce_max()],
            [least[1].reduce_min(), most[1].reduce_max()],
        ]
    }

    /// Sets offsets, while slopes are still whole, and returns their ranges.
    #[inline(always)]
    pub fn set_offsets<S: Simd>(
        &mut self,
        simd: S,
        group: &RayArrays<'_>,
        frame: &Frame,
    ) -> Ranges {
        let infinity = S::f32s::splat(simd, f32::INFINITY);
        let (mut least, mut most) = ([infinity; 2], [-infinity; 2]);
        for vector in self.part.vectors::<S>() {
            let z = start(simd, group, frame, vector);
            for i in 0..2 {
                let x = load(simd, &group.origin[frame.axes[i]], vector);
                let x = x - S::f32s::splat(simd, frame.origin[i]);
                let x = x - load(simd, &self.slope[i], vector) * z;
                store::<S, _>(&mut self.offset[i], vector, x);
                (least[i], most[i]) = (least[i].min(x), most[i].max(x));
            }
        }
        [
            [least[0].reduce_min(), most[0].reduce_max()],
            [least[1].reduce_min(), most[1].reduce_max()],
        ]
    }

    /// Sets slopes and moments, and returns the largest absolute slopes.
    #[inline(always)]
    pub fn set_slopes<S: Simd>(
        &mut self,
        simd: S,
        group: &RayArrays<'_>,
        frame: &Frame,
        middle: [f32; 2],
    ) -> [f32; 2] {
        let mut widest = [S::f32s::splat(simd, 0.0); 2];
        for vector in self.part.vectors::<S>() {
            let z = load(simd, &group.dir[frame.axes[2]], vector).abs();
            for i in 0..2 {
                let x = load(simd, &group.dir[frame.axes[i]], vector);
                let middle = S::f64s::splat(simd, f64::from(-middle[i]));
                let x = beside::<S>(x, z, middle) / z;
                widest[i] = widest[i].max(x.abs());
                store::<S, _>(&mut self.slope[i], vector, x);
            }
            if !frame.is_shared {
                let x = load(simd, &self.offset[0], vector) * load(simd, &self.slope[1], vector);
                let y = load(simd, &self.offset[1], vector) * load(simd, &self.slope[0], vector);
                store::<S, _>(&mut self.moment, vector, x - y);
            }
        }
        [widest[0].reduce_max(), widest[1].reduce_max()]
    }

    /// Sets the ends, and returns where the first ray starts.
    #[inline(always)]
    pub fn set_ends<S: Simd>(&mut self, simd: S, group: &RayArrays<'_>, frame: &Frame) -> f32 {
        let down = S::f32s::splat(simd, 1.0 - 8.0 * U);
        let up = S::f32s::splat(simd, 1.0 + 8.0 * U);
        let tiny = S::f32s::splat(simd, f32::MIN_POSITIVE);
        let mut first = S::f32s::splat(simd, f32::INFINITY);
        for vector in self.part.vectors::<S>() {
            let z = load(simd, &group.dir[frame.axes[2]], vector).abs();
            let start = start(simd, group, frame, vector);
            let from = load(simd, &group.ends[0], vector) * z;
            let to = load(simd, &group.ends[1], vector) * z;
            let (early, late) = (start * down - tiny, start * up + tiny);
            let from_low = from * down + early;
            store::<S, _>(&mut self.from[0], vector, from_low);
            store::<S, _>(&mut self.from[1], vector, from * up + late);
            store::<S, _>(&mut self.low, vector, to * down + early);
            store::<S, _>(&mut self.high, vector, to * up + late);
            first = first.min(from_low);
        }
        first.reduce_min()
    }

    /// Sets the numbers of slab tests as for single rays (`kernel_ray.rs`), from positions in the
    /// plane of the origin, which are off by at most `moved`.
    #[inline(always)]
    pub fn set_slabs<S: Simd>(
        &mut self,
        simd: S,
        group: &RayArrays<'_>,
        frame: &Frame,
        i: usize,
        moved: f32,
    ) {
        for vector in self.part.vectors::<S>() {
            let z = load(simd, &group.dir[frame.axes[2]], vector).abs();
            let inverse = z / load(simd, &group.dir[frame.axes[i]], vector);
            let mut place = S::f32s::splat(simd, -frame.origin[i]);
            if !frame.is_shared {
                place -= load(simd, &self.offset[i], vector);
            }
            let product = place * inverse;
            let pad = product.abs() * S::f32s::splat(simd, 8.0 * U)
                + inverse.abs() * S::f32s::splat(simd, 2.0 * moved);
            store::<S, _>(&mut self.inverse[i], vector, inverse);
            store::<S, _>(&mut self.near[i], vector, product - pad);
            store::<S, _>(&mut self.far[i], vector, product + pad);
        }
    }

    /// Does what [`set_slabs`](Self::set_slabs) does, for an axis that excludes nothing: some rays
    /// go up along it and some down.
    pub fn set_open(&mut self, i: usize) {
        self.inverse[i] = [0.0; RAYS];
        self.near[i] = [-1.0; RAYS];
        self.far[i] = [f32::MAX; RAYS];
    }

    /// Returns the greatest end that still matters.
    #[inline(always)]
    pub fn last_end<S: Simd>(&self, simd: S) -> f32 {
        let mut most = S::f32s::splat(simd, f32::NEG_INFINITY);
        for vector in self.part.vectors::<S>() {
            most = most.max(load(simd, &self.high, vector));
        }
        most.reduce_max()
    }
}

/// Returns how far in front of the plane of the beam's origin the rays' own origins lie.
#[inline(always)]
fn start<S: Simd>(simd: S, group: &RayArrays<'_>, frame: &Frame, vector: usize) -> S::f32s {
    let z = load(simd, &group.origin[frame.axes[2]], vector);
    (z - S::f32s::splat(simd, frame.origin[2])) * S::f32s::splat(simd, frame.forward)
}

/// Returns `x + slope * z`, rounded once.
#[inline(always)]
fn beside<S: Simd>(x: S::f32s, z: S::f32s, slope: S::f64s) -> S::f32s {
    let (x0, x1) = x.widen();
    let (z0, z1) = z.widen();
    (x0 + slope * z0).narrow(x1 + slope * z1)
}

//! The numbers of up to sixteen rays of another space that kernels use.
//!
//! They are those of single rays (`mapped_frame.rs`, `kernel_ray.rs`), but for the bound `moved`, which is
//! computed in `f32` here, with 1.25 in place of each factor of 1.2: more than its roundings. What is lost
//! where a number underflows in `f32` is less than 2^-140, for which 2^-126 is added.

use super::BundleState;
use super::mapped_rays::MappedRays;
use crate::traverse::bundle::box_lanes::BoxLanes;
use crate::traverse::bundle::bundle_hull::Hull;
use crate::traverse::bundle::{LANES, Lanes, load, store};
use crate::traverse::kernel_ray::{BoxRay, KernelRay, RayEnds, SPREAD, STEEP, U, grant_all, power};
use crate::traverse::longest_axes::LongestAxes;
use crate::traverse::mapped::mapped_frame::{BLURRED, SIZES};
use crate::traverse::slab::SlabNumbers;
use crate::wide::{FAR, WIDE};
use bytemuck::Zeroable;
use estoc_core::InlineMap;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x16, mask32x16};

/// What the numbers depend on but the rays.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    /// The origin of the tree's frame, and the power of two of its units.
    pub(super) origin: [f64; 3],
    pub(super) exponent: i32,
    /// The largest coordinate, in its units.
    pub(super) reach: f32,
}

#[repr(C, align(64))]
pub(super) struct KernelLanes {
    pub(super) boxes: BoxLanes,
    pub(super) hull: Hull,
    /// The rays, with axes rotated so that the directions' longest is the last.
    pub(super) origin: [Lanes; 3],
    pub(super) shear: [Lanes; 2],
    pub(super) dir_z: Lanes,
    pub(super) moved: Lanes,
    pub(super) way: Lanes,
    /// The rays as they are.
    plain_origin: [Lanes; 3],
    dir: [Lanes; 3],
    /// The longest axis of each, as two bits, and the octants.
    last: [u32; 2],
    octants: [u32; 3],
    unit: f64,
    start: [f64; LANES],
    /// The rays that suit kernels, as bits.
    ready: u32,
}

impl KernelLanes {
    /// Returns the numbers of no rays.
    pub(super) fn new() -> Self {
        const NUMBERS: Lanes = [0.0; LANES];
        KernelLanes {
            boxes: BoxLanes::zeroed(),
            hull: Hull::default(),
            origin: [NUMBERS; 3],
            shear: [NUMBERS; 2],
            dir_z: NUMBERS,
            moved: NUMBERS,
            way: NUMBERS,
            plain_origin: [NUMBERS; 3],
            dir: [NUMBERS; 3],
            last: [0; 2],
            octants: [0; 3],
            unit: 1.0,
            start: [0.0; LANES],
            ready: 0,
        }
    }

    /// Prepares rays, of which those given as bits are looked at.
    #[inline(always)]
    fn prepare<S: Simd>(&mut self, simd: S, rays: &MappedRays, lanes: u32, unit: &Unit) {
        const NUMBERS: Lanes = [0.0; LANES];
        let up = power(unit.exponent);
        self.unit = up;
        let (mut off, mut blur) = (NUMBERS, NUMBERS);
        for lane in 0..LANES {
            let at =
                [0, 1, 2].inline_map(|axis: usize| rays.origin[axis][lane] - unit.origin[axis]);
            let size = at[0].abs() + at[1].abs() + at[2].abs();
            off[lane] = ((rays.origin_error[lane] + size * f64::EPSILON) * up) as f32;
            blur[lane] = rays.dir_error[lane] as f32;
            self.start[lane] = rays.start[lane] * up;
            for (axis, at) in at.into_iter().enumerate() {
                self.plain_origin[axis][lane] = (at * up) as f32;
                self.dir[axis][lane] = rays.dir[axis][lane] as f32;
            }
        }
        self.set(simd, (&off, &blur), lanes, unit.reach);
    }

    #[inline(always)]
    fn set<S: Simd>(&mut self, simd: S, (off, blur): (&Lanes, &Lanes), lanes: u32, reach: f32) {
        let splat = |x: f32| f32x16::splat(simd, x);
        let [ox, oy, oz] = [
            load(simd, &self.plain_origin[0]),
            load(simd, &self.plain_origin[1]),
            load(simd, &self.plain_origin[2]),
        ];
        let [dx, dy, dz] = [
            load(simd, &self.dir[0]),
            load(simd, &self.dir[1]),
            load(simd, &self.dir[2]),
        ];
        let (ax, ay, az) = (dx.abs(), dy.abs(), dz.abs());
        let farthest = ox.abs().max(oy.abs()).max(oz.abs());
        let longest = ax.max(ay).max(az);
        let (off, blur) = (load(simd, off), load(simd, blur));
        let way = splat(reach) + farthest;
        let off_along = splat(1.25) * way * (blur * splat(SPREAD) + splat(U));
        let moved =
            splat(1.25) * (off + farthest * splat(U) + off_along) + splat(f32::MIN_POSITIVE);
        // In this form NaN does not fit: each number is compared by itself.
        let most = reach * SIZES;
        let most = splat(if most < FAR { most } else { FAR });
        let fits = ox.abs().simd_le(most) & oy.abs().simd_le(most) & oz.abs().simd_le(most);
        let most = splat(SPREAD);
        let fits = fits & ax.simd_le(most) & ay.simd_le(most) & az.simd_le(most);
        let fits = fits & longest.simd_ge(splat(1.0 / SPREAD));
        let fits = fits & blur.simd_le(splat(BLURRED as f32 / SPREAD));
        let fits = fits & farthest.simd_lt(splat(FAR)) & moved.simd_lt(splat(FAR));
        self.ready = match reach <= WIDE {
            true => fits.to_bitmask() as u32 & lanes,
            false => 0,
        };
        let slabs = [
            SlabNumbers::of(simd, ox, dx, way, moved),
            SlabNumbers::of(simd, oy, dy, way, moved),
            SlabNumbers::of(simd, oz, dz, way, moved),
        ];
        // Nothing lies before the start.
        self.boxes.set(&slabs, splat(0.0));
        self.octants = [0, 1, 2]
            .inline_map(|axis: usize| slabs[axis].inverse.simd_lt(splat(0.0)).to_bitmask() as u32);
        store(&mut self.moved, moved);
        store(&mut self.way, way);

        let longest = LongestAxes::of([dx, dy, dz]);
        let LongestAxes { not_x, is_z } = longest;
        self.last = [not_x.to_bitmask() as u32, is_z.to_bitmask() as u32];
        let [ox, oy, oz] = longest.rotated([ox, oy, oz]);
        let [dx, dy, dz] = longest.rotated([dx, dy, dz]);
        for (to, from) in self.origin.iter_mut().zip([ox, oy, oz]) {
            store(to, from);
        }
        store(&mut self.shear[0], -dx / dz);
        store(&mut self.shear[1], -dy / dz);
        store(&mut self.dir_z, dz);
    }

    /// Prepares rays, of which those given as bits are looked at, and calls `walk` with those that suit
    /// kernels: with parts that share an octant and a longest axis, as bits, and the limits of all.
    /// Returns the other rays.
    #[inline(always)]
    pub(super) fn in_parts<S: Simd>(
        &mut self,
        simd: S,
        (rays, lanes): (&MappedRays, u32),
        unit: &Unit,
        state: &mut BundleState,
        mut walk: impl FnMut(&Self, u32, f32x16<S>, &mut BundleState),
    ) -> u32 {
        self.prepare(simd, rays, lanes, unit);
        let mut left = self.ready;
        while left != 0 {
            let limits = self.limits(simd, &state.t_limit);
            let part = self.part(simd, left, limits);
            left &= !part;
            walk(self, part, limits, state);
        }
        lanes & !self.ready
    }

    /// Returns those of the rays given, of which there is one, that have the octant and the longest axis of
    /// the first, and prepares to test them. The limits are those of [`limits`](Self::limits).
    #[inline(always)]
    fn part<S: Simd>(&mut self, simd: S, lanes: u32, limits: f32x16<S>) -> u32 {
        let first = lanes.trailing_zeros() as usize % LANES;
        let mut part = lanes;
        for &bits in self.octants.iter().chain(&self.last) {
            part &= match bits >> first & 1 {
                0 => !bits,
                _ => bits,
            };
        }
        self.boxes.set_near_faces(first);
        let inside = mask32x16::from_bitmask(simd, part.into());
        let slabs = [
            self.slab(simd, 0, inside, first),
            self.slab(simd, 1, inside, first),
            self.slab(simd, 2, inside, first),
        ];
        let moved = chosen(simd, &self.moved, inside, first).reduce_max();
        let zero = f32x16::splat(simd, 0.0);
        self.hull = Hull::of(&slabs, moved, zero, inside.select(limits, zero));
        part
    }

    /// Returns an axis of some rays; the other lanes have a copy of the first of them.
    #[inline(always)]
    fn slab<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        inside: mask32x16<S>,
        first: usize,
    ) -> SlabNumbers<f32x16<S>> {
        let inverse = chosen(simd, &self.boxes.inverse[axis], inside, first);
        let way = chosen(simd, &self.way, inside, first);
        let steep = inverse.simd_ge(f32x16::splat(simd, STEEP));
        let beyond = f32x16::splat(simd, 4.0 * SPREAD) * way;
        SlabNumbers {
            origin: chosen(simd, &self.plain_origin[axis], inside, first),
            inverse,
            near: inverse,
            far: inverse,
            beyond: steep.select(beyond, f32x16::splat(simd, 0.0)),
        }
    }

    /// Returns the longest axis of the first of these rays.
    #[inline(always)]
    pub(super) fn last_axis(&self, lanes: u32) -> usize {
        let [not_x, is_z] = self
            .last
            .inline_map(|bits| bits >> lanes.trailing_zeros() & 1);
        (not_x + (not_x & is_z)) as usize
    }

    /// Returns the parameters of the kernels of limits, or slightly more.
    #[inline(always)]
    pub(super) fn limits<S: Simd>(&self, simd: S, t_limit: &[f64; LANES]) -> f32x16<S> {
        let mut limits = [0.0; LANES];
        for lane in 0..LANES {
            let (way, start) = (t_limit[lane] * self.unit, self.start[lane]);
            limits[lane] = (way - start + (way.abs() + start.abs()) * (2.0 * f64::EPSILON)) as f32;
        }
        grant_all(simd, load(simd, &limits))
    }

    /// Returns the greatest limit of these rays, 0 if there are none.
    #[inline(always)]
    pub(super) fn largest<S: Simd>(&self, simd: S, lanes: u32, limits: f32x16<S>) -> f32 {
        let inside = mask32x16::from_bitmask(simd, lanes.into());
        inside.select(limits, f32x16::splat(simd, 0.0)).reduce_max()
    }

    /// Returns lower bounds of the rays' own parameters of one of the kernels.
    #[inline(always)]
    pub(super) fn own_parameters(&self, s: f32) -> [f64; LANES] {
        let s = f64::from(s);
        let mut own = [0.0; LANES];
        for (own, start) in own.iter_mut().zip(&self.start) {
            let lost = (s.abs() + start.abs()) * (4.0 * f64::EPSILON);
            *own = (s + start - lost) / self.unit;
        }
        own
    }

    /// Returns the ray of a lane.
    #[inline(always)]
    pub(super) fn ray(&self, lane: usize) -> KernelRay {
        let lane = lane % LANES;
        let each = |lanes: &[Lanes; 3]| [lanes[0][lane], lanes[1][lane], lanes[2][lane]];
        let inverse = each(&self.boxes.inverse);
        KernelRay {
            boxes: BoxRay {
                inverse,
                least: 0.0,
                near: each(&self.boxes.near),
                limit: f32::INFINITY,
                far: each(&self.boxes.far),
                unused: 0.0,
                near_face: inverse.inline_map(|r| u32::from(r < 0.0)),
                unused_too: 0,
            },
            ends: RayEnds::shifted(self.unit, self.start[lane]),
            origin: each(&self.plain_origin),
            dir: each(&self.dir),
            moved: self.moved[lane],
            way: self.way[lane],
        }
    }
}

/// Returns numbers of some rays, and in the other lanes that of the first of them.
#[inline(always)]
fn chosen<S: Simd>(simd: S, numbers: &Lanes, inside: mask32x16<S>, first: usize) -> f32x16<S> {
    inside.select(load(simd, numbers), f32x16::splat(simd, numbers[first]))
}

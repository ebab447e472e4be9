//! Up to sixteen plain rays with the same octant, one in each lane.

use super::box_lanes::BoxLanes;
use super::bundle_hull::Hull;
use super::ray_window::NumberedRay;
use super::{LANES, Lanes, load, store};
use crate::traverse::kernel_ray::{SPREAD, U, grant_all};
use crate::traverse::longest_axes::LongestAxes;
use crate::traverse::plain_ray::leaf::SpanRay;
use crate::traverse::plain_ray::ray::{Numbers, PlainRay};
use crate::traverse::prepare8::transposed;
use crate::traverse::slab::SlabNumbers;
use crate::wide::{WIDTH, WideTree};
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use estoc_core::InlineMap;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x8, f32x16, mask32x16, u32x16};

/// Rays, and their numbers for box and leaf tests, which are those of single rays to the bit.
#[repr(C, align(64))]
pub struct Bundle<'r> {
    pub boxes: BoxLanes,
    /// The limit, behind which nothing matters.
    pub limit: Lanes,
    // For leaf tests.
    origin: [Lanes; 3],
    shear: [Lanes; 2],
    inverse_z: Lanes,
    dir_z: Lanes,
    t_max: Lanes,
    t_error: Lanes,
    way: Lanes,
    last: [u32; LANES],
    /// Bounds of all rays.
    pub hull: Hull,
    pub rays: ArrayVec<NumberedRay<'r>, LANES>,
    /// The rays that are plain, as bits.
    pub ready: u32,
}

impl<'r> Bundle<'r> {
    pub fn new() -> Self {
        const NUMBERS: Lanes = [0.0; LANES];
        Bundle {
            boxes: BoxLanes::zeroed(),
            limit: NUMBERS,
            origin: [NUMBERS; 3],
            shear: [NUMBERS; 2],
            inverse_z: NUMBERS,
            dir_z: NUMBERS,
            t_max: NUMBERS,
            t_error: NUMBERS,
            way: NUMBERS,
            last: [0; LANES],
            hull: Hull::default(),
            rays: ArrayVec::new(),
            ready: 0,
        }
    }

    /// Returns all rays, as bits.
    #[inline(always)]
    pub fn all(&self) -> u32 {
        (1 << self.rays.len()) - 1
    }

    /// Prepares the rays, of which there is at least one, and which all have the same octant.
    #[inline(always)]
    pub fn prepare<S: Simd>(&mut self, simd: S, tree: &WideTree) {
        let splat = |x: f32| f32x16::splat(simd, x);
        let mut raw = self.numbers(simd);
        self.ready = plain(simd, &raw, tree) & self.all();
        if self.ready == 0 {
            return;
        }
        if self.ready != u32::MAX >> (32 - LANES) {
            // The other lanes have a copy of a plain ray.
            let ray = self.rays[self.ready.trailing_zeros() as usize].1.ray();
            let ready = mask32x16::from_bitmask(simd, self.ready.into());
            for (numbers, &number) in raw.iter_mut().zip(ray.as_array()) {
                *numbers = ready.select(*numbers, splat(number));
            }
        }
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = raw;
        let farthest = ox.abs().max(oy.abs()).max(oz.abs());
        let way = splat(tree.measures.reach) + farthest;
        let moved = splat(f32::MIN_POSITIVE);
        let slabs = [
            SlabNumbers::of(simd, ox, dx, way, moved),
            SlabNumbers::of(simd, oy, dy, way, moved),
            SlabNumbers::of(simd, oz, dz, way, moved),
        ];
        let least = t_min.simd_gt(splat(0.0)).select(t_min, splat(0.0));
        // The hull has the greatest limit of all rays, and of nothing else.
        let ready = mask32x16::from_bitmask(simd, self.ready.into());
        let limit = ready.select(grant_all(simd, t_max), splat(0.0));
        self.boxes.set(&slabs, least);
        // All lanes have the same octant.
        self.boxes.set_near_faces(0);
        self.hull = Hull::of(&slabs, f32::MIN_POSITIVE, least, limit);
        store(&mut self.limit, limit);
        store(&mut self.t_max, t_max);
        store(&mut self.way, way);

        let longest = LongestAxes::of([dx, dy, dz]);
        let [dx, dy, dz] = longest.rotated([dx, dy, dz]);
        let [_, _, inverse_z] = longest.rotated(slabs.inline_map(|slab| slab.inverse));
        let [_, _, last] = longest.rotated([0, 1, 2].inline_map(|n| u32x16::splat(simd, n)));
        let [ox, oy, oz] = longest.rotated([ox, oy, oz]);
        store(&mut self.origin[0], ox);
        store(&mut self.origin[1], oy);
        store(&mut self.origin[2], oz);
        store(&mut self.shear[0], -dx * inverse_z);
        store(&mut self.shear[1], -dy * inverse_z);
        store(&mut self.inverse_z, inverse_z);
        store(&mut self.dir_z, dz);
        store(&mut self.t_error, splat(20.0 * U) * way * inverse_z.abs());
        last.store_array(&mut self.last);
    }

    /// Returns origins, directions and ends. Lanes without a ray have a copy of the last.
    #[inline(always)]
    fn numbers<S: Simd>(&self, simd: S) -> [f32x16<S>; 8] {
        let low = self.eight_rays(simd, 0);
        let high = self.eight_rays(simd, WIDTH);
        // No closures: those that are not inlined have no vector registers of the level.
        [
            simd.combine_f32x8(low[0], high[0]),
            simd.combine_f32x8(low[1], high[1]),
            simd.combine_f32x8(low[2], high[2]),
            simd.combine_f32x8(low[3], high[3]),
            simd.combine_f32x8(low[4], high[4]),
            simd.combine_f32x8(low[5], high[5]),
            simd.combine_f32x8(low[6], high[6]),
            simd.combine_f32x8(low[7], high[7]),
        ]
    }

    /// Returns these numbers of eight rays.
    #[inline(always)]
    fn eight_rays<S: Simd>(&self, simd: S, first: usize) -> [f32x8<S>; 8] {
        transposed(
            simd,
            [
                self.one_ray(simd, first),
                self.one_ray(simd, first + 1),
                self.one_ray(simd, first + 2),
                self.one_ray(simd, first + 3),
                self.one_ray(simd, first + 4),
                self.one_ray(simd, first + 5),
                self.one_ray(simd, first + 6),
                self.one_ray(simd, first + 7),
            ],
        )
    }

    #[inline(always)]
    fn one_ray<S: Simd>(&self, simd: S, lane: usize) -> f32x8<S> {
        let ray = self.rays[lane.min(self.rays.len() - 1)].1.ray();
        f32x8::load_array_ref(simd, ray.as_array())
    }

    /// Returns the ray of a lane for box tests.
    #[inline(always)]
    pub fn plain<S: Simd>(&self, simd: S, lane: usize) -> PlainRay<S> {
        let lane = lane % LANES;
        let each = |lanes: &[Lanes; 3]| [lanes[0][lane], lanes[1][lane], lanes[2][lane]];
        PlainRay::of_numbers(
            simd,
            &Numbers {
                inverse: each(&self.boxes.inverse),
                near: each(&self.boxes.near),
                far: each(&self.boxes.far),
                near_face: self.boxes.near_face,
                t_min: self.boxes.least[lane],
                t_max: self.t_max[lane],
                way: self.way[lane],
            },
        )
    }

    /// Returns the ray of a lane for leaf tests.
    #[inline(always)]
    pub fn leaf_ray(&self, lane: usize) -> SpanRay {
        let lane = lane % LANES;
        SpanRay {
            origin: [
                self.origin[0][lane],
                self.origin[1][lane],
                self.origin[2][lane],
            ],
            shear: [self.shear[0][lane], self.shear[1][lane]],
            inverse_z: self.inverse_z[lane],
            dir_z: self.dir_z[lane],
            last: self.last[lane] as usize,
            t_min: self.boxes.least[lane],
            t_max: self.t_max[lane],
            t_error: self.t_error[lane],
            way: self.way[lane],
            moved: f32::MIN_POSITIVE,
        }
    }

    /// Returns the limits.
    #[inline(always)]
    pub fn limits<S: Simd>(&self, simd: S) -> f32x16<S> {
        load(simd, &self.limit)
    }
}

/// Returns the rays that are plain, as bits: the conditions of `plain_ray/ray.rs`.
#[inline(always)]
fn plain<S: Simd>(simd: S, raw: &[f32x16<S>; 8], tree: &WideTree) -> u32 {
    let splat = |x: f32| f32x16::splat(simd, x);
    let [ox, oy, oz, dx, dy, dz, t_min, t_max] = *raw;
    let near = |o: f32x16<S>| o.abs().simd_le(splat(tree.measures.plain));
    let short = |d: f32x16<S>| d.abs().simd_le(splat(SPREAD));
    let long = |d: f32x16<S>| d.abs().simd_ge(splat(1.0 / SPREAD));
    // In this form NaN is not plain.
    let fits = near(ox) & near(oy) & near(oz) & short(dx) & short(dy) & short(dz);
    let fits = fits & (long(dx) | long(dy) | long(dz));
    let fits = fits & t_min.simd_ge(splat(0.0)) & t_min.simd_le(t_max);
    fits.to_bitmask() as u32
}

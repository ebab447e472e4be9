//! Up to sixteen plain rays with the same octant, one in each lane.

use super::LANES;
use super::bundle_hull::Hull;
use super::ray_lanes::{LaneEnds, RayLanes, plain_lanes};
use super::ray_window::NumberedRay;
use crate::traverse::kernel_ray::grant_all;
use crate::traverse::prepare8::transposed;
use crate::wide::{Measures, WIDTH};
use arrayvec::ArrayVec;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x8, f32x16, mask32x16};

/// Rays, and their numbers.
pub struct Bundle<'r> {
    pub lanes: RayLanes,
    pub rays: ArrayVec<NumberedRay<'r>, LANES>,
    /// The rays that are plain, as bits.
    pub ready: u32,
}

impl<'r> Bundle<'r> {
    pub fn new() -> Self {
        Bundle {
            lanes: RayLanes::new(),
            rays: ArrayVec::new(),
            ready: 0,
        }
    }

    /// Returns all rays, as bits.
    #[inline(always)]
    pub fn all(&self) -> u32 {
        (1 << self.rays.len()) - 1
    }

    /// Prepares the rays for a tree. There is at least one, and all have the same octant. Returns origins,
    /// directions and ends, of those that are plain in all lanes.
    #[inline(always)]
    pub fn prepare<S: Simd>(&mut self, simd: S, tree: &Measures) -> [f32x16<S>; 8] {
        let splat = |x: f32| f32x16::splat(simd, x);
        let mut raw = self.numbers(simd);
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = raw;
        let fits = t_min.simd_ge(splat(0.0)) & t_min.simd_le(t_max);
        self.ready = plain_lanes(simd, ([ox, oy, oz], [dx, dy, dz]), tree)
            & fits.to_bitmask() as u32
            & self.all();
        if self.ready == 0 {
            return raw;
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
        let way = splat(tree.reach) + farthest;
        let least = t_min.simd_gt(splat(0.0)).select(t_min, splat(0.0));
        // The hull has the greatest limit of all rays, and of nothing else.
        let ready = mask32x16::from_bitmask(simd, self.ready.into());
        let limit = ready.select(grant_all(simd, t_max), splat(0.0));
        const EXACT: f32 = f32::MIN_POSITIVE;
        let ends = LaneEnds {
            least,
            t_min: least,
            t_max,
            limit,
        };
        let rays = ([ox, oy, oz], [dx, dy, dz]);
        let slabs = self.lanes.set(simd, rays, ends, (way, splat(EXACT)));
        // All lanes have the same octant.
        self.lanes.boxes.set_near_faces(0);
        self.lanes.hull = Hull::of(&slabs, EXACT, least, limit);
        raw
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
}

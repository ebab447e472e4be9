//! Rays of a world, one in each lane, in the space of what is placed there.

use super::inverse_map::{InverseMap, MapBounds, SHARP};
use super::world_lanes::WorldLanes;
use crate::traverse::bundle::ray_lanes::{LaneEnds, RayLanes, plain_lanes};
use crate::traverse::bundle::{LANES, Lanes, load, store};
use crate::traverse::kernel_ray::{U, certain_end};
use crate::traverse::slab::SlabNumbers;
use crate::wide::{FAR, Measures};
use fearless_simd::{
    Select, Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x16, f64x8, mask32x16,
};

/// Rays in the space of what is placed, with what their hulls are made of.
pub(super) struct ObjectLanes<S: Simd> {
    /// The rays that are fit for kernels, as bits.
    pub(super) ready: u32,
    pub(super) slabs: [SlabNumbers<f32x16<S>>; 3],
    pub(super) moved: f32x16<S>,
    pub(super) limit: f32x16<S>,
    pub(super) t_min: f32x16<S>,
    pub(super) t_max: f32x16<S>,
    /// Origins and directions, and the same before they were rounded, each with six numbers of eight rays, with
    /// bounds of the errors of coordinates.
    pub(super) narrow: ([f32x16<S>; 3], [f32x16<S>; 3]),
    pub(super) wide: [[f64x8<S>; 6]; 2],
    pub(super) errors: [f32; 2],
}

impl InverseMap {
    /// Maps rays of the world to the space of a mesh with these measures, from a common parameter on at which
    /// none is in the placement's box yet, or from their least parameters on, which are the `starts`, and
    /// with their limits. Returns `None` if kernels of plain rays are unfit for the matrix.
    ///
    /// The bounds are those of [`map`](Self::map) for the rays that are asked about, as bits: one that starts
    /// before it enters the box does so between its own origin and there. With l for that part of the way,
    /// the start and the way to it have coordinates of at most `(1 - l) O + 1.01 l R` and `l (O + 1.01 R)`,
    /// whose sum is no larger than at the box.
    #[inline(always)]
    pub(super) fn map_lanes<S: Simd>(
        &self,
        simd: S,
        world: &WorldLanes,
        (asked, entry, t_limit): (u32, f32, &[f64; LANES]),
        measures: &Measures,
        (lanes, starts): (&mut RayLanes, &mut Lanes),
    ) -> Option<ObjectLanes<S>> {
        let scale = self.scale;
        // In this form NaN is refused.
        let is_sharp = world.dir_error <= SHARP;
        if scale == 0.0 || !is_sharp {
            return None;
        }
        let splat = |x: f32| f32x16::splat(simd, x);
        let t_min = load(simd, &world.t_min);
        let start = t_min.max(splat(entry));
        let inside = mask32x16::from_bitmask(simd, asked.into());
        let latest = inside.select(start, splat(0.0)).reduce_max();
        let (start_low, start_high) = start.widen();
        let low = self.image_of_lanes(simd, world, 0, start_low);
        let high = self.image_of_lanes(simd, world, 1, start_high);
        let o = [
            low[0].narrow(high[0]),
            low[1].narrow(high[1]),
            low[2].narrow(high[2]),
        ];
        let d = [
            low[3].narrow(high[3]),
            low[4].narrow(high[4]),
            low[5].narrow(high[5]),
        ];
        let farthest = o[0].abs().max(o[1].abs()).max(o[2].abs());
        let way = splat(measures.reach) + farthest;
        let sizes = [world.size, world.dir_size];
        let bounds = self.bounds(sizes, [world.origin_error, world.dir_error], latest);
        let MapBounds { off, blur, .. } = bounds;
        let moved =
            (splat(off) + way * splat(blur)) * splat(1.0 + 16.0 * U) + splat(f32::MIN_POSITIVE);
        let ready =
            plain_lanes(simd, (o, d), measures) & moved.simd_lt(splat(FAR)).to_bitmask() as u32;
        let (mut t_max, mut limit) = ([0.0; LANES], [0.0; LANES]);
        store(starts, start);
        for lane in 0..LANES {
            let ends = self.ends(starts[lane]);
            t_max[lane] = certain_end(f64::from(world.t_max[lane]), ends.unit, ends.start);
            limit[lane] = ends.limit(t_limit[lane]);
        }
        let is_entered = splat(entry).simd_gt(t_min);
        let limit = load(simd, &limit);
        let ends = LaneEnds {
            least: splat(0.0),
            t_min: is_entered.select(splat(f32::MIN), splat(0.0)),
            t_max: load(simd, &t_max),
            limit,
        };
        let slabs = lanes.set(simd, (o, d), ends, (way, moved));
        Some(ObjectLanes {
            ready,
            slabs,
            moved,
            limit,
            t_min: ends.t_min,
            t_max: ends.t_max,
            narrow: (o, d),
            wide: [low, high],
            errors: [bounds.origin_error, bounds.dir_error],
        })
    }

    /// Returns the images of starts and scaled directions of half of the rays.
    #[inline(always)]
    fn image_of_lanes<S: Simd>(
        &self,
        simd: S,
        world: &WorldLanes,
        half: usize,
        start: f64x8<S>,
    ) -> [f64x8<S>; 6] {
        let splat = |x: f64| f64x8::splat(simd, x);
        let [ox, oy, oz] = [
            f64x8::load_array_ref(simd, &world.origin[0][half]),
            f64x8::load_array_ref(simd, &world.origin[1][half]),
            f64x8::load_array_ref(simd, &world.origin[2][half]),
        ];
        let d = [
            f64x8::load_array_ref(simd, &world.dir[0][half]),
            f64x8::load_array_ref(simd, &world.dir[1][half]),
            f64x8::load_array_ref(simd, &world.dir[2][half]),
        ];
        let [x, y, z] = self.translation();
        let at = [
            start.mul_add(d[0], ox - splat(x)),
            start.mul_add(d[1], oy - splat(y)),
            start.mul_add(d[2], oz - splat(z)),
        ];
        let scale = splat(f64::from(self.scale));
        [
            self.coordinate(simd, 0, at),
            self.coordinate(simd, 1, at),
            self.coordinate(simd, 2, at),
            self.coordinate(simd, 0, d) * scale,
            self.coordinate(simd, 1, d) * scale,
            self.coordinate(simd, 2, d) * scale,
        ]
    }
}

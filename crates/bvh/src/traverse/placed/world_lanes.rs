//! Rays of a world, one in each lane, in the numbers that their maps to what is placed there need.

use super::object_lanes::ObjectLanes;
use super::world_ray::WorldRay;
use crate::traverse::bundle::{LANES, Lanes, store};
use crate::wide::Measures;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, SimdWiden, f32x16, f64x4, f64x8, mask32x16};

/// A number of each ray, in two halves.
pub(super) type WideLanes = [[f64; LANES / 2]; 2];

/// Rays whose numbers are those of plain rays of a world; see [`WorldRay`].
pub(super) struct WorldLanes {
    pub(super) origin: [WideLanes; 3],
    pub(super) dir: [WideLanes; 3],
    pub(super) t_min: Lanes,
    pub(super) t_max: Lanes,
    /// Those of all rays together.
    pub(super) size: f32,
    pub(super) dir_size: f32,
    pub(super) origin_error: f32,
    pub(super) dir_error: f32,
}

impl WorldLanes {
    pub(super) fn new() -> Self {
        const NUMBERS: WideLanes = [[0.0; LANES / 2]; 2];
        WorldLanes {
            origin: [NUMBERS; 3],
            dir: [NUMBERS; 3],
            t_min: [0.0; LANES],
            t_max: [0.0; LANES],
            size: 0.0,
            dir_size: 0.0,
            origin_error: 0.0,
            dir_error: 0.0,
        }
    }

    /// Takes origins, directions and ends.
    #[inline(always)]
    pub(super) fn set<S: Simd>(&mut self, raw: [f32x16<S>; 8], tree: &Measures) {
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = raw;
        for (to, number) in self.origin.iter_mut().zip([ox, oy, oz]) {
            let (low, high) = number.widen();
            store_wide(to, low, high);
        }
        for (to, number) in self.dir.iter_mut().zip([dx, dy, dz]) {
            let (low, high) = number.widen();
            store_wide(to, low, high);
        }
        store(&mut self.t_min, t_min);
        store(&mut self.t_max, t_max);
        self.set_sizes(([ox, oy, oz], [dx, dy, dz]), tree, [0.0, 0.0]);
    }

    /// Takes rays that were mapped to this world, of which those given as bits matter. Their parameters are
    /// those of the kernels.
    #[inline(always)]
    pub(super) fn set_mapped<S: Simd>(
        &mut self,
        simd: S,
        (of, lanes): (&ObjectLanes<S>, u32),
        tree: &Measures,
    ) {
        let [low, high] = &of.wide;
        for axis in 0..3 {
            store_wide(&mut self.origin[axis], low[axis], high[axis]);
            store_wide(&mut self.dir[axis], low[3 + axis], high[3 + axis]);
        }
        store(&mut self.t_min, of.t_min);
        store(&mut self.t_max, of.t_max);
        let inside = mask32x16::from_bitmask(simd, lanes.into());
        let zero = f32x16::splat(simd, 0.0);
        let (o, d) = of.narrow;
        let each = |[x, y, z]: [f32x16<S>; 3]| {
            [
                inside.select(x, zero),
                inside.select(y, zero),
                inside.select(z, zero),
            ]
        };
        self.set_sizes((each(o), each(d)), tree, of.errors);
    }

    #[inline(always)]
    fn set_sizes<S: Simd>(
        &mut self,
        (origin, dir): ([f32x16<S>; 3], [f32x16<S>; 3]),
        tree: &Measures,
        [origin_error, dir_error]: [f32; 2],
    ) {
        self.size = 1.1 * (farthest(origin) + tree.reach);
        self.dir_size = farthest(dir);
        (self.origin_error, self.dir_error) = (origin_error, dir_error);
    }

    /// Returns the ray of a lane.
    #[inline(always)]
    pub(super) fn ray<S: Simd>(&self, simd: S, lane: usize) -> WorldRay<S> {
        let (half, place) = (lane / 8 % 2, lane % 8);
        let each =
            |of: &[WideLanes; 3]| [of[0][half][place], of[1][half][place], of[2][half][place]];
        let ([x, y, z], wide_dir) = (each(&self.origin), each(&self.dir));
        let [dx, dy, dz] = wide_dir;
        WorldRay {
            origin: f64x4::load_array_ref(simd, &[x, y, z, 0.0]),
            dir: f64x4::load_array_ref(simd, &[dx, dy, dz, 0.0]),
            wide_dir,
            t_min: self.t_min[lane % LANES],
            t_max: self.t_max[lane % LANES],
            size: self.size,
            dir_size: self.dir_size,
            origin_error: self.origin_error,
            dir_error: self.dir_error,
        }
    }
}

/// Returns the largest size of a coordinate.
#[inline(always)]
fn farthest<S: Simd>([x, y, z]: [f32x16<S>; 3]) -> f32 {
    x.abs().max(y.abs()).max(z.abs()).reduce_max()
}

#[inline(always)]
fn store_wide<S: Simd>(to: &mut WideLanes, low: f64x8<S>, high: f64x8<S>) {
    low.store_array(&mut to[0]);
    high.store_array(&mut to[1]);
}

//! Up to sixteen plain rays with the same octant, one in each lane.

use super::bundle_hull::Hull;
use super::ray_lanes::{LaneEnds, RayLanes, plain_lanes};
use super::ray_window::NumberedRay;
use super::{LANES, Lanes, load};
use crate::traverse::kernel_ray::grant_all;
use crate::traverse::prepare8::{OriginError, transposed};
use crate::wide::{Measures, WIDTH};
use arrayvec::ArrayVec;
use estoc_core::Ray;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x8, f32x16, mask32x16};

/// Rays, and their numbers.
pub struct Bundle<'r, R = Ray> {
    pub lanes: RayLanes,
    pub rays: ArrayVec<NumberedRay<'r, R>, LANES>,
    /// The rays that are plain, as bits.
    pub ready: u32,
}

impl<'r, R> Bundle<'r, R> {
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
}

impl Bundle<'_> {
    /// Prepares the rays for a tree that holds their triangles; see [`prepare_rows`].
    #[inline(always)]
    pub fn prepare<S: Simd>(&mut self, simd: S, tree: &Measures) -> [f32x16<S>; 8] {
        let all = self.all();
        let rows = (&self.rays[..], None);
        let lanes = (&mut self.lanes, all);
        let (raw, ready) = prepare_rows(simd, tree, lanes, rows, OriginError::NONE);
        self.ready = ready;
        raw
    }
}

/// Prepares the rays for a tree by these rows of numbers: of each ray its origin, its direction and its ends,
/// and apart a parameter up to which hits are certain, if that is not the end. There is at least one, and all
/// have the same octant. Returns the numbers, of those that are plain in all lanes, and which these are, as bits.
#[inline(always)]
pub(in crate::traverse) fn prepare_rows<S: Simd>(
    simd: S,
    tree: &Measures,
    (lanes, all): (&mut RayLanes, u32),
    (rows, certain): (&(impl Rows + ?Sized), Option<&Lanes>),
    error: OriginError,
) -> ([f32x16<S>; 8], u32) {
    let splat = |x: f32| f32x16::splat(simd, x);
    let mut raw = numbers(simd, rows);
    let [ox, oy, oz, dx, dy, dz, t_min, t_max] = raw;
    let fits = t_min.simd_ge(splat(0.0)) & t_min.simd_le(t_max);
    let ready_lanes =
        plain_lanes(simd, ([ox, oy, oz], [dx, dy, dz]), tree) & fits.to_bitmask() as u32 & all;
    if ready_lanes == 0 {
        return (raw, 0);
    }
    if ready_lanes != u32::MAX >> (32 - LANES) {
        // The other lanes have a copy of a plain ray.
        let row = rows.row(ready_lanes.trailing_zeros() as usize);
        let ready = mask32x16::from_bitmask(simd, ready_lanes.into());
        for (numbers, &number) in raw.iter_mut().zip(row) {
            *numbers = ready.select(*numbers, splat(number));
        }
    }
    let [ox, oy, oz, dx, dy, dz, t_min, t_max] = raw;
    let farthest = ox.abs().max(oy.abs()).max(oz.abs());
    let way = splat(tree.reach) + farthest;
    let least = t_min.simd_gt(splat(0.0)).select(t_min, splat(0.0));
    // The hull has the greatest limit of all rays, and of nothing else.
    let ready = mask32x16::from_bitmask(simd, ready_lanes.into());
    let limit = ready.select(grant_all(simd, t_max), splat(0.0));
    let ends = LaneEnds {
        least,
        t_min: least,
        t_max: match certain {
            None => t_max,
            Some(certain) => load(simd, certain),
        },
        limit,
    };
    let rays = ([ox, oy, oz], [dx, dy, dz]);
    let moved = error.all(simd, way);
    let slabs = lanes.set(simd, rays, ends, (way, moved));
    // All lanes have the same octant.
    lanes.boxes.set_near_faces(0);
    let most = match error.share == 0.0 {
        true => error.off,
        false => moved.reduce_max(),
    };
    lanes.hull = Hull::of(&slabs, most, least, limit);
    (raw, ready_lanes)
}

/// The numbers of rays, at least one.
pub(in crate::traverse) trait Rows {
    /// Returns those of a ray, or of the last if there are fewer.
    fn row(&self, lane: usize) -> &[f32; 8];
}

impl Rows for [NumberedRay<'_>] {
    #[inline(always)]
    fn row(&self, lane: usize) -> &[f32; 8] {
        self[lane.min(self.len() - 1)].1.ray().as_array()
    }
}

impl Rows for [[f32; 8]; LANES] {
    #[inline(always)]
    fn row(&self, lane: usize) -> &[f32; 8] {
        &self[lane % LANES]
    }
}

/// Returns origins, directions and ends. Lanes without a ray have a copy of the last.
#[inline(always)]
fn numbers<S: Simd>(simd: S, rows: &(impl Rows + ?Sized)) -> [f32x16<S>; 8] {
    let low = eight_rays(simd, rows, 0);
    let high = eight_rays(simd, rows, WIDTH);
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
fn eight_rays<S: Simd>(simd: S, rows: &(impl Rows + ?Sized), first: usize) -> [f32x8<S>; 8] {
    transposed(
        simd,
        [
            f32x8::load_array_ref(simd, rows.row(first)),
            f32x8::load_array_ref(simd, rows.row(first + 1)),
            f32x8::load_array_ref(simd, rows.row(first + 2)),
            f32x8::load_array_ref(simd, rows.row(first + 3)),
            f32x8::load_array_ref(simd, rows.row(first + 4)),
            f32x8::load_array_ref(simd, rows.row(first + 5)),
            f32x8::load_array_ref(simd, rows.row(first + 6)),
            f32x8::load_array_ref(simd, rows.row(first + 7)),
        ],
    )
}

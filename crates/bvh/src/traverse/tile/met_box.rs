//! The groups and rays of a tile that meet the box of a child.
//!
//! A box is met by the hull of all rays (`tile_hull.rs`) between two parameters, which enclose those
//! of all hits in it. Between them and its own ends, a group of whole slopes from `down` to `up` and
//! of offsets from `low` to `high` reaches from the least of two sums `low + down Z` to the greatest
//! of two sums `high + up Z`, and misses the box if one of its faces, less the origin, lies beyond.
//! The same holds for each ray. Let u = 2^-24, Z be at most `far`, and C the greatest offset. Whole
//! slopes, at most 1.5, are off by u of themselves, products and sums have a rounding each, offsets
//! are off by u of themselves and the tile's slack, and a face less the origin by u of itself.
//! Together that is less than `5u far + 3u C + u |x| + slack`; the margin of a face is
//! `8u (far + C + |x|) + slack`, and what boxes are off, at least 2^-126, which covers what underflows.
//!
//! Without offsets, a product is off by u of itself, as is the difference, and a ray's own whole
//! slope by another u, or `3u` for rays in `f64`: `8u` of the difference cover them, since a product of the sign of
//! the face is no larger if the box is met.

use super::ray_rows::{GROUP, RayRow, load};
use super::tile_beam::TileBeam;
use super::tile_rays::TileRays;
use crate::traverse::kernel_ray::U;
use crate::wide::{Node, WIDTH};
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, f32x16, mask32x16};

/// A child's box, as far as the tile meets it.
#[derive(Clone, Copy)]
pub struct MetBox {
    /// Bounds of the parameters of hits in it.
    near: f32,
    far: f32,
    /// Its faces across, less the origin.
    low: [f32; 2],
    high: [f32; 2],
    /// By how much farther out they are for groups.
    margin: f32,
}

/// The rays of a tile that meet a box.
pub struct Met {
    /// Groups, as bits.
    pub groups: u32,
    /// The number of rays, of groups of which rays were tested.
    pub number: u32,
    /// The number of groups of which rays were tested.
    pub tested: u32,
}

/// A line for each of sixteen groups or rays: slopes and offsets.
type LineRows<'r> = (&'r RayRow, &'r RayRow);

impl MetBox {
    /// Returns the box of a node's child, up to a Z.
    #[inline(always)]
    pub fn of<const SHARED: bool>(beam: &TileBeam, node: &Node, lane: usize, limit: f32) -> Self {
        let lane = lane % WIDTH;
        let frame = &beam.frame;
        let [x, y, z] = frame.axes;
        let (near, far) = beam.planes.depth(node, lane, z);
        let far = if far < limit { far } else { limit };
        let widest = beam.widest[2].max(beam.widest[3]);
        let pad = match SHARED {
            true => beam.off_boxes,
            false => (far.abs() + widest) * (8.0 * U) + beam.slack + beam.off_boxes,
        };
        let [low_x, high_x] = faces(node, lane, x, frame.origin[0], pad);
        let [low_y, high_y] = faces(node, lane, y, frame.origin[1], pad);
        MetBox {
            near: if near > 0.0 { near } else { 0.0 },
            far,
            low: [low_x, low_y],
            high: [high_x, high_y],
            margin: beam.margin,
        }
    }

    /// Returns which groups may meet the box between their ends, as bits.
    #[inline(always)]
    pub fn groups<S: Simd, const SHARED: bool>(&self, simd: S, rays: &TileRays) -> u32 {
        let hulls = &rays.hulls;
        let (first, last) = (&hulls.first, &hulls.last);
        let (ends, are_there) = self.ends::<S, SHARED>(simd, first, last);
        let [[down, up], [low, high]] = [&hulls.slope[0], &hulls.offset[0]];
        let margin = (!SHARED).then_some(self.margin);
        let x = self.meets::<S, SHARED>(simd, (0, margin), ends, (down, low), (up, high));
        let [[down, up], [low, high]] = [&hulls.slope[1], &hulls.offset[1]];
        let y = self.meets::<S, SHARED>(simd, (1, margin), ends, (down, low), (up, high));
        (x & y & are_there).to_bitmask() as u32
    }

    /// Returns which rays of a group may meet the box between their ends, as bits.
    #[inline(always)]
    pub fn rays<S: Simd, const SHARED: bool>(&self, simd: S, rays: &TileRays, group: usize) -> u32 {
        let group = group % GROUP;
        let (first, last) = (&rays.first[0][group], &rays.last[1][group]);
        let (ends, are_there) = self.ends::<S, SHARED>(simd, first, last);
        let line = (&rays.whole[0][group], &rays.numbers[2][group]);
        let x = self.meets::<S, SHARED>(simd, (0, None), ends, line, line);
        let line = (&rays.whole[1][group], &rays.numbers[3][group]);
        let y = self.meets::<S, SHARED>(simd, (1, None), ends, line, line);
        (x & y & are_there).to_bitmask() as u32 & rays.alive::<SHARED>(group)
    }

    /// Returns between which Z rays may meet the box, and which do at all, given their ends.
    #[inline(always)]
    fn ends<S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        first: &RayRow,
        last: &RayRow,
    ) -> ((f32x16<S>, f32x16<S>), mask32x16<S>) {
        let (near, far) = (
            f32x16::splat(simd, self.near),
            f32x16::splat(simd, self.far),
        );
        if SHARED {
            // The last end is `-1 / Z`, or infinite in lanes that need nothing more.
            let latest = f32x16::splat(simd, -1.0 - 4.0 * U);
            return ((near, far), (near * load(simd, last)).simd_ge(latest));
        }
        let (near, far) = (near.max(load(simd, first)), far.min(load(simd, last)));
        ((near, far), near.simd_le(far))
    }

    /// Returns where lines meet the slab of an axis between these ends, given the lines below them
    /// and above.
    #[inline(always)]
    fn meets<S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        (i, margin): (usize, Option<f32>),
        (near, far): (f32x16<S>, f32x16<S>),
        below: LineRows<'_>,
        above: LineRows<'_>,
    ) -> mask32x16<S> {
        let least = at::<S, SHARED>(simd, below, near).min(at::<S, SHARED>(simd, below, far));
        let most = at::<S, SHARED>(simd, above, near).max(at::<S, SHARED>(simd, above, far));
        let (low, high) = match margin {
            None => (self.low[i], self.high[i]),
            Some(margin) => (self.low[i] - margin, self.high[i] + margin),
        };
        least.simd_le(f32x16::splat(simd, high)) & most.simd_ge(f32x16::splat(simd, low))
    }

    /// Returns which groups may meet the box between their ends, and unless they are more than `most`
    /// writes which rays of each of these may.
    #[inline(always)]
    pub fn met<S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        rays: &TileRays,
        most: u32,
        lanes: &mut [u32; GROUP],
    ) -> Met {
        let groups = self.groups::<S, SHARED>(simd, rays);
        let mut met = Met {
            groups,
            number: 0,
            tested: groups.count_ones(),
        };
        if groups.count_ones() > most {
            met.tested = 0;
            return met;
        }
        let mut left = met.groups;
        while left != 0 {
            let group = left.trailing_zeros() as usize % GROUP;
            left &= left - 1;
            lanes[group] = self.rays::<S, SHARED>(simd, rays, group);
            met.groups &= !(u32::from(lanes[group] == 0) << group);
            met.number += lanes[group].count_ones();
        }
        met
    }
}

/// Returns where lines are at a Z.
#[inline(always)]
fn at<S: Simd, const SHARED: bool>(
    simd: S,
    (slope, offset): LineRows<'_>,
    place: f32x16<S>,
) -> f32x16<S> {
    match SHARED {
        true => load(simd, slope) * place,
        false => load(simd, slope).mul_add(place, load(simd, offset)),
    }
}

/// Returns the low and the high face of a child along an axis, less the origin, and farther out by
/// what the errors of their comparison may amount to.
#[inline(always)]
fn faces(node: &Node, lane: usize, axis: usize, origin: f32, pad: f32) -> [f32; 2] {
    let [low, high] = &node.faces[axis];
    let (low, high) = (low[lane] - origin, high[lane] - origin);
    let error = |face: f32| face.abs() * (8.0 * U) + pad;
    [low - error(low), high + error(high)]
}

//! The rays of a tile for any hit, group by group, and the hulls of groups.
//!
//! # The frame
//! A ray hits something between its ends, whichever way it goes. So the frame begins at the plane
//! near which the rays lie closer together: where they start, or where they end, as those towards
//! a lamp do. Then the frame goes against the rays. As in `beam_rays.rs`, coordinates are the
//! mesh's own and exact, z is the axis along which rays go, and `Z` is how far a point lies in front
//! of the plane through the frame's origin, behind which no ray has a part. A ray is the line
//! `(x, y) = origin + offset + (middle + slope) Z`, where the origin and the slopes of the middle
//! are the tile's, and `f32`s.
//!
//! # Numbers of a ray
//! Let v = 2^-53 and u = 2^-24, and way the sum of the tree's reach and of the largest coordinate of
//! any ray's ends, as far as they matter; no coordinate of the frame's origin is greater. A whole
//! slope is at most 1.5. In `f64` it is the product of a coordinate and of an inverse, off by
//! `3v` in total, and less the middle's by `3v + v`. An offset is `(o - O) + slope (Oz - oz)`: the
//! two differences are off by v of themselves, at most `2 v way`, and the product by
//! `2 way * (3v + 1.5 * 2v)`, the sum by `5 v way`. So an offset is off by less than `20 v way`
//! and its rounding to `f32`, u of itself, and a slope by less than `5v` and u of itself. A moment
//! has three roundings, and factors that are off: `5u` of the two products' sizes.
//!
//! # Ends
//! `start + t |dz|` has two roundings and that of `start`. The exact values lie within `8u` of each
//! term, and 2^-126. Products are limited to 2^125: a ray that is longer has no hit behind that.
//!
//! # Hulls
//! Towards a lamp rays converge, so the ranges of their offsets and of their slopes together would
//! tell little. Between two planes across, at `a` and `b`, the hull of a group is bounded by the
//! lines through the least positions in both, and through the greatest. Let C be the greatest
//! offset, `a >= 0`, and u = 2^-24. A position `offset + slope b` is off by u C for the offset,
//! `1.5u b` for the whole slope, as much for the product, and `u (1.5 b + C)` for the sum. A line's
//! slope is at most 1.5, or 1.6 with errors, as the planes are at least `2^-16 (b + C)` apart;
//! otherwise there are no lines. Its offset is at most `C + b`, since its slope lies between those
//! of rays, errors aside. It has three roundings, `4.8u b` between the planes, and the line's
//! offset two, `3.2u b + 2u C`. The value at a place has two, `3.2u b + u C`. In total that is less
//! than `16u b + 6u C`, where the margin of groups has `24u (b + C)`.

use super::super::beam::Frame;
use super::super::ray_arrays::ASIDE;
use super::super::tile::tile_rays::{GROUP, Row, Rows, sixteen, transposed};
use super::any_begin::{Begin, LONGEST, Ranges, SLOPE, begin, middle, width};
use super::any_hull::AnyHull;
use super::any_lines::{Line, NARROWEST, between, by_slopes};
use super::group_hulls::GroupHulls;
use super::tile_skips::TileSkips;
use crate::traverse::kernel_ray::{SPREAD, U};
use crate::wide::{Axis, WideTree};
use bytemuck::Zeroable;
use estoc_core::InlineMap;
use estoc_core::Ray;
use fearless_simd::{
    Select, Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x16, f64x8, mask32x16,
};

/// Slopes that differ by more than this have too little in common.
const WIDEST: f32 = 1.0;
/// So have rays that lie farther apart than this part of the tree's reach, where the frame begins.
const FARTHEST: f32 = 0.1;
/// Fewer rays do not form a tile.
const FEWEST: usize = 16;
/// The numbers by which rays differ: slopes, offsets, moment.
pub const NUMBERS: usize = 5;

/// The rays of a tile.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct AnyRays {
    /// Origins, directions and ends.
    raw: [Rows; 8],
    /// Whole slopes.
    pub whole: [Rows; 2],
    /// Slopes less those of the middle; positions in the plane of the frame's origin, less that;
    /// and `offset_x * slope_y - offset_y * slope_x`.
    pub numbers: [Rows; NUMBERS],
    /// Lower and upper bounds of the ends.
    pub first: [Rows; 2],
    pub last: [Rows; 2],
    /// By group, the lanes whose rays belong to the tile, as bits.
    pub fitting: [u32; GROUP],
    /// By group, the lanes of these without a hit so far.
    pub alive: [u32; GROUP],
    pub hulls: GroupHulls,
    pub skips: TileSkips,
}

/// What all rays of a tile have in common.
pub struct AnyBeam {
    pub frame: Frame,
    /// The axes of the frame.
    pub axes: [Axis; 3],
    /// The slopes of the middle.
    pub slope: [f32; 2],
    /// The largest absolute values of numbers, of which the moment's is an upper bound.
    pub widest: [f32; NUMBERS],
    /// The bound of the errors that are not relative ones; see `any_triangles.rs`.
    pub slack: f32,
    pub planes: AnyHull,
    /// The greatest last end, or the end of the tree.
    pub limit: f32,
    /// The margin of groups.
    pub margin: f32,
}

impl AnyRays {
    pub fn new() -> Self {
        const ROWS: Rows = [[0.0; GROUP]; GROUP];
        AnyRays {
            raw: [ROWS; 8],
            whole: [ROWS; 2],
            numbers: [ROWS; NUMBERS],
            first: [ROWS; 2],
            last: [ROWS; 2],
            fitting: [0; GROUP],
            alive: [0; GROUP],
            hulls: GroupHulls::zeroed(),
            skips: TileSkips::none(),
        }
    }

    /// Takes the rays, at most 256. Returns `None` if they have too little in common.
    #[inline(always)]
    pub fn take<S: Simd>(&mut self, simd: S, rays: &[Ray], tree: &WideTree) -> Option<AnyBeam> {
        let place = rays.len() / 2;
        let center = rays.get(place)?;
        if rays.len() < FEWEST {
            return None;
        }
        let dir = center.dir.to_array();
        let mut z = if dir[1].abs() > dir[0].abs() { 1 } else { 0 };
        if dir[2].abs() > dir[z].abs() {
            z = 2;
        }
        let forward = 1f32.copysign(dir[z]);
        let axes = [(z + 1) % 3, (z + 2) % 3, z];
        self.fitting = [0; GROUP];
        let mut ranges = Ranges::new(simd);
        let mut fitting = 0;
        for (group, rays) in rays.chunks(GROUP).enumerate() {
            let fits = self.read(
                simd,
                group % GROUP,
                rays,
                center,
                axes,
                forward,
                tree,
                &mut ranges,
            );
            fitting += fits.count_ones() as usize;
        }
        let center_fits = self.fitting[place / GROUP % GROUP] >> (place % GROUP) & 1 == 1;
        if !center_fits || fitting * 2 < rays.len() {
            return None;
        }
        let slopes = [ranges.of(SLOPE), ranges.of(SLOPE + 1)];
        let are_similar = width(slopes[0]).max(width(slopes[1])) <= WIDEST;
        if !are_similar {
            return None;
        }
        let begin = begin(&ranges, forward, tree);
        let sign = if begin.is_reversed { -1.0 } else { 1.0 };
        let frame = Frame {
            axes,
            forward: forward * sign,
            origin: begin.origin,
            is_shared: false,
            apart: 0.0,
        };
        let slope = [middle(slopes[0]) * sign, middle(slopes[1]) * sign];
        let groups = rays.len().div_ceil(GROUP).min(GROUP);
        let zero = sixteen(simd, 0.0);
        let mut sizes = [zero; 4];
        let end = begin.way * (1.0 + 16.0 * U);
        for group in 0..groups {
            self.set_numbers(simd, group, &frame, slope, sign, &mut sizes);
            self.set_ends(simd, group, &frame, sign);
            for i in 0..2 {
                let rows = (&self.whole[i][group], &self.numbers[2 + i][group]);
                self.hulls.set_lines(simd, group, i, rows, end);
            }
        }
        for group in groups..GROUP {
            self.alive[group] = 0;
            self.hulls.end(group);
        }
        self.beam(simd, groups, frame, slope, &begin, sizes, tree)
    }

    /// Reads the rays of a group, and returns the lanes of those that fit, as bits. The others get
    /// the numbers of the middle ray.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "a part of the function above, compiled with it"
    )]
    fn read<S: Simd>(
        &mut self,
        simd: S,
        group: usize,
        rays: &[Ray],
        center: &Ray,
        axes: [usize; 3],
        forward: f32,
        tree: &WideTree,
        ranges: &mut Ranges<S>,
    ) -> u32 {
        let mut filled = [*center; GROUP];
        let there = u32::MAX >> (32 - rays.len());
        let numbers: &[[f32; GROUP]] = if rays.len() == GROUP {
            bytemuck::cast_slice(rays)
        } else {
            filled[..rays.len()].copy_from_slice(rays);
            bytemuck::cast_slice(&filled)
        };
        let mut numbers = transposed(simd, numbers);
        let [ox, oy, oz, dx, dy, dz, from, to] = numbers;
        let dir = [dx, dy, dz];
        let along = dir[axes[2]] * sixteen(simd, forward);
        let aside = along * sixteen(simd, ASIDE);
        let plain = sixteen(simd, tree.measures.plain);
        // No NaN passes a comparison.
        let fits = ox.abs().simd_le(plain)
            & oy.abs().simd_le(plain)
            & oz.abs().simd_le(plain)
            & along.simd_ge(sixteen(simd, 1.0 / SPREAD))
            & along.simd_le(sixteen(simd, SPREAD))
            & dir[axes[0]].abs().simd_le(aside)
            & dir[axes[1]].abs().simd_le(aside)
            & from.simd_ge(sixteen(simd, 0.0))
            & from.simd_le(to);
        let bits = fits.to_bitmask() as u32 & there;
        if bits != 0xffff {
            let fits = mask32x16::from_bitmask(simd, bits.into());
            for (numbers, &number) in numbers.iter_mut().zip(center.as_array()) {
                *numbers = fits.select(*numbers, sixteen(simd, number));
            }
        }
        let [ox, oy, oz, dx, dy, dz, from, to] = numbers;
        let (origin, dir) = ([ox, oy, oz], [dx, dy, dz]);
        let forward = sixteen(simd, forward);
        let [x, y, z] = axes;
        let along = dir[z] * forward;
        ranges.take([
            origin[x],
            origin[y],
            origin[z] * forward,
            dir[x].mul_add(to, origin[x]),
            dir[y].mul_add(to, origin[y]),
            along.mul_add(to, origin[z] * forward),
            dir[x] / along,
            dir[y] / along,
            to,
        ]);
        ranges.farthest = ranges.farthest.max(ox.abs()).max(oy.abs()).max(oz.abs());
        ox.store_array(&mut self.raw[0][group]);
        oy.store_array(&mut self.raw[1][group]);
        oz.store_array(&mut self.raw[2][group]);
        dx.store_array(&mut self.raw[3][group]);
        dy.store_array(&mut self.raw[4][group]);
        dz.store_array(&mut self.raw[5][group]);
        from.store_array(&mut self.raw[6][group]);
        to.store_array(&mut self.raw[7][group]);
        self.fitting[group] = bits;
        self.alive[group] = bits;
        bits
    }

    /// Sets slopes, offsets and moments of a group.
    #[inline(always)]
    fn set_numbers<S: Simd>(
        &mut self,
        simd: S,
        group: usize,
        frame: &Frame,
        slope: [f32; 2],
        sign: f32,
        sizes: &mut [f32x16<S>; 4],
    ) {
        let [x, y, z] = frame.axes;
        let (z0, z1) = load(simd, &self.raw[z + 3][group]).abs().widen();
        let (inverse0, inverse1) = (wide(simd, sign) / z0, wide(simd, sign) / z1);
        let (z0, z1) = load(simd, &self.raw[z][group]).widen();
        let forward = wide(simd, frame.forward);
        let back0 = (wide(simd, frame.origin[2]) - z0) * forward;
        let back1 = (wide(simd, frame.origin[2]) - z1) * forward;
        let start = (-back0).narrow(-back1);
        start.store_array(&mut self.first[0][group]);
        for (i, axis) in [x, y].into_iter().enumerate() {
            let (x0, x1) = load(simd, &self.raw[axis + 3][group]).widen();
            let (slope0, slope1) = (x0 * inverse0, x1 * inverse1);
            let whole = slope0.narrow(slope1);
            let m = wide(simd, slope[i]);
            let aside = (slope0 - m).narrow(slope1 - m);
            let (x0, x1) = load(simd, &self.raw[axis][group]).widen();
            let o = wide(simd, frame.origin[i]);
            let offset0 = slope0.mul_add(back0, x0 - o);
            let offset1 = slope1.mul_add(back1, x1 - o);
            let offset = offset0.narrow(offset1);
            whole.store_array(&mut self.whole[i][group]);
            aside.store_array(&mut self.numbers[i][group]);
            offset.store_array(&mut self.numbers[2 + i][group]);
            sizes[i] = sizes[i].max(aside.abs());
            sizes[2 + i] = sizes[2 + i].max(offset.abs());
        }
        let [sx, sy, ox, oy, _] = &self.numbers;
        let (sx, sy) = (load(simd, &sx[group]), load(simd, &sy[group]));
        let (ox, oy) = (load(simd, &ox[group]), load(simd, &oy[group]));
        (ox * sy - oy * sx).store_array(&mut self.numbers[4][group]);
    }

    /// Sets the ends of a group.
    #[inline(always)]
    fn set_ends<S: Simd>(&mut self, simd: S, group: usize, frame: &Frame, sign: f32) {
        let along = load(simd, &self.raw[frame.axes[2] + 3][group]).abs();
        let start = load(simd, &self.first[0][group]);
        let longest = sixteen(simd, LONGEST);
        let from = load(simd, &self.raw[6][group]) * along;
        let to = load(simd, &self.raw[7][group]) * along;
        let (from, to) = (from.min(longest), to.min(longest));
        let (from, to) = match sign < 0.0 {
            true => (-to, -from),
            false => (from, to),
        };
        let tiny = sixteen(simd, f32::MIN_POSITIVE);
        let relative = sixteen(simd, 8.0 * U);
        let off = start.abs().mul_add(relative, tiny);
        let infinity = sixteen(simd, f32::INFINITY);
        let fits = mask32x16::from_bitmask(simd, self.fitting[group].into());
        let pad = from.abs().mul_add(relative, off);
        let (low, high) = (start + from - pad, start + from + pad);
        let low = fits.select(low, infinity);
        low.store_array(&mut self.first[0][group]);
        high.store_array(&mut self.first[1][group]);
        self.hulls.first[group] = low.reduce_min();
        self.hulls.inner_first[group] = fits.select(high, -infinity).reduce_max();
        let pad = to.abs().mul_add(relative, off);
        let (low, high) = (start + to - pad, start + to + pad);
        low.store_array(&mut self.last[0][group]);
        let high = fits.select(high, -infinity);
        high.store_array(&mut self.last[1][group]);
        self.hulls.last[group] = high.reduce_max();
        self.hulls.inner_last[group] = fits.select(low, infinity).reduce_min();
    }

    /// Returns what the rays have in common; `None` if that is too little.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "a part of the function above, compiled with it"
    )]
    fn beam<S: Simd>(
        &self,
        simd: S,
        groups: usize,
        frame: Frame,
        slope: [f32; 2],
        begin: &Begin,
        sizes: [f32x16<S>; 4],
        tree: &WideTree,
    ) -> Option<AnyBeam> {
        let [sx, sy, ox, oy] = sizes;
        let (sx, sy) = (sx.reduce_max(), sy.reduce_max());
        let (ox, oy) = (ox.reduce_max(), oy.reduce_max());
        let widest = ox.max(oy);
        let are_close = widest <= FARTHEST * tree.measures.reach;
        if !are_close {
            return None;
        }
        let moment = (ox * sy + oy * sx) * (1.0 + 4.0 * U);
        let slack = begin.way * f32::from_bits((127 - 47) << 23);
        let end = begin.way * (1.0 + 16.0 * U);
        let first = load(simd, &self.hulls.first).reduce_min().max(0.0);
        let last = load(simd, &self.hulls.last).reduce_max().min(end);
        let margin = (last + widest) * (24.0 * U);
        let places = slack + f32::MIN_POSITIVE + (begin.farthest + widest) * (4.0 * U);
        // Rays without an end are bounded by their slopes, so that no margin depends on the size of
        // the tree.
        let is_long = !begin.is_reversed && last >= end;
        let is_short = last - first < NARROWEST * (last + widest);
        if is_short && !is_long {
            return None;
        }
        let mut bounds = [[Line::default(); 2]; 2];
        for (i, bounds) in bounds.iter_mut().enumerate() {
            let moved = if is_long { places } else { places + margin };
            let groups = groups.min(GROUP);
            let rows = (&self.whole[i][..groups], &self.numbers[2 + i][..groups]);
            let [below, above] = match is_long {
                true => by_slopes(simd, rows),
                false => between(simd, rows, (first, last)),
            };
            *bounds = [
                Line {
                    offset: below.offset + frame.origin[i] - moved,
                    ..below
                },
                Line {
                    offset: above.offset + frame.origin[i] + moved,
                    ..above
                },
            ];
        }
        const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
        Some(AnyBeam {
            axes: frame.axes.inline_map(|axis| AXES[axis]),
            planes: AnyHull::of(&frame, bounds),
            frame,
            slope,
            widest: [sx, sy, ox, oy, moment],
            slack,
            limit: last,
            margin,
        })
    }
}

#[inline(always)]
fn wide<S: Simd>(simd: S, x: f32) -> f64x8<S> {
    f64x8::splat(simd, f64::from(x))
}

#[inline(always)]
pub fn load<S: Simd>(simd: S, row: &Row) -> f32x16<S> {
    f32x16::load_array_ref(simd, row)
}

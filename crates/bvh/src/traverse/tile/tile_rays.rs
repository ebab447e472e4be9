//! The rays of a tile, group by group.
//!
//! # The frame
//! All rays are in the mesh's own frame (`kernel_ray.rs`), with exact coordinates, or in `f64` in
//! that of a mesh in `f64` (see the end). The axis along
//! which they go is called z, and `Z` is how far a point lies in front of the plane through the
//! frame's origin, behind which no ray has a part. A ray is the line
//! `(x, y) = origin + offset + (middle + slope) Z`, where the origin and the slopes of the middle
//! are the tile's, and `f32`s.
//!
//! Rays that start at one point have it as their frame's origin, and no offsets. For any hit of
//! others, it does not matter which way a ray goes: the frame begins at the plane near which the
//! rays lie closer together: where they start, or where they end, as those towards a lamp do. Then
//! the frame goes against the rays.
//!
//! # The parameter
//! Ends and hits are ordered by Z. Those of rays from one point are ordered by `-1 / Z`, which is in
//! the same order, and linear in the slopes for each triangle (`tile_triangles.rs`).
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
//! Of rays from one point, a whole slope is the quotient of two coordinates, off by u of itself. A
//! slope is `dx - middle |dz|`, in `f64`, where the product of two `f32`s is exact, then rounded to
//! `f32` and divided: off by little more than `2u` of itself. What underflows is at most 2^-141, as
//! |dz| is at least 2^-9; within the tree that is negligible beside the slack.
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
//!
//! The least and the greatest whole slope of a group of rays from one point are sums of the middle's
//! and of a slope that is off by `2u`, with one rounding, so `4u` of both covers them. The slopes of
//! a group are within `radius` of its middle, exactly as they are stored: the two differences have a
//! rounding each, which `2u` covers.
//!
//! # Rays in `f64`
//! They and the corners are taken to the frame of a mesh in `f64`: each coordinate of an origin and of
//! a corner has one rounding there, of at most `v way`. So the differences above are off by `3v way`,
//! an offset by less than `23 v way`, and a start by less than `4v way` besides its rounding to `f32`
//! (`TileBeam::off`). Slopes are off by `5v` for rays from one point, too. Whole slopes of these are
//! quotients of coordinates that are rounded to `f32`: off by `3u` of themselves, at most `4.5u`, where
//! hulls grant `8u`, and tests of a single ray `8u` of the difference (`met_box.rs`). Ends along the
//! axis are products in `f64`, rounded once. The starts and ends by which a frame begins are rounded,
//! too, so its plane lies farther back by `8u` of the farthest.
//!
//! Boxes of the tree contain the corners as they are rounded to `f32`. How far the true ones are off
//! from these, and the origin of rays from one point from what it is rounded to for boxes, is in what
//! box tests grant (`TileBeam::off_boxes`).

use super::group_hulls::GroupHulls;
use super::raw_rays::RawRays;
use super::ray_rows::{GROUP, RayRows, load, sixteen, wide};
use super::tile_beam::TileBeam;
use super::tile_frame::{Begin, Frame, Ranges, middle, width};
use super::tile_number::TileNumber;
use super::tile_ray::TileRay;
use super::tile_skips::TileSkips;
use crate::traverse::kernel_ray::{SPREAD, U};
use crate::wide::Measures;
use bytemuck::Zeroable;
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, f32x16, f64x8};

/// The largest slope of a ray, relative to the tile's axis.
const ASIDE: f32 = 1.5;
/// Slopes that differ by more than this have too little in common.
const WIDEST: f32 = 1.0;
/// 2^-60: the least end along the axis of a ray from a point that others start at.
const SHORTEST: f32 = f32::from_bits((127 - 60) << 23);
/// Fewer rays do not form a tile.
const FEWEST: usize = 16;
/// The numbers by which rays differ: slopes, offsets, moment.
pub const NUMBERS: usize = 5;

/// The rays of a tile.
///
/// Rows are aligned to the lines of caches. Those that a test of triangles writes (`last`, `entry`) are
/// not a multiple of 4 KiB apart from those that the next one reads (slopes of `numbers`), which a
/// processor would take for the same at first.
#[derive(Clone, Zeroable)]
#[repr(C, align(64))]
pub struct TileRays {
    /// Lower and upper bounds of the last ends; see `first`.
    pub last: [RayRows; 2],
    /// Slopes less those of the middle; positions in the plane of the frame's origin, less that;
    /// and `offset_x * slope_y - offset_y * slope_x`. Only slopes are set for rays from one point.
    pub numbers: [RayRows; NUMBERS],
    /// Lower and upper bounds of the first ends. Where first hits are wanted, the last end is the first
    /// hit so far, and `-inf` in lanes that need nothing more.
    pub first: [RayRows; 2],
    /// The number of the first hit so far in the table of triangles, from 1, or 0.
    pub entry: [[u32; GROUP]; GROUP],
    /// Whole slopes.
    pub whole: [RayRows; 2],
    /// By group, the lanes whose rays belong to the tile, as bits.
    pub fitting: [u32; GROUP],
    /// By group, the lanes of these for which any hit is wanted and was not found so far; of first
    /// hits, all.
    pub alive: [u32; GROUP],
    /// By group, the lanes with two hits so close to each other that they have to be traced alone.
    pub alone: [u32; GROUP],
    pub hulls: GroupHulls,
    pub skips: TileSkips,
}

impl TileRays {
    /// Takes the rays, at most 256, to the space of a tree. Returns `None` if they have too little in common. If the
    /// origin is `SHARED`, those that fit start where the middle one does.
    #[inline(always)]
    pub fn take<S: Simd, R: TileRay, const SHARED: bool, const ANY: bool>(
        &mut self,
        simd: S,
        (raw, rays): (&mut RawRays<R::Number>, &[R]),
        (measures, space): (&Measures, &R::Frame),
    ) -> Option<TileBeam> {
        let place = rays.len() / 2;
        let filler = rays.get(place)?;
        let center = filler.framed_one(space);
        let [x, y, z, dx, dy, dz, ..] = center.inline_map(R::Number::into);
        let (origin, dir): ([f64; 3], [f64; 3]) = ([x, y, z], [dx, dy, dz]);
        let is_near = origin.iter().all(|x| x.abs() <= f64::from(measures.plain));
        if rays.len() < FEWEST || !is_near {
            return None;
        }
        let mut z = if dir[1].abs() > dir[0].abs() { 1 } else { 0 };
        if dir[2].abs() > dir[z].abs() {
            z = 2;
        }
        let forward = 1f64.copysign(dir[z]) as f32;
        let axes = [(z + 1) % 3, (z + 2) % 3, z];
        raw.origin = [center[0], center[1], center[2]];
        self.fitting = [0; GROUP];
        self.alone = [0; GROUP];
        let mut ranges = Ranges::new(simd);
        let mut fitting = 0;
        for (group, rays) in rays.chunks(GROUP).enumerate() {
            let fits = self.read::<S, R, SHARED>(
                simd,
                group % GROUP,
                (raw, rays, filler),
                &center,
                (axes, forward),
                (measures, space),
                &mut ranges,
            );
            fitting += fits.count_ones() as usize;
        }
        let center_fits = self.fitting[place / GROUP % GROUP] >> (place % GROUP) & 1 == 1;
        if !center_fits || fitting * 2 < rays.len() {
            return None;
        }
        let slopes = [ranges.slope[0].ends(), ranges.slope[1].ends()];
        let are_similar = width(slopes[0]).max(width(slopes[1])) <= WIDEST;
        if !are_similar {
            return None;
        }
        let begin = match SHARED {
            true => Begin::at(axes.inline_map(|axis| origin[axis]), measures),
            false => Begin::of::<S, ANY>(&ranges, forward, measures, R::IS_FRAMED),
        };
        let sign = if begin.is_reversed { -1.0 } else { 1.0 };
        let frame = Frame {
            axes,
            forward: forward * sign,
            origin: begin.origin.inline_map(|x: f64| x as f32),
            exact: begin.origin,
        };
        let slope = [middle(slopes[0]) * sign, middle(slopes[1]) * sign];
        let groups = rays.len().div_ceil(GROUP).min(GROUP);
        let mut sizes = [sixteen(simd, 0.0); 4];
        let end = begin.way * (1.0 + 16.0 * U);
        let errors = R::errors(space);
        for group in 0..groups {
            self.set_numbers::<S, R, SHARED>(simd, (raw, group), &frame, slope, sign, &mut sizes);
            if SHARED {
                continue;
            }
            self.set_ends(simd, (raw, group), &frame, sign, begin.way * errors.share);
            for i in 0..2 {
                let rows = (&self.whole[i][group], &self.numbers[2 + i][group]);
                self.hulls.set_lines(simd, group, i, rows, end);
            }
        }
        for group in groups..GROUP {
            self.alive[group] = 0;
            self.hulls.end(group);
        }
        let parts = (frame, slope, &begin, sizes, errors);
        if SHARED {
            let has_starts = ranges.t_min.reduce_max() > 0.0;
            return Some(TileBeam::of_point(
                simd, self, groups, parts, slopes, has_starts,
            ));
        }
        TileBeam::of_points(simd, self, groups, parts, measures)
    }

    /// Reads the rays of a group, and returns the lanes of those that fit, as bits. The others get
    /// the numbers of the middle ray.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "a part of the function above, compiled with it"
    )]
    fn read<S: Simd, R: TileRay, const SHARED: bool>(
        &mut self,
        simd: S,
        group: usize,
        (raw, rays, filler): (&mut RawRays<R::Number>, &[R], &R),
        center: &[R::Number; 8],
        ([x, y, z], forward): ([usize; 3], f32),
        (measures, space): (&Measures, &R::Frame),
        ranges: &mut Ranges<S>,
    ) -> u32 {
        let there = u32::MAX >> (32 - rays.len());
        let mut filled;
        let numbers: &[[R::Number; 8]] = if rays.len() == GROUP {
            bytemuck::cast_slice(rays)
        } else {
            filled = [*filler; GROUP];
            filled[..rays.len()].copy_from_slice(rays);
            bytemuck::cast_slice(&filled)
        };
        let numbers = numbers.try_into().expect("sixteen rays of eight numbers");
        let given = R::Number::transposed(simd, numbers);
        let mut numbers = R::framed(simd, given, space);
        let [ox, oy, oz, dx, dy, dz, ..] = numbers.inline_map(R::Number::narrow);
        let dir = [dx, dy, dz];
        let along = dir[z] * sixteen(simd, forward);
        let aside = along * sixteen(simd, ASIDE);
        // No NaN passes a comparison.
        let mut fits = along.simd_ge(sixteen(simd, 1.0 / SPREAD))
            & along.simd_le(sixteen(simd, SPREAD))
            & dir[x].abs().simd_le(aside)
            & dir[y].abs().simd_le(aside);
        // As they are given: what is rounded to 0 may be less, and what overflows is equal.
        let [from, to] = [given[6], given[7]];
        let mut bits = R::Number::are_ordered(R::Number::splat(simd, R::Number::zeroed()), from)
            & R::Number::are_ordered(from, to);
        if SHARED {
            let ends = R::Number::narrow(R::Number::product(numbers[7], numbers[3 + z]));
            fits &= (ends * sixteen(simd, forward)).simd_ge(sixteen(simd, SHORTEST));
            for (numbers, &number) in numbers.iter().zip(&center[..3]) {
                let number = R::Number::splat(simd, number);
                bits &= R::Number::are_ordered(*numbers, number)
                    & R::Number::are_ordered(number, *numbers);
            }
        } else {
            let plain = sixteen(simd, measures.plain);
            fits &= ox.abs().simd_le(plain) & oy.abs().simd_le(plain) & oz.abs().simd_le(plain);
        }
        bits &= fits.to_bitmask() as u32 & there;
        if bits != 0xffff {
            for (numbers, &number) in numbers.iter_mut().zip(center) {
                let number = R::Number::splat(simd, number);
                *numbers = R::Number::select(simd, bits, *numbers, number);
            }
        }
        let [ox, oy, oz, dx, dy, dz, from, to] = numbers.inline_map(R::Number::narrow);
        let (origin, dir) = ([ox, oy, oz], [dx, dy, dz]);
        let forward = sixteen(simd, forward);
        let along = dir[z] * forward;
        let slope = [dir[x] / along, dir[y] / along];
        ranges.slope[0].take(slope[0]);
        ranges.slope[1].take(slope[1]);
        self.entry[group] = [0; GROUP];
        self.fitting[group] = bits;
        self.alive[group] = bits;
        ranges.t_min = ranges.t_min.max(from);
        if SHARED {
            slope[0].store_array(&mut self.whole[0][group]);
            slope[1].store_array(&mut self.whole[1][group]);
            let ends = [numbers[6], numbers[7]].inline_map(
                #[inline(always)]
                |end| R::Number::narrow(R::Number::product(end, numbers[3 + z])) * forward,
            );
            self.set_inverse_ends(simd, group, ends);
        } else {
            let ends = [0, 1, 2].inline_map(
                #[inline(always)]
                |axis: usize| {
                    let (from, dir) = (numbers[axis], numbers[3 + axis]);
                    R::Number::narrow(R::Number::sum(dir, numbers[7], from))
                },
            );
            ranges.origin[0].take(origin[x]);
            ranges.origin[1].take(origin[y]);
            ranges.origin[2].take(origin[z] * forward);
            ranges.end[0].take(ends[x]);
            ranges.end[1].take(ends[y]);
            ranges.end[2].take(ends[z] * forward);
            ranges.t_max = ranges.t_max.max(to);
            ranges.farthest = ranges.farthest.max(ox.abs()).max(oy.abs()).max(oz.abs());
            for row in [0, 1, 2, 6, 7] {
                R::Number::store(numbers[row], &mut raw.rows[row][group]);
            }
        }
        for row in [3, 4, 5] {
            R::Number::store(numbers[row], &mut raw.rows[row][group]);
        }
        bits
    }

    /// Sets slopes, and offsets and moments if rays have some, of a group.
    #[inline(always)]
    fn set_numbers<S: Simd, R: TileRay, const SHARED: bool>(
        &mut self,
        simd: S,
        (raw, group): (&RawRays<R::Number>, usize),
        frame: &Frame,
        slope: [f32; 2],
        sign: f32,
        sizes: &mut [f32x16<S>; 4],
    ) {
        let [x, y, z] = frame.axes;
        let along = raw.load(simd, z + 3, group);
        let (along0, along1) = R::Number::wide(along);
        let (along0, along1) = (along0.abs(), along1.abs());
        let along = R::Number::narrow(along).abs();
        let (inverse0, inverse1) = (wide(simd, sign) / along0, wide(simd, sign) / along1);
        let (z0, z1) = R::Number::wide(raw.load(simd, z, group));
        let forward = wide(simd, frame.forward);
        let from = f64x8::splat(simd, frame.exact[2]);
        let (back0, back1) = ((from - z0) * forward, (from - z1) * forward);
        if !SHARED {
            let start = (-back0).narrow(-back1);
            start.store_array(&mut self.first[0][group]);
        }
        for (i, axis) in [x, y].into_iter().enumerate() {
            let (x0, x1) = R::Number::wide(raw.load(simd, axis + 3, group));
            let (slope0, slope1) = (x0 * inverse0, x1 * inverse1);
            let m = wide(simd, slope[i]);
            // The product of two `f32`s is exact.
            let aside = match SHARED && !R::IS_FRAMED {
                true => (x0 - m * along0).narrow(x1 - m * along1) / along,
                false => (slope0 - m).narrow(slope1 - m),
            };
            aside.store_array(&mut self.numbers[i][group]);
            sizes[i] = sizes[i].max(aside.abs());
            if SHARED {
                self.hulls.slope[i][0][group] = aside.reduce_min();
                self.hulls.slope[i][1][group] = aside.reduce_max();
                continue;
            }
            let whole = slope0.narrow(slope1);
            whole.store_array(&mut self.whole[i][group]);
            let (x0, x1) = R::Number::wide(raw.load(simd, axis, group));
            let o = f64x8::splat(simd, frame.exact[i]);
            let offset0 = slope0.mul_add(back0, x0 - o);
            let offset1 = slope1.mul_add(back1, x1 - o);
            let offset = offset0.narrow(offset1);
            offset.store_array(&mut self.numbers[2 + i][group]);
            sizes[2 + i] = sizes[2 + i].max(offset.abs());
        }
        if SHARED {
            return;
        }
        let [sx, sy, ox, oy, _] = &self.numbers;
        let (sx, sy) = (load(simd, &sx[group]), load(simd, &sy[group]));
        let (ox, oy) = (load(simd, &ox[group]), load(simd, &oy[group]));
        (ox * sy - oy * sx).store_array(&mut self.numbers[4][group]);
    }
}

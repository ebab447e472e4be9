//! The rays of a tile, group by group, and the hulls of groups.
//!
//! # The frame
//! All rays start at one point, and go in similar directions. As in `beam_rays.rs`, coordinates are
//! the mesh's own and exact, z is the axis along which rays go, and `Z` is how far a point lies in
//! front of the origin. A ray is the line `(x, y) = (middle + slope) Z`, with the slopes of the
//! middle, which are `f32`s; its own parameter is `t = Z / |dz|`. Hits are ordered by `1 / Z`, which
//! is linear in the slopes for each triangle: the first hit has the greatest.
//!
//! # Slopes
//! As in `beam_rays.rs`, a slope is off by little more than `2u` of itself, with u = 2^-24; a whole
//! slope, which is the quotient of two coordinates, by u.
//!
//! # Ends
//! The product `t_max |dz|` and its inverse have a rounding each, and where the inverse is not
//! normal, it is off by at most 2^-150. So the exact inverse lies within `4u` of it, another 2^-126,
//! and the roundings of these bounds. A product that overflows has an inverse below 2^-128. Starts
//! have the same bounds; where the product is not normal, so not precise, its inverse is far beyond
//! those of all hits that a tile is certain of (`tile_triangles.rs`).
//!
//! # Hulls
//! The least and the greatest whole slope of a group are sums of the middle's and of a slope that is
//! off by `2u`, with one rounding, so `4u` of both covers them. The slopes of a group are within
//! `radius` of its middle, exactly as they are stored: the two differences have a rounding each,
//! which `2u` covers.

use super::super::beam::Frame;
use super::super::packet_hull::PacketHull;
use super::super::ray_arrays::ASIDE;
use crate::traverse::kernel_ray::{SPREAD, U};
use crate::wide::{Axis, WideTree};
use bytemuck::Zeroable;
use estoc_core::InlineMap;
use estoc_core::Ray;
use fearless_simd::{
    Select, Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x16, f64x8, mask32x16,
};

/// The number of rays in a group, and of groups in a tile.
pub const GROUP: usize = 16;
/// The largest number of rays in a tile.
pub const TILE: usize = GROUP * GROUP;

/// A number of each ray of a group, or of each group.
pub type Row = [f32; GROUP];
/// A number of each ray.
pub type Rows = [Row; GROUP];

/// Slopes that differ by more than this have too little in common.
const WIDEST: f32 = 1.0;
/// 2^-60: the least end of a ray along the axis.
const SHORTEST: f32 = f32::from_bits((127 - 60) << 23);
/// Fewer rays do not form a tile.
const FEWEST: usize = 16;

/// The rays of a tile.
#[derive(Clone, Zeroable)]
#[repr(C, align(64))]
pub struct TileRays {
    /// By axis of the mesh.
    pub dir: [Rows; 3],
    /// Slopes, and these less those of the middle.
    pub whole: [Rows; 2],
    pub slope: [Rows; 2],
    /// Bounds of `1 / Z` of the first hit so far, or of the ray's end. Both are infinite in lanes
    /// that need nothing more.
    pub low: Rows,
    pub high: Rows,
    /// Bounds of `1 / Z` of the ray's start, infinite at the origin.
    pub start_low: Rows,
    pub start_high: Rows,
    /// The number of the first hit so far in the table of triangles, from 1, or 0.
    pub entry: [[u32; GROUP]; GROUP],
    /// By group, the lanes whose rays belong to the tile, as bits.
    pub fitting: [u32; GROUP],
    /// By group, the lanes with two hits so close to each other that they have to be traced alone.
    pub alone: [u32; GROUP],
    /// By group, the least and the greatest whole slopes.
    pub down: [Row; 2],
    pub up: [Row; 2],
    /// By group, the middle and the radius of slopes.
    pub middle: [Row; 2],
    pub radius: [Row; 2],
    /// By group, the least `low`.
    pub least: Row,
}

/// What all rays of a tile have in common.
pub struct TileBeam {
    pub frame: Frame,
    /// The axes of the frame.
    pub axes: [Axis; 3],
    /// The slopes of the middle.
    pub slope: [f32; 2],
    /// The largest differences from these.
    pub widest: [f32; 2],
    /// The bound of the errors of corners; see `tile_triangles.rs`.
    pub slack: f32,
    pub planes: PacketHull,
    /// Whether some rays start in front of the origin.
    pub has_starts: bool,
}

impl TileRays {
    /// Takes the rays, at most [`TILE`]. Returns `None` if they have too little in common. The
    /// origin of those that fit is that of the middle one.
    #[inline(always)]
    pub fn take<S: Simd>(&mut self, simd: S, rays: &[Ray], tree: &WideTree) -> Option<TileBeam> {
        let middle = rays.get(rays.len() / 2)?;
        let origin = middle.origin.to_array();
        let dir = middle.dir.to_array();
        let mut z = if dir[1].abs() > dir[0].abs() { 1 } else { 0 };
        if dir[2].abs() > dir[z].abs() {
            z = 2;
        }
        let forward = 1f32.copysign(dir[z]);
        let axes = [(z + 1) % 3, (z + 2) % 3, z];
        let farthest = origin[0].abs().max(origin[1].abs()).max(origin[2].abs());
        let is_near = origin.iter().all(|x| x.abs() <= tree.measures.plain);
        if rays.len() < FEWEST || !is_near {
            return None;
        }

        let infinity = f32x16::splat(simd, f32::INFINITY);
        let (mut least, mut most) = ([infinity; 2], [-infinity; 2]);
        let (mut fitting, mut latest) = (0, f32x16::splat(simd, 0.0));
        self.fitting = [0; GROUP];
        self.alone = [0; GROUP];
        for (group, rays) in rays.chunks(GROUP).enumerate() {
            let fits = self.take_group(simd, group % GROUP, rays, middle, axes, forward);
            fitting += fits.0.count_ones() as usize;
            latest = latest.max(fits.1);
            for i in 0..2 {
                let slope = f32x16::load_array_ref(simd, &self.whole[i][group % GROUP]);
                least[i] = least[i].min(slope);
                most[i] = most[i].max(slope);
            }
        }
        let place = rays.len() / 2;
        let middle_fits = self.fitting[place / GROUP % GROUP] >> (place % GROUP) & 1 == 1;
        if !middle_fits || fitting * 2 < rays.len() {
            return None;
        }
        let ranges = [
            [least[0].reduce_min(), most[0].reduce_max()],
            [least[1].reduce_min(), most[1].reduce_max()],
        ];
        if ranges.iter().any(|[down, up]| up - down > WIDEST) {
            return None;
        }
        let slope = ranges.inline_map(|[down, up]| down + (up - down) * 0.5);
        let frame = Frame {
            axes,
            forward,
            origin: axes.inline_map(|axis| origin[axis]),
            is_shared: true,
            apart: 0.0,
        };
        let [x, y, _] = frame.origin;
        let planes = PacketHull::of(&frame, [[x; 2], [y; 2]], ranges);
        let groups = rays.len().div_ceil(GROUP);
        let widest = self.set_slopes(simd, groups, &frame, slope);
        const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
        Some(TileBeam {
            axes: axes.inline_map(|axis| AXES[axis]),
            frame,
            slope,
            widest,
            // 2^-48
            slack: (tree.measures.reach + farthest) * f32::from_bits((127 - 48) << 23),
            planes,
            has_starts: latest.reduce_max() > 0.0,
        })
    }

    /// Takes the rays of a group, and returns the lanes of those that fit, as bits, and their
    /// `t_min`, with 0 for others. The others get the direction of the middle ray.
    #[inline(always)]
    fn take_group<S: Simd>(
        &mut self,
        simd: S,
        group: usize,
        rays: &[Ray],
        middle: &Ray,
        axes: [usize; 3],
        forward: f32,
    ) -> (u32, f32x16<S>) {
        let mut filled = [*middle; GROUP];
        let there = u32::MAX >> (32 - rays.len());
        let numbers: &[[f32; GROUP]] = if rays.len() == GROUP {
            bytemuck::cast_slice(rays)
        } else {
            filled[..rays.len()].copy_from_slice(rays);
            bytemuck::cast_slice(&filled)
        };
        let [ox, oy, oz, dx, dy, dz, from, to] = transposed(simd, numbers);
        let dir = [dx, dy, dz];
        let (x, y, z) = (dir[axes[0]], dir[axes[1]], dir[axes[2]]);
        let along = z * sixteen(simd, forward);
        let aside = along * sixteen(simd, ASIDE);
        let end = to * along;
        // No NaN passes a comparison.
        let fits = ox.simd_eq(sixteen(simd, middle.origin.x))
            & oy.simd_eq(sixteen(simd, middle.origin.y))
            & oz.simd_eq(sixteen(simd, middle.origin.z))
            & along.simd_ge(sixteen(simd, 1.0 / SPREAD))
            & along.simd_le(sixteen(simd, SPREAD))
            & x.abs().simd_le(aside)
            & y.abs().simd_le(aside)
            & from.simd_ge(sixteen(simd, 0.0))
            & from.simd_le(to)
            & end.simd_ge(sixteen(simd, SHORTEST));
        let bits = fits.to_bitmask() as u32 & there;
        let fits = mask32x16::from_bitmask(simd, bits.into());
        let middle = middle.dir.to_array();
        for axis in 0..3 {
            let dir = fits.select(dir[axis], sixteen(simd, middle[axis]));
            dir.store_array(&mut self.dir[axis][group]);
        }
        let along = fits.select(along, sixteen(simd, middle[axes[2]].abs()));
        for (i, x) in [x, y].into_iter().enumerate() {
            let x = fits.select(x, sixteen(simd, middle[axes[i]]));
            (x / along).store_array(&mut self.whole[i][group]);
        }
        let tiny = sixteen(simd, f32::MIN_POSITIVE);
        let inverse = sixteen(simd, 1.0) / end;
        let low = (inverse * sixteen(simd, 1.0 - 4.0 * U) - tiny).max(sixteen(simd, 0.0));
        let high = inverse.mul_add(sixteen(simd, 1.0 + 4.0 * U), tiny);
        let low = fits.select(low, sixteen(simd, f32::INFINITY));
        low.store_array(&mut self.low[group]);
        self.least[group] = low.reduce_min();
        let high = fits.select(high, sixteen(simd, f32::INFINITY));
        high.store_array(&mut self.high[group]);
        let from = fits.select(from, sixteen(simd, 0.0));
        let inverse = sixteen(simd, 1.0) / (from * along);
        let low = inverse * sixteen(simd, 1.0 - 4.0 * U) - tiny;
        low.store_array(&mut self.start_low[group]);
        let high = inverse.mul_add(sixteen(simd, 1.0 + 4.0 * U), tiny);
        high.store_array(&mut self.start_high[group]);
        self.entry[group] = [0; GROUP];
        self.fitting[group] = bits;
        (bits, from)
    }

    /// Sets slopes and the hulls of groups, and returns the largest absolute slopes.
    #[inline(always)]
    fn set_slopes<S: Simd>(
        &mut self,
        simd: S,
        groups: usize,
        frame: &Frame,
        middle: [f32; 2],
    ) -> [f32; 2] {
        let mut widest = [0.0; 2];
        for i in 0..2 {
            let minus = f64x8::splat(simd, f64::from(-middle[i]));
            for group in 0..groups.min(GROUP) {
                let z = f32x16::load_array_ref(simd, &self.dir[frame.axes[2]][group]).abs();
                let x = f32x16::load_array_ref(simd, &self.dir[frame.axes[i]][group]);
                let (x0, x1) = x.widen();
                let (z0, z1) = z.widen();
                let x = (x0 + minus * z0).narrow(x1 + minus * z1);
                let slope = x / z;
                slope.store_array(&mut self.slope[i][group]);
                self.down[i][group] = slope.reduce_min();
                self.up[i][group] = slope.reduce_max();
            }
            let there = mask32x16::from_bitmask(simd, u64::MAX >> (64 - groups.clamp(1, GROUP)));
            let zero = f32x16::splat(simd, 0.0);
            let down = there.select(f32x16::load_array_ref(simd, &self.down[i]), zero);
            let up = there.select(f32x16::load_array_ref(simd, &self.up[i]), zero);
            let center = down + (up - down) * f32x16::splat(simd, 0.5);
            let radius = (up - center).max(center - down) * f32x16::splat(simd, 1.0 + 2.0 * U);
            center.store_array(&mut self.middle[i]);
            radius.store_array(&mut self.radius[i]);
            widest[i] = up.max(-down).reduce_max();
            let middle = f32x16::splat(simd, middle[i]);
            let size = middle.abs() + f32x16::splat(simd, widest[i]);
            let pad = size * f32x16::splat(simd, 4.0 * U);
            (middle + down - pad).store_array(&mut self.down[i]);
            (middle + up + pad).store_array(&mut self.up[i]);
        }
        for group in groups..GROUP {
            self.least[group] = f32::INFINITY;
        }
        widest
    }
}

#[inline(always)]
pub(in super::super) fn sixteen<S: Simd>(simd: S, x: f32) -> f32x16<S> {
    f32x16::splat(simd, x)
}

#[inline(always)]
fn row<S: Simd>(simd: S, row: &Row) -> f32x16<S> {
    f32x16::load_array_ref(simd, row)
}

/// Returns the numbers at even places of two vectors, and those at odd ones.
#[inline(always)]
fn unzip<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> [f32x16<S>; 2] {
    [a.unzip_low(b), a.unzip_high(b)]
}

/// Returns the numbers of sixteen rays, each in a vector.
#[inline(always)]
pub(in super::super) fn transposed<S: Simd>(simd: S, rays: &[[f32; GROUP]]) -> [f32x16<S>; 8] {
    let rows: &[[f32; GROUP]; 8] = rays.try_into().expect("sixteen rays of eight numbers");
    let [a0, b0] = unzip(row(simd, &rows[0]), row(simd, &rows[1]));
    let [a1, b1] = unzip(row(simd, &rows[2]), row(simd, &rows[3]));
    let [a2, b2] = unzip(row(simd, &rows[4]), row(simd, &rows[5]));
    let [a3, b3] = unzip(row(simd, &rows[6]), row(simd, &rows[7]));
    let ([n04a, n26a], [n04b, n26b]) = (unzip(a0, a1), unzip(a2, a3));
    let ([n15a, n37a], [n15b, n37b]) = (unzip(b0, b1), unzip(b2, b3));
    let ([n0, n4], [n2, n6]) = (unzip(n04a, n04b), unzip(n26a, n26b));
    let ([n1, n5], [n3, n7]) = (unzip(n15a, n15b), unzip(n37a, n37b));
    [n0, n1, n2, n3, n4, n5, n6, n7]
}

//! Bounds of the ends of a tile's rays, in the parameter of its frame (`tile_rays.rs`).
//!
//! `start + t |dz|` has two roundings and that of `start`. The exact values lie within `8u` of each
//! term, and 2^-126, and, for rays in `f64`, what the start was off before it was
//! rounded (`TileBeam::off`). Products are limited to 2^125: a ray that is longer has no hit behind that.
//!
//! Of rays from one point, the product `t_max |dz|` and its inverse have a rounding each, and where
//! the inverse is not normal, it is off by at most 2^-150. So the exact inverse lies within `4u` of
//! it, another 2^-126, and the roundings of these bounds. A product that overflows has an inverse
//! below 2^-128. Starts have the same bounds; where the product is not normal, so not precise, its
//! inverse is far beyond those of all hits that a tile is certain of (`tile_triangles.rs`).

use super::raw_rays::RawRays;
use super::ray_rows::{load, sixteen};
use super::tile_frame::{Frame, LONGEST};
use super::tile_number::TileNumber;
use super::tile_rays::TileRays;
use crate::traverse::kernel_ray::U;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x16, mask32x16};

impl TileRays {
    /// Sets the ends of a group of rays from one point, given as Z.
    #[inline(always)]
    pub(super) fn set_inverse_ends<S: Simd>(
        &mut self,
        simd: S,
        group: usize,
        [from, to]: [f32x16<S>; 2],
    ) {
        let fits = mask32x16::from_bitmask(simd, self.fitting[group].into());
        let never = sixteen(simd, f32::NEG_INFINITY);
        let [low, high] = inverse_ends(simd, to);
        let high = fits.select(high.min(sixteen(simd, -0.0)), never);
        let low = fits.select(low, never);
        low.store_array(&mut self.last[0][group]);
        high.store_array(&mut self.last[1][group]);
        self.hulls.last[group] = high.reduce_max();
        // The inverse of -0 would lie behind all hits, and that of 0 is before all.
        let [low, high] = inverse_ends(simd, from.abs());
        low.store_array(&mut self.first[0][group]);
        high.store_array(&mut self.first[1][group]);
    }

    /// Sets the ends of a group. Besides its rounding, a start is off by no more than `moved`.
    #[inline(always)]
    pub(super) fn set_ends<S: Simd, N: TileNumber>(
        &mut self,
        simd: S,
        (raw, group): (&RawRays<N>, usize),
        frame: &Frame,
        sign: f32,
        moved: f32,
    ) {
        let along = raw.load(simd, frame.axes[2] + 3, group);
        let start = load(simd, &self.first[0][group]);
        let longest = sixteen(simd, LONGEST);
        let from = N::narrow(N::product(raw.load(simd, 6, group), along)).abs();
        let to = N::narrow(N::product(raw.load(simd, 7, group), along)).abs();
        let (from, to) = (from.min(longest), to.min(longest));
        let (from, to) = match sign < 0.0 {
            true => (-to, -from),
            false => (from, to),
        };
        let tiny = sixteen(simd, f32::MIN_POSITIVE + moved);
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
        self.hulls.inner_last[group] = fits.select(low, infinity).reduce_min();
        fits.select(low, -infinity)
            .store_array(&mut self.last[0][group]);
        let high = fits.select(high, -infinity);
        high.store_array(&mut self.last[1][group]);
        self.hulls.last[group] = high.reduce_max();
    }
}

/// Returns bounds of `-1 / Z` where this is Z.
#[inline(always)]
fn inverse_ends<S: Simd>(simd: S, place: f32x16<S>) -> [f32x16<S>; 2] {
    let inverse = sixteen(simd, -1.0) / place;
    let tiny = sixteen(simd, f32::MIN_POSITIVE);
    [
        inverse.mul_add(sixteen(simd, 1.0 + 4.0 * U), -tiny),
        inverse.mul_add(sixteen(simd, 1.0 - 4.0 * U), tiny),
    ]
}

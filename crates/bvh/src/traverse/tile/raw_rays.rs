//! The numbers of a tile's rays as they are, in the space of the tree.

use super::ray_rows::GROUP;
use super::tile_number::TileNumber;
use bytemuck::Zeroable;
use estoc_core::InlineMap;
use fearless_simd::Simd;

/// Origins, directions and ends of the rays of a tile in their own precision; only directions are set if origins are
/// all the middle one.
#[derive(Clone, Zeroable)]
#[repr(C, align(64))]
pub struct RawRays<N> {
    pub(super) rows: [[[N; GROUP]; GROUP]; 8],
    pub(super) origin: [N; 3],
}

impl<N: TileNumber> RawRays<N> {
    /// Returns a number of sixteen rays.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, row: usize, group: usize) -> N::Lanes<S> {
        N::load(simd, &self.rows[row % 8][group % GROUP])
    }

    /// Returns where all rays start, if they start at one point.
    #[inline(always)]
    pub(in crate::traverse) fn origin(&self) -> [N; 3] {
        self.origin
    }

    /// Returns where the rays of a group start, if they start at several.
    #[inline(always)]
    pub(in crate::traverse) fn origins(&self, group: usize) -> [&[N; GROUP]; 3] {
        [0, 1, 2].inline_map(|row: usize| &self.rows[row][group % GROUP])
    }

    /// Returns the directions of the rays of a group.
    #[inline(always)]
    pub(in crate::traverse) fn directions(&self, group: usize) -> [&[N; GROUP]; 3] {
        [3, 4, 5].inline_map(|row: usize| &self.rows[row][group % GROUP])
    }
}

//! The triangles that the rays of a tile skip, such as those that they leave.

use super::ray_rows::GROUP;
use super::triangle_table::Leaf;
use crate::traverse::skipped::Skipped;
use crate::wide::WideTree;
use bytemuck::Zeroable;
use fearless_simd::{Simd, SimdBase, SimdMask, u32x16};

/// The names of the triangles that rays skip, group by group.
#[derive(Clone, Zeroable)]
#[repr(C, align(64))]
pub struct TileSkips {
    names: [[u32; GROUP]; GROUP],
    /// Whether any ray skips a triangle; otherwise names mean nothing.
    are_any: bool,
}

impl TileSkips {
    /// Takes what the rays of a tile skip, in their order; the others skip nothing.
    #[inline(always)]
    pub(crate) fn take(&mut self, skipped: impl Iterator<Item = Skipped>) {
        let mut skipped = skipped.fuse();
        self.are_any = false;
        for group in &mut self.names {
            for name in group {
                let this = skipped.next().unwrap_or(Skipped::NONE);
                self.are_any |= this != Skipped::NONE;
                *name = this.name();
            }
        }
    }

    /// Forgets what rays skip.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.are_any = false;
    }

    /// Returns the rays of a group that do not skip the triangle at a place in a leaf, of those
    /// given as bits.
    #[inline(always)]
    pub fn leave_rays<S: Simd>(
        &self,
        simd: S,
        tree: &WideTree,
        group: usize,
        ((first, len), place): (Leaf, usize),
        rays: u32,
    ) -> u32 {
        if !self.are_any {
            return rays;
        }
        let name = tree.view().prim(first, len, place).get();
        let names = u32x16::load_array_ref(simd, &self.names[group % GROUP]);
        let skip = names.simd_eq(u32x16::splat(simd, name)).to_bitmask() as u32;
        rays & !skip
    }

    /// Returns the triangles of a leaf that a ray does not skip, of those given as bits.
    #[inline(always)]
    pub fn leave_triangles<S: Simd>(
        &self,
        simd: S,
        tree: &WideTree,
        (group, lane): (usize, usize),
        (first, len): Leaf,
        triangles: u32,
    ) -> u32 {
        if !self.are_any {
            return triangles;
        }
        let name = self.names[group % GROUP][lane % GROUP];
        triangles & !tree.view().places_named(simd, first, len, name)
    }
}

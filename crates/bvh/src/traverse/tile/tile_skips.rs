//! The triangles that the rays of a tile skip, such as those that they leave.

use super::exact_fallback::Exact;
use super::ray_rows::GROUP;
use super::tile_mesh::TileMesh;
use super::triangle_table::Leaf;
use crate::traverse::skipped::Skipped;
use bytemuck::Zeroable;
use fearless_simd::{Simd, SimdBase, SimdMask, u32x16};

/// The names of the triangles that rays skip, group by group.
#[derive(Clone, Zeroable)]
#[repr(C, align(64))]
pub struct TileSkips {
    names: [[u32; GROUP]; GROUP],
    /// The numbers of the paths that lead to their meshes; 0 for the mesh of a tile that has only one.
    paths: [[u32; GROUP]; GROUP],
    /// Whether any ray skips a triangle; otherwise names mean nothing.
    are_any: bool,
}

impl TileSkips {
    /// Takes what the rays of a tile skip, in their order, with the numbers of paths; the others skip nothing.
    #[inline(always)]
    pub(crate) fn take(&mut self, skipped: impl Iterator<Item = (Skipped, u32)>) {
        let mut skipped = skipped.fuse();
        self.are_any = false;
        for (names, paths) in self.names.iter_mut().zip(&mut self.paths) {
            for (name, path) in names.iter_mut().zip(paths) {
                let (this, of) = skipped.next().unwrap_or((Skipped::NONE, 0));
                self.are_any |= this != Skipped::NONE;
                (*name, *path) = (this.name(), of);
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
    pub fn leave_rays<S: Simd, M: TileMesh>(
        &self,
        simd: S,
        exact: Exact<'_, M>,
        group: usize,
        ((first, len), place): (Leaf, usize),
        rays: u32,
    ) -> u32 {
        if !self.are_any {
            return rays;
        }
        let name = exact.mesh.tree().view().prim(first, len, place).get();
        let names = u32x16::load_array_ref(simd, &self.names[group % GROUP]);
        let paths = u32x16::load_array_ref(simd, &self.paths[group % GROUP]);
        let skip = names.simd_eq(u32x16::splat(simd, name))
            & paths.simd_eq(u32x16::splat(simd, exact.path_to_skip()));
        rays & !(skip.to_bitmask() as u32)
    }

    /// Returns the triangles of a leaf that a ray does not skip, of those given as bits.
    #[inline(always)]
    pub fn leave_triangles<S: Simd, M: TileMesh>(
        &self,
        simd: S,
        exact: Exact<'_, M>,
        (group, lane): (usize, usize),
        (first, len): Leaf,
        triangles: u32,
    ) -> u32 {
        let (group, lane) = (group % GROUP, lane % GROUP);
        if !self.are_any || self.paths[group][lane] != exact.path_to_skip() {
            return triangles;
        }
        let name = self.names[group][lane];
        triangles
            & !exact
                .mesh
                .tree()
                .view()
                .places_named(simd, first, len, name)
    }
}

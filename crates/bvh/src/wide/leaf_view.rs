//! Read access to the leaves of a tree for queries.

use super::gathered_leaf::Names;
use super::leaf_blocks::{Block, ROWS};
use super::scale::Scale;
use estoc_core::{Aabb, PrimId, Triangle};
use estoc_mesh::parts::Buffers;
use fearless_simd::Simd;

/// A leaf as it is stored.
pub(crate) enum Leaf<'t> {
    /// Its triangles.
    Block(Block<'t>),
    /// The names of its triangles, to be [gathered](Names::gather).
    Names(Names<'t>),
}

/// The arrays of all leaves, so that queries look them up only once.
#[derive(Clone, Copy)]
pub(crate) struct LeafView<'t> {
    /// Blocks, or names.
    numbers: &'t [u32],
    /// The mesh that the names refer to.
    mesh: Option<&'t Buffers>,
    scale: Scale,
}

impl<'t> LeafView<'t> {
    pub(super) fn new(numbers: &'t [u32], mesh: Option<&'t Buffers>, scale: Scale) -> Self {
        LeafView {
            numbers,
            mesh,
            scale,
        }
    }

    /// Returns a leaf as it is stored.
    #[inline(always)]
    pub(crate) fn leaf(self, first: usize, len: usize) -> Leaf<'t> {
        match self.mesh {
            None => Leaf::Block(Block::of(self.numbers, first, len)),
            Some(mesh) => Leaf::Names(Names {
                mesh,
                scale: self.scale,
                names: &self.numbers[first..first + len],
            }),
        }
    }

    /// Returns how many steps prefetching a leaf's data takes after the leaf itself: each step
    /// needs the addresses that the one before has loaded.
    #[inline(always)]
    pub(crate) fn steps(self) -> u8 {
        /// A smaller mesh is in the caches most of the time.
        const NEAR: usize = 4 << 20;
        match self.mesh {
            Some(mesh) if mesh.bytes() > NEAR => 2,
            _ => 0,
        }
    }

    /// Returns the address of a leaf, and its length in bytes.
    #[inline(always)]
    pub(crate) fn memory(self, first: usize, len: usize) -> (*const u8, usize) {
        let each = match self.mesh {
            None => ROWS,
            Some(_) => 1,
        };
        let start = self.numbers.as_ptr().wrapping_add(each * first);
        (start.cast(), size_of::<u32>() * each * len)
    }

    /// Returns the name of the triangle at a place in a leaf.
    #[inline(always)]
    pub(crate) fn prim(self, first: usize, len: usize, place: usize) -> PrimId {
        match self.mesh {
            None => Block::of(self.numbers, first, len).prim(place),
            // The name of a triangle of a mesh is always valid.
            Some(_) => PrimId::new(self.numbers[first + place]).unwrap_or(PrimId::MAX),
        }
    }

    /// Returns the places in a leaf of triangles with this name, as bits. Bits beyond the last
    /// triangle have no meaning.
    #[inline(always)]
    pub(crate) fn places_named<S: Simd>(self, simd: S, first: usize, len: usize, name: u32) -> u32 {
        match self.mesh {
            None => Block::of(self.numbers, first, len).places_named(simd, name),
            Some(_) => {
                let names = self.numbers[first..first + len].iter();
                names
                    .rev()
                    .fold(0, |places, &other| places << 1 | u32::from(other == name))
            }
        }
    }

    /// Returns the triangle at a place in a leaf, in units of the tree.
    pub(crate) fn scaled_triangle(self, first: usize, len: usize, place: usize) -> Triangle {
        match self.mesh {
            None => Block::of(self.numbers, first, len).triangle(place),
            Some(mesh) => {
                let prim = self.prim(first, len, place);
                self.scale.triangle_up(mesh.triangle(prim))
            }
        }
    }

    /// Returns the box of a leaf's triangles, in units of the tree.
    pub(crate) fn extent(self, first: usize, len: usize) -> Aabb {
        let triangles = (0..len).map(|place| self.scaled_triangle(first, len, place));
        triangles.fold(Aabb::EMPTY, |extent, triangle| {
            extent.union(&Aabb::of_triangle(&triangle))
        })
    }

    /// Returns the triangle at a place in a leaf, in the mesh's units.
    #[inline(always)]
    pub(crate) fn triangle(self, first: usize, len: usize, place: usize) -> (PrimId, Triangle) {
        match self.mesh {
            None => {
                let block = Block::of(self.numbers, first, len);
                self.scale.triangle_down(block, place)
            }
            Some(mesh) => {
                let prim = self.prim(first, len, place);
                (prim, mesh.triangle(prim))
            }
        }
    }
}

//! The leaves of a tree as queries read them.

use super::gathered_leaf::Names;
use super::leaf_blocks::{Block, ROWS};
use super::scale::Scale;
use estoc_core::{PrimId, Triangle};
use estoc_mesh::parts::Buffers;

/// A leaf as it lies in memory.
pub(crate) enum Leaf<'t> {
    /// Its triangles.
    Block(Block<'t>),
    /// The names of its triangles, to be [gathered](Names::gather).
    Names(Names<'t>),
}

/// Where leaves are, looked up once.
#[derive(Clone, Copy)]
pub(crate) struct LeafView<'t> {
    /// Blocks, or names.
    numbers: &'t [u32],
    /// The mesh that they name triangles of.
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

    /// A leaf as it lies in memory.
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

    /// In how many steps what a leaf needs can be asked for, after the leaf itself: each knows
    /// where to go when the one before has come.
    #[inline(always)]
    pub(crate) fn steps(self) -> u8 {
        /// Less than this is in the caches most of the time.
        const NEAR: usize = 4 << 20;
        match self.mesh {
            Some(mesh) if mesh.bytes() > NEAR => 2,
            _ => 0,
        }
    }

    /// Where that is, and how many bytes of it.
    #[inline(always)]
    pub(crate) fn memory(self, first: usize, len: usize) -> (*const u8, usize) {
        let each = match self.mesh {
            None => ROWS,
            Some(_) => 1,
        };
        let start = self.numbers.as_ptr().wrapping_add(each * first);
        (start.cast(), size_of::<u32>() * each * len)
    }

    /// The name of the triangle at a place in a leaf.
    #[inline(always)]
    pub(crate) fn prim(self, first: usize, len: usize, place: usize) -> PrimId {
        match self.mesh {
            None => Block::of(self.numbers, first, len).prim(place),
            // Of what a mesh has there always is one.
            Some(_) => PrimId::new(self.numbers[first + place]).unwrap_or(PrimId::MAX),
        }
    }

    /// The triangle at a place in a leaf, in units of the tree.
    pub(crate) fn scaled_triangle(self, first: usize, len: usize, place: usize) -> Triangle {
        match self.mesh {
            None => Block::of(self.numbers, first, len).triangle(place),
            Some(mesh) => {
                let prim = self.prim(first, len, place);
                self.scale.triangle_up(mesh.triangle(prim))
            }
        }
    }

    /// The triangle at a place in a leaf, as the mesh has it.
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

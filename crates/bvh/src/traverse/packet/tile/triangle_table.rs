//! The triangles that the rays of a tile hit first, so far or at last.

use crate::wide::{LeafView, Tag};
use estoc_core::{PrimId, Triangle};

/// Tiles hardly ever have more triangles.
const USUAL: usize = 2048;

/// A triangle of a leaf.
#[derive(Clone, Copy)]
struct Entry {
    /// The first slot of its leaf; and a tag with the number of triangles in the leaf, and its
    /// place instead of a lane.
    leaf: u32,
    tag: Tag,
}

/// The triangles of a tile, numbered from 1.
pub struct TriangleTable(Vec<Entry>);

impl TriangleTable {
    pub fn new() -> Self {
        TriangleTable(Vec::new())
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a triangle and returns its number.
    #[inline(always)]
    pub fn add(&mut self, leaf: u32, tag: Tag) -> u32 {
        if self.0.capacity() == 0 {
            self.0.reserve_exact(USUAL);
        }
        self.0.push(Entry { leaf, tag });
        self.0.len() as u32
    }

    /// Returns a triangle by its number, in the mesh's units.
    #[inline(always)]
    pub(crate) fn triangle(&self, leaves: LeafView<'_>, number: u32) -> (PrimId, Triangle) {
        let Entry { leaf, tag } = self.0[number as usize - 1];
        leaves.triangle(leaf as usize, tag.len(), tag.lane())
    }
}

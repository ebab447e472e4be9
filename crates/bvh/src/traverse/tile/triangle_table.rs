//! The triangles that the rays of a tile hit first, so far or at last.

use crate::wide::{LeafView, Tag, WIDTH};
use estoc_core::{PrimId, Triangle};

/// Tiles hardly ever have more triangles.
const USUAL: usize = 2048;

/// A leaf: its first slot and its length.
pub type Leaf = (usize, usize);

/// A triangle of a leaf.
#[derive(Clone, Copy)]
struct Entry {
    /// The first slot of its leaf; and a tag with the number of triangles in the leaf, and its
    /// place instead of a lane.
    leaf: u32,
    tag: Tag,
    /// The number of its placement among those that the tile has met.
    placement: u32,
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
    fn add(&mut self, (first, len): Leaf, place: usize, placement: u32) -> u32 {
        if self.0.capacity() == 0 {
            self.0.reserve_exact(USUAL);
        }
        let (leaf, tag) = (first as u32, Tag::new(place, len));
        self.0.push(Entry {
            leaf,
            tag,
            placement,
        });
        self.0.len() as u32
    }

    /// Returns a triangle by its number, in the mesh's units.
    #[inline(always)]
    pub(crate) fn triangle(&self, leaves: LeafView<'_>, number: u32) -> (PrimId, Triangle) {
        let (first, len, place) = self.place(number);
        leaves.triangle(first, len, place)
    }

    /// Returns where a triangle lies, by its number: the first slot and the length of its leaf, and its place there.
    #[inline(always)]
    pub(crate) fn place(&self, number: u32) -> (usize, usize, usize) {
        let Entry { leaf, tag, .. } = self.0[number as usize - 1];
        (leaf as usize, tag.len(), tag.lane())
    }

    /// Returns the name of a triangle by its number.
    #[inline(always)]
    pub(crate) fn prim(&self, leaves: LeafView<'_>, number: u32) -> PrimId {
        let (first, len, place) = self.place(number);
        leaves.prim(first, len, place)
    }

    /// Returns the number of the placement of a triangle, given its own.
    #[inline(always)]
    pub(crate) fn placement(&self, number: u32) -> usize {
        self.0[number as usize - 1].placement as usize
    }
}

/// A leaf, and the numbers of its triangles in the table, or 0.
pub struct LeafEntries<'t> {
    pub(super) leaf: Leaf,
    placement: u32,
    numbers: [u32; WIDTH],
    table: &'t mut TriangleTable,
}

impl<'t> LeafEntries<'t> {
    #[inline(always)]
    pub fn new(leaf: Leaf, placement: u32, table: &'t mut TriangleTable) -> Self {
        LeafEntries {
            leaf,
            placement,
            numbers: [0; WIDTH],
            table,
        }
    }

    /// Returns the number of the triangle at a place.
    #[inline(always)]
    pub(super) fn number(&mut self, place: usize) -> u32 {
        let place = place % WIDTH;
        if self.numbers[place] == 0 {
            self.numbers[place] = self.table.add(self.leaf, place, self.placement);
        }
        self.numbers[place]
    }
}

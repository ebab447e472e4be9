//! The triangles that the rays of a tile hit first, so far or at last.

use crate::wide::{LeafView, Tag};
use estoc_core::Triangle;
use estoc_core::exact::TriangleFromOrigin;

/// A triangle of a leaf.
#[derive(Clone, Copy)]
struct Entry {
    /// The first slot of its leaf; and a tag with the number of triangles in the leaf, and its
    /// place instead of a lane.
    leaf: u32,
    tag: Tag,
    /// The number of its terms, from 1, or 0.
    terms: u32,
}

/// The triangles of a tile, numbered from 1.
pub struct TriangleTable {
    entries: Vec<Entry>,
    terms: Vec<TriangleFromOrigin>,
}

impl TriangleTable {
    pub fn new() -> Self {
        TriangleTable {
            entries: Vec::new(),
            terms: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.entries.clear();
        self.terms.clear();
    }

    /// Adds a triangle and returns its number.
    #[inline(always)]
    pub fn add(&mut self, leaf: u32, tag: Tag) -> u32 {
        self.entries.push(Entry {
            leaf,
            tag,
            terms: 0,
        });
        self.entries.len() as u32
    }

    /// Returns a triangle by its number, in the mesh's units.
    #[inline(always)]
    pub fn triangle(&self, leaves: LeafView<'_>, number: u32) -> (estoc_core::PrimId, Triangle) {
        let Entry { leaf, tag, .. } = self.entries[number as usize - 1];
        leaves.triangle(leaf as usize, tag.len(), tag.lane())
    }

    /// Returns what the hits on a triangle have in common.
    #[inline(always)]
    pub fn terms(
        &mut self,
        leaves: LeafView<'_>,
        origin: [f64; 3],
        number: u32,
    ) -> &TriangleFromOrigin {
        let place = number as usize - 1;
        if self.entries[place].terms == 0 {
            let (prim, triangle) = self.triangle(leaves, number);
            self.terms
                .push(TriangleFromOrigin::new(origin, prim, &triangle));
            self.entries[place].terms = self.terms.len() as u32;
        }
        &self.terms[self.entries[place].terms as usize - 1]
    }
}

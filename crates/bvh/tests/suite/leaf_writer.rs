//! Leaves made by hand, and changed.

use estoc_bvh::internals::wide::{Leaves, ROWS, WIDTH, write_leaf};
use estoc_core::{PrimId, Triangle};
use estoc_memory::Arena;

/// Leaves one by one, for trees made by hand.
pub(crate) struct LeafWriter {
    numbers: Vec<u32>,
    triangles: usize,
}

impl LeafWriter {
    /// Room for the leaves of a number of triangles.
    pub(crate) fn with_triangles(triangles: usize) -> Self {
        LeafWriter {
            numbers: vec![0; ROWS * triangles + WIDTH],
            triangles,
        }
    }

    /// Writes the leaf whose first slot is `first`.
    pub(crate) fn write(
        &mut self,
        first: usize,
        leaf: impl ExactSizeIterator<Item = (PrimId, Triangle)>,
    ) {
        let leaf = leaf.map(|(prim, triangle)| (prim.get(), triangle));
        write_leaf(&mut self.numbers[ROWS * first..], leaf);
    }

    /// When all are there.
    pub(crate) fn finish(self) -> Leaves {
        Leaves::new(Arena::of(self.numbers), self.triangles)
    }
}

/// Changes the numbers of leaves, to break them.
pub(crate) fn change(leaves: &mut Leaves, change: impl FnOnce(&mut Vec<u32>)) {
    let mut numbers = leaves.numbers().to_vec();
    change(&mut numbers);
    *leaves = Leaves::of_numbers(Arena::of(numbers), leaves.len(), leaves.mesh().cloned());
}

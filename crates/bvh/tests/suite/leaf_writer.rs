//! Leaves built and changed by hand.

use estoc_bvh::internals::wide::{Leaves, ROWS, WIDTH, write_leaf};
use estoc_core::{PrimId, Triangle};
use estoc_system::Arena;

/// Writes leaves one by one, for trees built by hand.
pub(crate) struct LeafWriter {
    numbers: Vec<u32>,
    triangles: usize,
}

impl LeafWriter {
    /// Reserves memory for the leaves of `triangles` triangles.
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

    /// Returns the leaves once all are written.
    pub(crate) fn finish(self) -> Leaves {
        Leaves::new(Arena::of(self.numbers), self.triangles)
    }
}

/// Changes the numbers of leaves, to damage them.
pub(crate) fn change(leaves: &mut Leaves, change: impl FnOnce(&mut Vec<u32>)) {
    let mut numbers = leaves.numbers().to_vec();
    change(&mut numbers);
    *leaves = Leaves::of_numbers(Arena::of(numbers), leaves.len(), leaves.mesh().cloned());
}

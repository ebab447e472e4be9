//! The contents of leaves.

/// A kind of leaf: the only step of a build that knows what leaves contain.
pub(crate) trait LeafKind: Sync {
    /// Returns how many numbers each item takes in a leaf.
    fn numbers_each(&self) -> usize;

    /// Returns how many numbers follow those of the last leaf.
    fn spare(&self) -> usize;

    /// Writes consecutive leaves of these lengths. `names` are the numbers of the items in them,
    /// and `numbers` has exactly the length needed.
    fn write(&self, names: &[u32], lens: &[u8], numbers: &mut [u32]);
}

//! What is in the leaves of a tree.

/// A kind of leaves, which it writes: the only step of a build that knows what is in them.
pub(crate) trait LeafKind: Sync {
    /// Numbers that each thing takes in a leaf.
    fn numbers_each(&self) -> usize;

    /// Numbers behind those of the last leaf.
    fn spare(&self) -> usize;

    /// Writes leaves of these lengths one behind the other. `names` are the numbers of what is in
    /// them, and `numbers` has room for just that.
    fn write(&self, names: &[u32], lens: &[u8], numbers: &mut [u32]);
}

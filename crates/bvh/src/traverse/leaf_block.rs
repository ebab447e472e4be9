//! Access to the triangles of a leaf in rows, for any layout.

use crate::wide::{Block, Leaf, LeafView};
use fearless_simd::Simd;

/// Calls `test` with the block of a leaf, which is gathered from the mesh if the leaf only names
/// its triangles.
#[inline(always)]
pub(super) fn with_block<S: Simd, T>(
    simd: S,
    leaves: LeafView<'_>,
    (first, len): (usize, usize),
    test: impl FnOnce(Block<'_>) -> T,
) -> T {
    let gathered;
    let block = match leaves.leaf(first, len) {
        Leaf::Block(block) => block,
        Leaf::Names(names) => {
            gathered = names.gather(simd);
            gathered.block(len)
        }
    };
    test(block)
}

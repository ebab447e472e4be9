//! The triangles of a leaf in rows, whatever the layout.

use crate::wide::{Block, Leaf, LeafView};
use fearless_simd::Simd;

/// Calls `test` with the block of a leaf, gathered from the mesh where the leaf only names its
/// triangles.
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

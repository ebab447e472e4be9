//! What a tree is built over.

use super::bounds::Bounds;

/// Things that each have a box: all that building looks at, up to the leaves.
///
/// Boxes are in units of the tree ([`Scale`](crate::wide::Scale)) and finite. Things are numbered
/// from 0; there are fewer than 2^32.
pub trait Boxes: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// The box of one of them.
    fn bounds(&self, number: usize) -> Bounds;
}

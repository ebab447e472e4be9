//! The input of a build.

use super::bounds::ReferenceBounds;

/// A numbered set of boxes: all that a build reads, except for writing the leaves.
///
/// Boxes are finite and in units of the tree ([`Scale`](crate::wide::Scale)). Numbers begin at 0
/// and are less than 2^32.
pub trait Boxes: Sync {
    /// Returns the number of boxes.
    fn count(&self) -> usize;

    /// Returns one of the boxes.
    fn bounds(&self, number: usize) -> ReferenceBounds;
}

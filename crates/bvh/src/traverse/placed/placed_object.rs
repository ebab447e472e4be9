//! What is placed in a world, as kernels see it.

use super::inverse_map::InverseMap;
use crate::wide::{ItemTree, WideTree};

/// An item of a tree: what is placed in a world.
pub(crate) struct Placed<'a, I> {
    /// The number of the placement.
    pub(crate) number: u32,
    pub(crate) inverse: &'a InverseMap,
    pub(crate) tree: PlacedTree<'a, I>,
}

/// The tree of what is placed.
pub(crate) enum PlacedTree<'a, I> {
    Mesh(&'a WideTree),
    World(&'a ItemTree, &'a I),
}

/// The items of a tree, numbered by its leaves.
pub(crate) trait PlacedObjects: Sized {
    /// Returns an item; `None` if it is neither a mesh nor a world.
    fn placed(&self, item: u32) -> Option<Placed<'_, Self>>;

    /// Prefetches what is read of an item.
    fn prefetch(&self, item: u32);
}

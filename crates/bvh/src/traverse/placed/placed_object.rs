//! What is placed in a world, as kernels see it.

use super::inverse_map::InverseMap;
use crate::traverse::prefetch;
use crate::wide::{ItemTree, Node, Tag, WIDTH, WideTree};

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

/// Prefetches these children of a node of a tree of items, given as bits.
#[inline(always)]
pub(super) fn prefetch_children(
    tree: &ItemTree,
    items: &impl PlacedObjects,
    node: &Node,
    mut children: u32,
) {
    while children != 0 {
        let lane = children.trailing_zeros() as usize % WIDTH;
        children &= children - 1;
        match Tag(node.tags[lane]).len() {
            0 => prefetch::node(&tree.nodes, node.place[lane]),
            _ => items.prefetch(node.place[lane]),
        }
    }
}

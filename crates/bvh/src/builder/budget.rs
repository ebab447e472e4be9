//! Estimates the memory of each step of a build, and checks it against the limit.

use crate::builder::unfinished::Unfinished;
use crate::wide::Layout;
use estoc_system::check_room;

/// The largest number of bytes that a build may hold at a time, if limited, and the number of bytes
/// that are held in addition to the step that is checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    pub given: Option<usize>,
    besides: usize,
}

/// A triangle's reference.
const REFERENCE: usize = 32;
/// A binary node, and the decision about it.
const BINARY: usize = 32;
const DECISION: usize = 4;
/// A node's parent, and whether it was moved.
const MOVED: usize = 5;
/// A triangle's number in the order.
const PLACE: usize = 4;
/// A wide node.
const WIDE: usize = 256;
/// The bytes that do not depend on the mesh: the top of the tree, and buffers of threads.
const BESIDES: usize = 1 << 20;

/// A key and a number, in two arrays.
const KEY: usize = 16;

impl Budget {
    pub(crate) fn of(bytes: usize) -> Self {
        Budget {
            given: Some(bytes),
            besides: 0,
        }
    }

    /// Returns the budget while `bytes` more are held.
    pub(crate) fn besides(self, bytes: usize) -> Self {
        Budget {
            besides: self.besides.saturating_add(bytes),
            ..self
        }
    }

    /// Checks the sorting of references.
    pub(super) fn sorted(self, triangles: usize) -> Result<(), Unfinished> {
        self.check(triangles * (2 * REFERENCE + KEY))
    }

    /// Checks the cutting of references into runs, which take `runs` bytes and are then gathered in
    /// one array.
    pub(super) fn cut(self, triangles: usize, runs: usize) -> Result<(), Unfinished> {
        self.check(triangles * (REFERENCE + PLACE) + 2 * runs)
    }

    /// Returns the layout of the tree, before anything is allocated: `asked`, or else the faster
    /// one that fits into the budget.
    ///
    /// The estimate assumes fewer binary nodes than triangles and one wide node for eight
    /// triangles. Meshes constructed to need more fail at a later check.
    pub(super) fn start(
        self,
        triangles: usize,
        asked: Option<Layout>,
    ) -> Result<Layout, Unfinished> {
        let bears = |layout: Layout| {
            let (nodes, wide) = (triangles, triangles / 8);
            let leaf_bytes = layout.leaf_bytes();
            let laid_out = laid_out(leaf_bytes, triangles, nodes);
            let needed = laid_out.max(written(leaf_bytes, triangles, nodes, wide));
            self.check(needed).map(|()| (layout, needed))
        };
        let (layout, needed) = match asked {
            Some(layout) => bears(layout)?,
            None => match bears(Layout::Fast) {
                Ok(borne) => borne,
                // The error then names the smaller requirement.
                Err(_) => bears(Layout::Compact)?,
            },
        };
        check_room(needed)?;
        Ok(layout)
    }

    /// Checks the gathering of `nodes` binary nodes in one array.
    pub(super) fn laid_out(
        self,
        leaf_bytes: usize,
        triangles: usize,
        nodes: usize,
    ) -> Result<(), Unfinished> {
        self.check(laid_out(leaf_bytes, triangles, nodes))
    }

    /// Checks the reordering of `nodes` binary nodes after some have moved.
    pub(super) fn moved(self, triangles: usize, nodes: usize) -> Result<(), Unfinished> {
        self.check(2 * triangles * PLACE + nodes * (2 * BINARY + MOVED))
    }

    /// Checks the writing of `wide` wide nodes and the leaves.
    pub(crate) fn written(
        self,
        leaf_bytes: usize,
        triangles: usize,
        nodes: usize,
        wide: usize,
    ) -> Result<(), Unfinished> {
        self.check(written(leaf_bytes, triangles, nodes, wide))
    }

    fn check(self, bytes: usize) -> Result<(), Unfinished> {
        let needed = bytes + self.besides + BESIDES;
        match self.given.is_some_and(|given| needed > given) {
            true => Err(Unfinished::OverBudget { needed }),
            false => Ok(()),
        }
    }
}

/// Returns the most bytes that are held until leaves are written.
fn laid_out(leaf_bytes: usize, triangles: usize, nodes: usize) -> usize {
    let split = triangles * (REFERENCE + PLACE) + nodes * BINARY;
    let together = triangles * PLACE + 2 * nodes * BINARY;
    let filled = triangles * (PLACE + leaf_bytes) + nodes * (BINARY + DECISION);
    split.max(together).max(filled)
}

/// Returns the bytes that are held while wide nodes are written.
fn written(leaf_bytes: usize, triangles: usize, nodes: usize, wide: usize) -> usize {
    triangles * leaf_bytes + nodes * (BINARY + DECISION) + wide * WIDE
}

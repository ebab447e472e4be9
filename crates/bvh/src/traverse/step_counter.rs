//! Counts the steps of a query.

use core::cell::Cell;

/// The steps of a traversal. They depend on the tree; answers never do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TraversalSteps {
    /// The number of nodes whose children's boxes were tested, eight at a time.
    pub nodes: u32,
    /// The number of leaves whose triangles were tested, up to eight at a time.
    pub leaves: u32,
    /// The number of triangles that passed and were decided exactly.
    pub triangles: u32,
}

/// Receives the steps of a traversal; `()` ignores them.
pub(crate) trait StepCounter {
    #[inline(always)]
    fn node(&self) {}
    #[inline(always)]
    fn leaf(&self) {}
    #[inline(always)]
    fn triangle(&self) {}
}

impl StepCounter for () {}

impl StepCounter for Cell<TraversalSteps> {
    #[inline(always)]
    fn node(&self) {
        self.update(|steps| TraversalSteps {
            nodes: steps.nodes + 1,
            ..steps
        });
    }

    #[inline(always)]
    fn leaf(&self) {
        self.update(|steps| TraversalSteps {
            leaves: steps.leaves + 1,
            ..steps
        });
    }

    #[inline(always)]
    fn triangle(&self) {
        self.update(|steps| TraversalSteps {
            triangles: steps.triangles + 1,
            ..steps
        });
    }
}

/// Counts visits of nodes and leaves.
impl StepCounter for Cell<u32> {
    #[inline(always)]
    fn node(&self) {
        self.set(self.get() + 1);
    }

    #[inline(always)]
    fn leaf(&self) {
        self.set(self.get() + 1);
    }
}

//! Counts the steps of a query.

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
    fn node(&mut self) {}
    #[inline(always)]
    fn leaf(&mut self) {}
    #[inline(always)]
    fn triangle(&mut self) {}
}

impl StepCounter for () {}

impl StepCounter for TraversalSteps {
    fn node(&mut self) {
        self.nodes += 1;
    }

    fn leaf(&mut self) {
        self.leaves += 1;
    }

    fn triangle(&mut self) {
        self.triangles += 1;
    }
}

/// Counts visits of nodes and leaves.
impl StepCounter for u32 {
    #[inline(always)]
    fn node(&mut self) {
        *self += 1;
    }

    #[inline(always)]
    fn leaf(&mut self) {
        *self += 1;
    }
}

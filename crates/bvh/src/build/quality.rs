//! How much work goes into a tree.

/// How much work goes into the tree. Answers do not depend on it, only their speed does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quality {
    /// Fewer bins: built soonest.
    Fast,
    /// The usual choice.
    #[default]
    Balanced,
    /// More bins: queries are fastest.
    Best,
}

/// What a quality means to the builder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Places along an axis between which a split is tried in large groups; at most
    /// [`MAX_BINS`].
    bins: usize,
    /// How many of these even the smallest groups have.
    least_bins: usize,
    /// A larger group of triangles is always split, and no smaller one: becoming wide finds
    /// out which leaves had better be joined, and a split costs more than it can gain there.
    pub(super) max_leaf: usize,
}

/// The most bins that any quality has.
pub(super) const MAX_BINS: usize = 32;

impl Settings {
    /// How many bins a group of so many triangles has: to look through them takes as long as
    /// to fill them, so small groups have fewer.
    pub(super) fn bins(&self, triangles: usize) -> usize {
        self.bins.min(self.least_bins + triangles / 8)
    }
}

impl Quality {
    pub(super) const fn settings(self) -> Settings {
        match self {
            Quality::Fast => Settings {
                bins: 8,
                least_bins: 4,
                max_leaf: 8,
            },
            Quality::Balanced => Settings {
                bins: MAX_BINS,
                least_bins: 8,
                max_leaf: 4,
            },
            Quality::Best => Settings {
                bins: MAX_BINS,
                least_bins: 16,
                max_leaf: 2,
            },
        }
    }
}

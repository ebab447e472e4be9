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
    /// Places along an axis between which a split is tried; at most [`MAX_BINS`].
    pub(super) bins: usize,
    /// A larger group of triangles is always split.
    pub(super) max_leaf: usize,
}

/// The most bins that any quality has.
pub(super) const MAX_BINS: usize = 32;

impl Quality {
    pub(super) const fn settings(self) -> Settings {
        match self {
            Quality::Fast => Settings {
                bins: 8,
                max_leaf: 8,
            },
            Quality::Balanced => Settings {
                bins: 16,
                max_leaf: 4,
            },
            Quality::Best => Settings {
                bins: MAX_BINS,
                max_leaf: 4,
            },
        }
    }
}

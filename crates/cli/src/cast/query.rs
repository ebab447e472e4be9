//! The queries of `estoc cast`, and their options.

use crate::value_name::NamedValue;
use estoc::Cull;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CastQuery {
    /// The first hit
    Closest,
    /// Whether there is a hit
    Any,
    /// All hits, in order along the ray
    All,
    /// The number of hits
    Count,
    /// The number of times that the ray crosses the surface; a shared edge or corner counts once
    Crossings,
    /// The first --k hits, in order along the ray
    First,
    /// The points where the ray crosses the surface, in order along the ray
    CrossingHits,
}

/// The sides that are ignored.
pub(super) const SIDES: [NamedValue<Cull>; 3] = [
    ("none", "Both sides are hit", Cull::None),
    ("back", "Only front sides are hit", Cull::Back),
    ("front", "Only back sides are hit", Cull::Front),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EngineChoice {
    /// The bounding volume hierarchy
    Tree,
    /// Every triangle is tested for every ray
    Brute,
}

impl CastQuery {
    /// Returns whether a ray may have any number of rows.
    pub(super) fn lists_hits(self) -> bool {
        matches!(
            self,
            CastQuery::All | CastQuery::First | CastQuery::CrossingHits
        )
    }
}

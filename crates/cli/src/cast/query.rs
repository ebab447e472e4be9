//! The queries of `estoc cast`, and their options.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Sides {
    /// Both sides are hit
    None,
    /// Only front sides are hit
    Back,
    /// Only back sides are hit
    Front,
}

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

impl From<Sides> for Cull {
    fn from(sides: Sides) -> Cull {
        match sides {
            Sides::None => Cull::None,
            Sides::Back => Cull::Back,
            Sides::Front => Cull::Front,
        }
    }
}

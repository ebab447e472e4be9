//! What `estoc cast` asks, as options.

use estoc::Cull;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Query {
    /// The first hit
    Closest,
    /// Whether there is a hit
    Any,
    /// Every triangle hit, in the order of the ray
    All,
    /// The number of triangles hit
    Count,
    /// How often the surface is crossed; an edge or corner that triangles share counts once
    Crossings,
    /// The first --k hits, in the order of the ray
    First,
    /// Where the surface is crossed, in the order of the ray
    CrossingHits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Sides {
    /// Both sides count
    None,
    /// Only front sides count
    Back,
    /// Only back sides count
    Front,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    /// The bounding volume hierarchy
    Tree,
    /// Every triangle for every ray
    Brute,
}

/// What a row of the result is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A hit, or for the closest one also a miss.
    Hit,
    /// Whether there is a hit.
    Any,
    /// A number of hits or crossings.
    Count,
}

impl Query {
    /// Returns the name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Query::Closest => "closest",
            Query::Any => "any",
            Query::All => "all",
            Query::First => "first",
            Query::Count => "count",
            Query::Crossings => "crossings",
            Query::CrossingHits => "crossing-hits",
        }
    }

    /// Returns whether a ray may have any number of rows.
    pub(super) fn lists_hits(self) -> bool {
        matches!(self, Query::All | Query::First | Query::CrossingHits)
    }

    pub(super) fn row_kind(self) -> RowKind {
        match self {
            Query::Closest | Query::All | Query::First | Query::CrossingHits => RowKind::Hit,
            Query::Any => RowKind::Any,
            Query::Count | Query::Crossings => RowKind::Count,
        }
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

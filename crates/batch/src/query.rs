//! What a batch may be asked.

/// What is asked about each ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Query {
    /// The first hit.
    ClosestHits,
    /// Whether there is a hit.
    AnyHits,
    /// How many triangles are touched.
    CountHits,
    /// How often the surface is crossed.
    CountCrossings,
    /// Every triangle touched.
    AllHits,
    /// Every crossing of the surface.
    Crossings,
}

impl Query {
    /// All of them.
    pub const ALL: [Query; 6] = [
        Query::ClosestHits,
        Query::AnyHits,
        Query::CountHits,
        Query::CountCrossings,
        Query::AllHits,
        Query::Crossings,
    ];

    /// Whether a ray may have any number of answers.
    pub(crate) fn has_rows(self) -> bool {
        matches!(self, Query::AllHits | Query::Crossings)
    }

    /// Whether a ray is done with the first hit. Only that lets rays that go together turn back
    /// together.
    pub(crate) fn ends_at_first_hit(self) -> bool {
        matches!(self, Query::ClosestHits | Query::AnyHits)
    }
}

//! Many rays at once.
//!
//! Stub: the real thing is being written; these are its final signatures.

use estoc_core::{CancelToken, Cull, Hit, PrimId, Ray, RayQuery};

/// Settings of a batch. Answers do not depend on threads or chunk size.
#[derive(Clone, Copy, Default)]
pub struct Batch<'a> {
    _p: std::marker::PhantomData<&'a ()>,
}

/// Why a batch has no answers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The token was raised.
    #[error("the batch was cancelled")]
    Cancelled,
    /// No threads could be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

/// All hits of many rays in compressed rows: those of ray `i` are
/// `hits[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HitRows {
    /// Where each ray's hits begin, and the end: one more than there are rays.
    pub offsets: Vec<usize>,
    /// The hits, ray after ray, each ray's in its order.
    pub hits: Vec<Hit>,
}

impl<'a> Batch<'a> {
    /// The caller's rayon pool, both sides, nothing skipped.
    pub fn new() -> Self {
        Self::default()
    }
    /// So many threads of its own; 0 means the caller's rayon pool.
    #[must_use]
    pub fn threads(self, _threads: usize) -> Self {
        self
    }
    /// Rays that a thread takes at a time (at least 1).
    #[must_use]
    pub fn chunk_size(self, _rays: usize) -> Self {
        self
    }
    /// Sides left out.
    #[must_use]
    pub fn cull(self, _cull: Cull) -> Self {
        self
    }
    /// A primitive left out.
    #[must_use]
    pub fn skip(self, _skip: Option<PrimId>) -> Self {
        self
    }
    /// Stops soon after the token is raised.
    #[must_use]
    pub fn cancel(self, _token: &'a CancelToken) -> Self {
        self
    }
    /// Called from any thread as rays are done, with the number done so far.
    #[must_use]
    pub fn progress(self, _progress: &'a (dyn Fn(usize) + Sync)) -> Self {
        self
    }
    /// Closest hits in the order of the rays.
    pub fn closest_hits<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<Vec<Option<Hit>>, BatchError> {
        Ok(rays.iter().map(|r| engine.closest_hit(r)).collect())
    }
    /// Whether each ray hits.
    pub fn any_hits<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<Vec<bool>, BatchError> {
        Ok(rays.iter().map(|r| engine.any_hit(r)).collect())
    }
    /// All hits.
    pub fn all_hits<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<HitRows, BatchError> {
        let mut rows = HitRows {
            offsets: vec![0],
            hits: vec![],
        };
        for r in rays {
            rows.hits.extend(engine.all_hits(r));
            rows.offsets.push(rows.hits.len());
        }
        Ok(rows)
    }
    /// Triangles touched.
    pub fn count_hits<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<Vec<usize>, BatchError> {
        Ok(rays.iter().map(|r| engine.count_hits(r)).collect())
    }
    /// Surface crossings.
    pub fn count_crossings<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<Vec<usize>, BatchError> {
        Ok(rays.iter().map(|r| engine.count_crossings(r)).collect())
    }
}

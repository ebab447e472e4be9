//! Queries of an engine on a pool of threads.

use crate::agreement::Agreement;
use crate::clock::Clock;
use crate::engine::Engine;
use crate::ray::{Hit, Ray};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Rays that a thread takes at a time, and the block size of samples: neighbouring rays stay
/// together.
pub(crate) const CHUNK: usize = 1024;

/// Buffers for the answers to either question.
pub(crate) enum Answers {
    Closest(Vec<Hit>),
    Any(Vec<bool>),
}

impl Answers {
    pub(crate) fn room(is_any: bool, rays: usize) -> Self {
        if is_any {
            Answers::Any(vec![false; rays])
        } else {
            Answers::Closest(vec![Hit::MISS; rays])
        }
    }

    /// Queries the engine with all rays; returns the seconds taken, or `None` when the engine
    /// panics.
    pub(crate) fn ask(
        &mut self,
        engine: &dyn Engine,
        rays: &[Ray],
        pool: &ThreadPool,
    ) -> Option<f64> {
        self.ask_by(Clock::Wall, engine, rays, pool)
    }

    /// Does the same as [`ask`](Answers::ask) by a clock.
    pub(crate) fn ask_by(
        &mut self,
        clock: Clock,
        engine: &dyn Engine,
        rays: &[Ray],
        pool: &ThreadPool,
    ) -> Option<f64> {
        let whole = engine.spreads_itself() || pool.current_num_threads() == 1;
        let chunk = if whole { rays.len().max(1) } else { CHUNK };
        let work = || match self {
            Answers::Closest(hits) if whole => engine.closest_hits(rays, hits),
            Answers::Any(hits) if whole => engine.any_hits(rays, hits),
            Answers::Closest(hits) => rays
                .par_chunks(chunk)
                .zip(hits.par_chunks_mut(chunk))
                .for_each(|(rays, hits)| engine.closest_hits(rays, hits)),
            Answers::Any(hits) => rays
                .par_chunks(chunk)
                .zip(hits.par_chunks_mut(chunk))
                .for_each(|(rays, hits)| engine.any_hits(rays, hits)),
        };
        catch_unwind(AssertUnwindSafe(|| pool.install(|| clock.time(work)))).ok()
    }

    /// Compares the answers with the exact first hits.
    pub(crate) fn agreement(&self, rays: &[Ray], exact: &[Hit]) -> Agreement {
        match self {
            Answers::Closest(hits) => Agreement::of_closest_hits(rays, exact, hits),
            Answers::Any(hits) => Agreement::of_any_hits(rays, exact, hits),
        }
    }
}

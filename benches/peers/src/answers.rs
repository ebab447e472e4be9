//! Queries of an engine on a pool of threads.

use crate::clock::Clock;
use crate::engine::Queries;
use crate::number::Number;
use crate::ray::{Hit, Ray};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Rays that a thread takes at a time, and the block size of samples: neighbouring rays stay
/// together.
pub(crate) const CHUNK: usize = 1024;

/// Buffers for the answers to either question.
pub(crate) enum Answers<F: Number = f32> {
    Closest(Vec<Hit<F>>),
    Any(Vec<bool>),
}

impl<F: Number> Answers<F> {
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
        clock: Clock,
        engine: &dyn Queries<F>,
        rays: &[Ray<F>],
        pool: &ThreadPool,
    ) -> Option<f64> {
        let chunk = chunk(engine, rays.len(), pool);
        let work = || match self {
            Answers::Closest(hits) if chunk >= rays.len() => engine.closest_hits(rays, hits),
            Answers::Any(hits) if chunk >= rays.len() => engine.any_hits(rays, hits),
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
}

/// Returns how many of `count` rays or points an engine gets at a time.
pub(crate) fn chunk<F: Number>(engine: &dyn Queries<F>, count: usize, pool: &ThreadPool) -> usize {
    let whole = engine.spreads_itself() || pool.current_num_threads() == 1;
    if whole { count.max(1) } else { CHUNK }
}

//! The settings of a batch, and its one way of going through the rays.

use crate::{BatchError, HitRows};
use estoc_core::{CancelToken, Cull, Hit, HitBuffer, PrimId, QueryOptions, Ray, RayQuery};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Settings of a batch of rays. The default works in the rayon pool that the caller is in,
/// counts both sides and leaves nothing out.
///
/// Answers come in the order of the rays and do not depend on threads or chunk size.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    options: QueryOptions,
    threads: usize,
    chunk_size: usize,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(usize) + Sync)>,
}

impl Default for Batch<'_> {
    fn default() -> Self {
        Batch {
            options: QueryOptions::new(),
            threads: 0,
            chunk_size: 256,
            cancel: None,
            progress: None,
        }
    }
}

impl<'a> Batch<'a> {
    /// The default settings.
    pub fn new() -> Self {
        Batch::default()
    }

    /// Works with so many threads of its own, started for each call; 0, the default, means
    /// the rayon pool that the caller is in.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Batch { threads, ..self }
    }

    /// Sets how many rays a thread takes at a time, 256 by default; 0 is taken for 1. Memory
    /// is allocated per chunk, never per ray.
    #[must_use]
    pub fn chunk_size(self, rays: usize) -> Self {
        let chunk_size = rays.max(1);
        Batch { chunk_size, ..self }
    }

    /// Sets which sides are left out.
    #[must_use]
    pub fn cull(self, cull: Cull) -> Self {
        let options = self.options.cull(cull);
        Batch { options, ..self }
    }

    /// Sets a primitive to leave out for every ray.
    #[must_use]
    pub fn skip(self, skip: Option<PrimId>) -> Self {
        let options = self.options.skip(skip);
        Batch { options, ..self }
    }

    /// Stops soon after the token is raised: each thread finishes its chunk.
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        let cancel = Some(token);
        Batch { cancel, ..self }
    }

    /// Is called from any thread after each chunk, with the number of rays done so far. Calls
    /// from different threads may overtake each other.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(usize) + Sync)) -> Self {
        let progress = Some(progress);
        Batch { progress, ..self }
    }

    /// The first hit of each ray.
    ///
    /// # Errors
    /// [`BatchError::Cancelled`], or [`BatchError::Threads`] when the system has none.
    pub fn closest_hits<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<Vec<Option<Hit>>, BatchError> {
        let mut hits = vec![None; rays.len()];
        self.closest_hits_into(engine, rays, &mut hits)?;
        Ok(hits)
    }

    /// The first hit of each ray, into room that the caller has.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits), and [`BatchError::Room`] when there is not
    /// room for exactly one answer a ray. After `Cancelled` some answers are missing.
    pub fn closest_hits_into<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
        hits: &mut [Option<Hit>],
    ) -> Result<(), BatchError> {
        self.fill(rays, hits, |ray| {
            // Without `after` in the options there is no error to come.
            engine.closest_hit_with(ray, &self.options).unwrap_or(None)
        })
    }

    /// Whether each ray hits anything.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits).
    pub fn any_hits<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<Vec<bool>, BatchError> {
        self.collect(rays, |ray| engine.any_hit_with(ray, &self.options))
    }

    /// How many triangles each ray touches.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits).
    pub fn count_hits<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<Vec<usize>, BatchError> {
        self.collect(rays, |ray| engine.count_hits_with(ray, &self.options))
    }

    /// How often each ray crosses the surface.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits).
    pub fn count_crossings<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<Vec<usize>, BatchError> {
        self.collect(rays, |ray| engine.count_crossings_with(ray, &self.options))
    }

    /// All hits of each ray, in its order.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits).
    pub fn all_hits<Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: &[Ray],
    ) -> Result<HitRows, BatchError> {
        let chunks: Vec<(Vec<usize>, Vec<Hit>)> = self.run(rays.len(), |done| {
            rays.par_chunks(self.chunk_size)
                .map_init(HitBuffer::new, |buffer, rays| {
                    let mut lengths = Vec::with_capacity(rays.len());
                    let mut hits = Vec::new();
                    for ray in rays {
                        let row = engine.all_hits_in(ray, &self.options, buffer);
                        let row = row.unwrap_or_default();
                        lengths.push(row.len());
                        hits.extend_from_slice(row);
                    }
                    done(rays.len())?;
                    Ok((lengths, hits))
                })
                .collect()
        })?;
        let mut rows = HitRows::default();
        rows.offsets.reserve_exact(rays.len());
        rows.hits
            .reserve_exact(chunks.iter().map(|(_, hits)| hits.len()).sum());
        let mut end = 0;
        for (lengths, hits) in chunks {
            rows.offsets.extend(lengths.iter().map(|length| {
                end += length;
                end
            }));
            rows.hits.extend(hits);
        }
        Ok(rows)
    }

    fn collect<T: Copy + Default + Send, E>(
        &self,
        rays: &[Ray],
        ask: impl Fn(&Ray) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, BatchError> {
        let mut answers = vec![T::default(); rays.len()];
        self.fill(rays, &mut answers, |ray| ask(ray).unwrap_or_default())?;
        Ok(answers)
    }

    /// One answer a ray, in place.
    fn fill<T: Send>(
        &self,
        rays: &[Ray],
        answers: &mut [T],
        ask: impl Fn(&Ray) -> T + Sync,
    ) -> Result<(), BatchError> {
        if answers.len() != rays.len() {
            let (rays, room) = (rays.len(), answers.len());
            return Err(BatchError::Room { rays, room });
        }
        self.run(rays.len(), |done| {
            answers
                .par_chunks_mut(self.chunk_size)
                .zip(rays.par_chunks(self.chunk_size))
                .try_for_each(|(answers, rays)| {
                    for (answer, ray) in answers.iter_mut().zip(rays) {
                        *answer = ask(ray);
                    }
                    done(rays.len())
                })
        })
    }

    /// Runs parallel work in the right pool. The work calls `done` after each chunk and
    /// stops on its error.
    fn run<T: Send>(
        &self,
        rays: usize,
        work: impl FnOnce(&(dyn Fn(usize) -> Result<(), BatchError> + Sync)) -> Result<T, BatchError>
        + Send,
    ) -> Result<T, BatchError> {
        let total = AtomicUsize::new(0);
        let check_cancel = || match self.cancel {
            Some(token) if token.is_cancelled() => Err(BatchError::Cancelled),
            _ => Ok(()),
        };
        let done = |chunk: usize| {
            check_cancel()?;
            if let Some(progress) = self.progress {
                progress(total.fetch_add(chunk, Ordering::Relaxed) + chunk);
            }
            Ok(())
        };
        check_cancel()?;
        if self.threads == 0 || rays == 0 {
            return work(&done);
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| BatchError::Threads {
                threads: self.threads,
                reason: error.to_string(),
            })?
            .install(|| work(&done))
    }
}

//! The settings of a batch.

use crate::cache_sizes::CacheSizes;
use crate::coherence::Coherence;
use estoc_core::{CancelToken, Cull, PrimId, Progress, QueryOptions, Technique};
use std::fmt;

/// Settings of a batch of rays or points, and the queries that take them. The default works in the rayon
/// pool that the caller is in, counts both sides and leaves nothing out.
///
/// Answers come in the order of the rays and do not depend, to the bit, on threads, chunk size,
/// or anything else that a [`Plan`](crate::Plan) holds.
///
/// `I` is what an engine names its primitives by: [`PrimId`] for triangles.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{Batch, BruteForce, Cull, Ray, Triangle, batch::Coherence};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [1.0, -1.0].map(|z| Ray::new([0.25, 0.25, z], [0.0, 0.0, -z]));
/// let fronts = Batch::new().cull(Cull::Back).coherence(Coherence::Incoherent);
/// assert_eq!(fronts.any_hits(&engine, &rays)?, [true, false]);
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Batch<'a, I = PrimId> {
    pub(crate) options: QueryOptions<I>,
    pub(crate) options_each: Option<&'a [QueryOptions<I>]>,
    pub(crate) active: Option<&'a [bool]>,
    pub(crate) threads: usize,
    pub(crate) chunk_size: Option<usize>,
    pub(crate) max_hits: Option<usize>,
    pub(crate) cancel: Option<&'a CancelToken>,
    pub(crate) progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    pub(crate) coherence: Coherence,
    pub(crate) technique: Option<Technique>,
    pub(crate) reorder: bool,
    pub(crate) caches: Option<CacheSizes>,
}

impl<I: fmt::Debug> fmt::Debug for Batch<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("options", &self.options)
            .field("has_options_each", &self.options_each.is_some())
            .field("has_flags", &self.active.is_some())
            .field("threads", &self.threads)
            .field("chunk_size", &self.chunk_size)
            .field("max_hits", &self.max_hits)
            .field("can_cancel", &self.cancel.is_some())
            .field("has_progress", &self.progress.is_some())
            .field("coherence", &self.coherence)
            .field("technique", &self.technique)
            .field("reorder", &self.reorder)
            .field("caches", &self.caches)
            .finish()
    }
}

impl<I> Default for Batch<'_, I> {
    fn default() -> Self {
        Batch {
            options: QueryOptions::default(),
            options_each: None,
            active: None,
            threads: 0,
            chunk_size: None,
            max_hits: None,
            cancel: None,
            progress: None,
            coherence: Coherence::Auto,
            technique: None,
            reorder: false,
            caches: None,
        }
    }
}

impl Batch<'_> {
    /// The default settings.
    pub fn new() -> Self {
        Batch::default()
    }
}

/// What is asked of all rays, and of which.
impl<'a, I: Copy> Batch<'a, I> {
    /// Sets the options of all rays, in place of what [`cull`](Batch::cull),
    /// [`skip`](Batch::skip) and [`mask`](Batch::mask) set before. A ray that does not hit what `after` names is an error.
    #[must_use]
    pub fn options(self, options: QueryOptions<I>) -> Self {
        Batch { options, ..self }
    }

    /// Sets which sides are left out.
    #[must_use]
    pub fn cull(self, cull: Cull) -> Self {
        let options = self.options.cull(cull);
        Batch { options, ..self }
    }

    /// Sets a primitive to leave out for every ray.
    #[must_use]
    pub fn skip(self, skip: Option<I>) -> Self {
        let options = self.options.skip(skip);
        Batch { options, ..self }
    }

    /// Sets which groups of primitives every ray sees; see
    /// [`QueryOptions::mask`](field@QueryOptions::mask).
    #[must_use]
    pub fn mask(self, mask: u32) -> Self {
        let options = self.options.mask(mask);
        Batch { options, ..self }
    }

    /// Sets the options of each ray, as many as there are rays; those of all rays no longer
    /// matter.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, PrimId, QueryOptions, Ray, Triangle};
    /// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let rays = [Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]); 2];
    /// let options = [None, PrimId::new(0)].map(|skip| QueryOptions::new().skip(skip));
    /// let hit = Batch::new().options_each(&options).any_hits(&engine, &rays)?;
    /// assert_eq!(hit, [true, false]);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    #[must_use]
    pub fn options_each(self, options: &'a [QueryOptions<I>]) -> Self {
        let options_each = Some(options);
        Batch {
            options_each,
            ..self
        }
    }

    /// Sets which rays are asked, a flag each: the others hit nothing and cost next to nothing.
    #[must_use]
    pub fn active(self, active: &'a [bool]) -> Self {
        let active = Some(active);
        Batch { active, ..self }
    }

    /// Sets how many hits a question with any number of hits for each ray
    /// ([`all_hits`](Batch::all_hits), [`first_hits`](Batch::first_hits),
    /// [`crossings`](Batch::crossings)) may answer, of all rays together; more are [`BatchError::TooManyHits`]. While they are gathered
    /// each thread may hold as many again of a chunk that turns out to be too much, and the chunks
    /// are joined by a copy: so memory is bounded by `threads + 1` times so many hits. No limit by
    /// default.
    ///
    /// [`BatchError::TooManyHits`]: crate::BatchError::TooManyHits
    #[must_use]
    pub fn max_hits(self, hits: usize) -> Self {
        let max_hits = Some(hits);
        Batch { max_hits, ..self }
    }
}

/// How it is done. No answer depends on any of it.
impl<'a, I: Copy> Batch<'a, I> {
    /// Uses `threads` threads of its own, started for each call; 0, the default, means the rayon
    /// pool that the caller is in. With 1, and for few rays, it is the thread of the caller.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Batch { threads, ..self }
    }

    /// Sets how many rays a thread takes at a time; 0 is taken for 1. Without, the
    /// [`Plan`](crate::Plan)
    /// does. Memory is allocated per chunk, never per ray. Multiples of 64 keep what two threads
    /// write in different lines of the cache.
    #[must_use]
    pub fn chunk_size(self, rays: usize) -> Self {
        let chunk_size = Some(rays);
        Batch { chunk_size, ..self }
    }

    /// Says whether rays that lie side by side go the same way, for those who know; without, a
    /// few samples tell.
    #[must_use]
    pub fn coherence(self, coherence: Coherence) -> Self {
        Batch { coherence, ..self }
    }

    /// Sets the technique, for measurements; by default the [`Plan`](crate::Plan) chooses it.
    #[must_use]
    pub fn technique(self, technique: impl Into<Option<Technique>>) -> Self {
        let technique = technique.into();
        Batch { technique, ..self }
    }

    /// Sets whether rays are cast in another order than they come in, `false` by default: sorted by
    /// origin and direction, a window at a time, but for rays with options of their own or that
    /// continue behind a triangle. Answers come in the order of the rays all the same.
    ///
    /// Pays where shuffled rays go [one by one](Technique::OneByOne) through a tree far larger
    /// than the caches (1.25 to 1.6 times as fast on two million triangles). With several rays
    /// under way it does not (0.94).
    #[must_use]
    pub fn reorder(self, reorder: bool) -> Self {
        Batch { reorder, ..self }
    }

    /// Plans for these caches instead of [those of this machine](CacheSizes::of_this_machine).
    #[must_use]
    pub fn caches(self, caches: CacheSizes) -> Self {
        let caches = Some(caches);
        Batch { caches, ..self }
    }

    /// Stops soon after the token is raised: each thread finishes its chunk.
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        let cancel = Some(token);
        Batch { cancel, ..self }
    }

    /// Calls a function from any thread after each chunk, with the number of items done so far and
    /// how many there are; a stream does not know that. Calls from different threads may overtake
    /// each other. A panic in the function ends the batch and reaches the caller.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        let progress = Some(progress);
        Batch { progress, ..self }
    }
}

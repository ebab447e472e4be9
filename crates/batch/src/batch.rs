//! The settings of a batch.

use crate::cache_sizes::CacheSizes;
use crate::coherence::Coherence;
use estoc_core::{CancelToken, Cull, PrimId, Progress, QueryOptions, Technique};
use std::fmt;

/// Settings of a batch of rays, points, moving spheres or regions, and the methods that run it. By default a batch runs in
/// the caller's rayon pool, counts hits of both sides and excludes nothing.
///
/// Answers come in the order of the rays, but for `ForChunks` of estoc-batch. They do not depend, to the
/// bit, on threads, chunk size, or anything else in a [`Plan`](crate::Plan).
///
/// # The order of rays
/// Rays that follow each other in the list are traced together, so neighbours should be close to
/// each other in space, too:
/// - Rays of a picture are fastest tile by tile, each of 16 by 16 pixels, and within a tile by
///   blocks of 4 by 4 pixels. Several rays of each pixel should follow each other.
/// - Scanlines are nearly as fast: where a batch recognises four or more of at least 16 rays each,
///   it groups them in such tiles ([`Plan::tile_rows`](crate::Plan::tile_rows)). A stream sees only
///   the scanlines of one block at a time; set [`chunk_size`](Batch::chunk_size) to 16 scanlines.
/// - Rays that leave a surface are best in the order of the camera rays that hit it.
/// - Shuffled rays are slowest. [`reorder`](Batch::reorder) sorts them where that pays.
///
/// `I` is the type by which an engine names its primitives: [`PrimId`] for triangles. It is inferred.
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

impl<I> Batch<'_, I> {
    /// Returns the default settings. `I` follows from the engine that is asked, or from the options;
    /// where there is neither, write `Batch::<PrimId>::new()`.
    pub fn new() -> Self {
        Batch::default()
    }
}

/// Settings that affect the answers.
impl<'a, I: Copy> Batch<'a, I> {
    /// Sets the options of all rays, replacing those set by [`cull`](Batch::cull),
    /// [`skip`](Batch::skip) and [`mask`](Batch::mask). A ray that does not hit the primitive named
    /// in `after` is an error.
    #[must_use]
    pub fn options(self, options: QueryOptions<I>) -> Self {
        Batch { options, ..self }
    }

    /// Sets which sides of triangles are culled.
    #[must_use]
    pub fn cull(self, cull: Cull) -> Self {
        let options = self.options.cull(cull);
        Batch { options, ..self }
    }

    /// Sets a primitive that no ray hits.
    #[must_use]
    pub fn skip(self, skip: Option<I>) -> Self {
        let options = self.options.skip(skip);
        Batch { options, ..self }
    }

    /// Sets the mask of every ray; see [`QueryOptions::mask`](field@QueryOptions::mask).
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Ray, Triangle, query::Masks};
    /// let triangle = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    /// let engine = BruteForce::new([triangle]).with_masks(Masks::from_runs([(1, 0b10)]));
    /// let rays = [Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])];
    /// assert_eq!(Batch::new().mask(0b01).any_hits(&engine, &rays)?, [false]);
    /// assert_eq!(Batch::new().mask(0b11).any_hits(&engine, &rays)?, [true]);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    #[must_use]
    pub fn mask(self, mask: u32) -> Self {
        let options = self.options.mask(mask);
        Batch { options, ..self }
    }

    /// Sets the options of each ray, one entry per ray; the options of all rays are then ignored.
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

    /// Sets a flag per ray: rays whose flag is `false` hit nothing and cost almost nothing.
    #[must_use]
    pub fn active(self, active: &'a [bool]) -> Self {
        let active = Some(active);
        Batch { active, ..self }
    }

    /// Limits the total number of hits of all rays for questions with any number of hits per ray
    /// ([`All`](estoc_core::All), [`FirstK`](estoc_core::FirstK),
    /// [`Crossings`](estoc_core::Crossings)), and that of the triangles of all points or regions
    /// ([`ClosestK`](estoc_core::ClosestK), [`Within`](estoc_core::Within),
    /// [`overlaps`](Batch::overlaps)); more are [`BatchError::TooManyHits`]. There is no limit by
    /// default.
    ///
    /// While hits are gathered, each thread may hold up to `hits` more, of a chunk that turns out
    /// to exceed the limit, and the chunks are joined by a copy. Memory is thus bounded by `threads
    /// + 1` times `hits`.
    ///
    /// [`BatchError::TooManyHits`]: crate::BatchError::TooManyHits
    #[must_use]
    pub fn max_hits(self, hits: usize) -> Self {
        let max_hits = Some(hits);
        Batch { max_hits, ..self }
    }
}

/// Settings that affect the execution, never the answers.
impl<'a, I: Copy> Batch<'a, I> {
    /// Uses a private pool of `threads` threads, started for each call. With 0, the default, the
    /// batch runs in the caller's rayon pool. With 1, and for few rays, it runs in the caller's
    /// thread. More than 1,024 are [`BatchError::Threads`](crate::BatchError::Threads). Without the feature
    /// `rayon` it always runs in the caller's thread.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Batch { threads, ..self }
    }

    /// Sets how many rays a thread takes at a time; 0 is treated as 1. By default the
    /// [`Plan`](crate::Plan) chooses. Memory is allocated per chunk, never per ray. With multiples
    /// of 64, two threads never write to the same cache line. More than 2^30 are
    /// [`BatchError::ChunkSize`](crate::BatchError::ChunkSize).
    #[must_use]
    pub fn chunk_size(self, rays: usize) -> Self {
        let chunk_size = Some(rays);
        Batch { chunk_size, ..self }
    }

    /// Sets whether adjacent rays start close together and have similar directions; by default a
    /// few rays are sampled to find out.
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

    /// Sets whether rays are reordered before they are cast, `false` by default. They are sorted by
    /// origin and direction within windows; rays with individual options, or with `after` set, keep
    /// their order. Answers still come in the order of the rays.
    ///
    /// Reordering pays where shuffled rays are cast [one by one](Technique::OneByOne) through a
    /// tree far larger than the caches (1.25 to 1.6 times as fast on two million triangles). With
    /// several rays in flight it does not (0.94). A thousand or more points are sorted anyway, for
    /// questions about what is near them or about their sign and a tree that exceeds a core's cache
    /// (1.5 to 1.9 times as fast where they come in random order).
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

    /// Stops the batch soon after the token is raised: each thread finishes its current chunk.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
    /// use estoc::{Batch, BruteForce, CancelToken, Ray, Triangle, BatchError};
    /// let engine = BruteForce::new([Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let rays = [Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]); 1000];
    /// let token = CancelToken::new();
    /// token.cancel(); // Usually from another thread, which has a clone.
    /// let stopped = Batch::new().cancel(&token).any_hits(&engine, &rays);
    /// assert_eq!(stopped, Err(BatchError::Cancelled));
    /// ```
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        let cancel = Some(token);
        Batch { cancel, ..self }
    }

    /// Calls `progress` from any thread after each chunk, with the number of items done so far and
    /// the total; for a stream the total is unknown. Calls from different threads may arrive out of
    /// order. A panic in the function ends the batch and propagates to the caller.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
    /// use estoc::{Batch, BruteForce, Progress, Ray, Triangle};
    /// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// let engine = BruteForce::new([Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let rays = [Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]); 1000];
    /// let most = AtomicU64::new(0);
    /// let show = |progress: Progress| _ = most.fetch_max(progress.done, Relaxed);
    /// Batch::new().progress(&show).any_hits(&engine, &rays)?;
    /// assert_eq!(most.into_inner(), 1000);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        let progress = Some(progress);
        Batch { progress, ..self }
    }
}

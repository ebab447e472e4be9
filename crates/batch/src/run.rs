//! Processes all rays chunk by chunk, for every kind of query.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::items::Items;
use crate::plan::Plan;
use crate::reorder;
use crate::report::BatchReport;
use crate::scanline_tiles::ScanlineTiles;
use estoc_core::{CancelToken, Progress, QuerySlice, Technique, TechniqueCounts};
use estoc_system::parallel::{self, ThreadPool, prelude::*};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

/// The rays or points that one thread processes at a time.
pub(crate) struct Chunk<'a, T, I> {
    /// The number of rays before these.
    pub(crate) first: usize,
    /// The rays, in the order in which they are cast.
    pub(crate) many: QuerySlice<'a, T, I>,
    /// The indices of the answers, if the rays were reordered.
    pub(crate) order: Option<&'a [u32]>,
}

impl<T, I> Chunk<'_, T, I> {
    /// Returns the index of the answer of the ray at position `cast`.
    #[inline]
    pub(crate) fn place(&self, cast: usize) -> usize {
        self.order.map_or(cast, |order| order[cast] as usize)
    }
}

/// What is done with each chunk and the outputs that belong to it.
pub(crate) type Work<'w, T, Item, I> =
    dyn Fn(Chunk<'_, Item, I>, &mut [T]) -> Result<TechniqueCounts, BatchError> + Sync + 'w;

/// What is done with each chunk and its number.
type ChunkWork<'w, Item, I> =
    dyn Fn(Chunk<'_, Item, I>, usize) -> Result<TechniqueCounts, BatchError> + Sync + 'w;

/// Scratch memory that a thread reuses for each chunk.
struct ThreadBuffers<T> {
    gathered: Vec<T>,
    sorted: Vec<T>,
    order: Vec<u32>,
    keys: Vec<(u32, u32)>,
    active: Vec<bool>,
}

impl<T> Default for ThreadBuffers<T> {
    fn default() -> Self {
        ThreadBuffers {
            gathered: Vec::new(),
            sorted: Vec::new(),
            order: Vec::new(),
            keys: Vec::new(),
            active: Vec::new(),
        }
    }
}

/// Scratch memory for each thread.
struct AllBuffers<T>(Vec<Mutex<ThreadBuffers<T>>>);

impl<T> AllBuffers<T> {
    fn new(threads: usize) -> Self {
        AllBuffers((0..threads).map(|_| Mutex::default()).collect())
    }

    /// Calls `work` with the scratch memory of this thread. Never waits: a thread from outside the
    /// pool, or one whose memory is in use further down its own stack, gets new memory.
    fn with<A>(&self, work: impl FnOnce(&mut ThreadBuffers<T>) -> A) -> A {
        let thread = parallel::current_thread_index().unwrap_or(0) % self.0.len();
        match self.0[thread].try_lock() {
            Ok(mut buffers) => work(&mut buffers),
            Err(TryLockError::Poisoned(buffers)) => work(&mut buffers.into_inner()),
            Err(TryLockError::WouldBlock) => work(&mut ThreadBuffers::default()),
        }
    }
}

impl<I: Copy + Send + Sync> Batch<'_, I> {
    /// Processes all rays as planned. `work` is called with each chunk and the `share` elements of
    /// `outputs` that belong to it.
    pub(crate) fn run<T: Send, L: Items>(
        &self,
        plan: Plan,
        rays: L,
        outputs: &mut [T],
        share: usize,
        work: &Work<'_, T, L::Item, I>,
    ) -> Result<BatchReport, BatchError> {
        // Each is locked by the thread that takes the chunk.
        let parts: Vec<_> = outputs.chunks_mut(share).map(Mutex::new).collect();
        self.run_chunks(plan, rays, parts.len(), &|chunk, number| {
            let mut outputs = parts[number].lock().unwrap_or_else(PoisonError::into_inner);
            work(chunk, &mut outputs)
        })
    }

    /// Processes all rays as planned, in `chunks` chunks. `work` is called with each, and with its number. It is
    /// not a type parameter, so that this is compiled once for all questions.
    pub(crate) fn run_chunks<L: Items>(
        &self,
        plan: Plan,
        rays: L,
        chunks: usize,
        work: &ChunkWork<'_, L::Item, I>,
    ) -> Result<BatchReport, BatchError> {
        let run = Run::new(self, rays.len());
        BatchError::if_cancelled(self.cancel)?;
        let step = |buffers: &mut ThreadBuffers<L::Item>, number: usize| {
            let Some(begun) = run.begin(number) else {
                return TechniqueCounts::default();
            };
            let first = number * plan.chunk_size;
            let count = plan.chunk_size.min(rays.len() - first);
            let done = match plan.tile_rows > 0 && Technique::HAS_OTHERS {
                false => work(self.chunk(&plan, &rays, first, count, buffers), number),
                true => self.tiles(&plan, &rays, (number, first..first + count), buffers, work),
            };
            begun.end(count, done)
        };
        let techniques = match plan.threads {
            threads if threads > 1 && parallel::HAS_THREADS => {
                let all_buffers = AllBuffers::new(threads);
                each_in_parallel(self.threads, chunks, &|number| {
                    all_buffers.with(|buffers| step(buffers, number))
                })?
            }
            _ => {
                let mut buffers = ThreadBuffers::default();
                let done = (0..chunks).map(|number| step(&mut buffers, number));
                done.fold(TechniqueCounts::default(), |sum, techniques| {
                    sum + techniques
                })
            }
        };
        run.end()?;
        Ok(BatchReport {
            plan,
            rays: rays.len() as u64,
            techniques,
        })
    }

    /// Returns the rays of a chunk in the form that the engine takes.
    fn chunk<'r, L: Items>(
        &'r self,
        plan: &Plan,
        rays: &'r L,
        first: usize,
        count: usize,
        buffers: &'r mut ThreadBuffers<L::Item>,
    ) -> Chunk<'r, L::Item, I> {
        let range = first..first + count;
        let rays = rays.chunk(range.clone(), &mut buffers.gathered);
        let mut active = self.active.map(|active| &active[range.clone()]);
        let (mut cast, mut order) = (rays, None);
        if plan.reorder {
            reorder::sort(rays, &mut buffers.order, &mut buffers.keys);
            gather(&buffers.order, rays, &mut buffers.sorted);
            if let Some(flags) = active {
                gather(&buffers.order, flags, &mut buffers.active);
                active = Some(&buffers.active);
            }
            (cast, order) = (&buffers.sorted, Some(&*buffers.order));
        }
        let mut many = self.slice(plan, cast, active);
        if let Some(options) = self.options_each {
            many = many.options_each(&options[range]);
        }
        Chunk { first, many, order }
    }

    /// Returns rays in the form that the engine takes, with the options of all rays.
    fn slice<'r, T: Copy>(
        &'r self,
        plan: &Plan,
        rays: &'r [T],
        active: Option<&'r [bool]>,
    ) -> QuerySlice<'r, T, I> {
        let many = QuerySlice::new(rays)
            .technique(plan.technique)
            .adaptive(plan.facts.forced.is_none())
            .options(&self.options);
        active.map_or(many, |active| many.active(active))
    }

    /// Calls `work` with the rays of a chunk in the order of [`ScanlineTiles`], part by part. The rays
    /// have the same options.
    fn tiles<L: Items>(
        &self,
        plan: &Plan,
        rays: &L,
        (number, range): (usize, Range<usize>),
        buffers: &mut ThreadBuffers<L::Item>,
        work: &ChunkWork<'_, L::Item, I>,
    ) -> Result<TechniqueCounts, BatchError> {
        let first = range.start;
        let rays = rays.chunk(range.clone(), &mut buffers.gathered);
        let flags = self.active.map(|active| &active[range]);
        let mut tiles = ScanlineTiles::new(rays.len(), plan.facts.sampled.scanline, plan.tile_rows);
        let mut done = TechniqueCounts::default();
        while tiles.next_part(&mut buffers.order) {
            // A chunk may be sixteen long scanlines.
            BatchError::if_cancelled(self.cancel)?;
            gather(&buffers.order, rays, &mut buffers.sorted);
            let active = flags.map(|flags| {
                gather(&buffers.order, flags, &mut buffers.active);
                &*buffers.active
            });
            let many = self.slice(plan, &buffers.sorted, active);
            let order = Some(&*buffers.order);
            done += work(Chunk { first, many, order }, number)?;
        }
        Ok(done)
    }
}

/// Runs `work` in a private pool of `threads` threads, or, for 0, where it is called.
pub(crate) fn in_pool<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, BatchError> {
    match threads {
        0 => Ok(work()),
        threads => Ok(pool(threads)?.install(work)),
    }
}

/// Calls `step` with each number below `count`, in parallel, and returns the sum.
fn each_in_parallel(
    threads: usize,
    count: usize,
    step: &(dyn Fn(usize) -> TechniqueCounts + Sync),
) -> Result<TechniqueCounts, BatchError> {
    in_pool(threads, || {
        // Jobs of a single chunk, so that idle threads can steal all the others.
        let numbers = (0..count).into_par_iter().with_max_len(1);
        numbers
            .map(step)
            .reduce_with(|a, b| a + b)
            .unwrap_or_default()
    })
}

/// Replaces the contents of `to` by those elements of `from`, in this order.
fn gather<T: Copy>(order: &[u32], from: &[T], to: &mut Vec<T>) {
    to.clear();
    to.extend(order.iter().map(|&place| from[place as usize]));
}

/// Returns a private pool of `threads` threads.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, BatchError> {
    let start = |()| parallel::new_pool(threads);
    let started = estoc_system::check_threads(threads).and_then(start);
    started.map_err(|reason| BatchError::Threads { threads, reason })
}

/// State shared by the chunks of one run.
struct Run<'a> {
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    rays: usize,
    done: AtomicUsize,
    /// Chunks from this index on are not started, because an earlier one failed.
    stop: AtomicUsize,
    /// The first chunk that failed, and the error.
    failed: Mutex<Option<(usize, BatchError)>>,
}

impl<'a> Run<'a> {
    fn new<I>(batch: &Batch<'a, I>, rays: usize) -> Self {
        Run {
            cancel: batch.cancel,
            progress: batch.progress,
            rays,
            done: AtomicUsize::new(0),
            stop: AtomicUsize::new(usize::MAX),
            failed: Mutex::new(None),
        }
    }

    /// Starts a chunk, unless an earlier one failed. Chunks before a failed one still run, so the
    /// reported error is always that of the first failing chunk, whatever the timing.
    fn begin(&self, chunk: usize) -> Option<Begun<'_, 'a>> {
        if chunk >= self.stop.load(Ordering::Relaxed) {
            return None;
        }
        match BatchError::if_cancelled(self.cancel) {
            Ok(()) => Some(Begun {
                run: self,
                chunk,
                has_ended: false,
            }),
            Err(error) => {
                self.fail(chunk, error);
                None
            }
        }
    }

    fn fail(&self, chunk: usize, error: BatchError) {
        self.stop.fetch_min(chunk, Ordering::Relaxed);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(first, _)| chunk < *first) {
            *failed = Some((chunk, error));
        }
    }

    fn end(self) -> Result<(), BatchError> {
        let failed = self.failed.into_inner();
        match failed.unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// A chunk in progress.
struct Begun<'r, 'a> {
    run: &'r Run<'a>,
    chunk: usize,
    has_ended: bool,
}

impl Begun<'_, '_> {
    pub(crate) fn end(
        mut self,
        rays: usize,
        done: Result<TechniqueCounts, BatchError>,
    ) -> TechniqueCounts {
        let run = self.run;
        let techniques = match done {
            Err(error) => {
                run.fail(self.chunk, error);
                TechniqueCounts::default()
            }
            Ok(techniques) => {
                if let Some(progress) = run.progress {
                    let done = run.done.fetch_add(rays, Ordering::Relaxed) + rays;
                    debug_assert!(done <= run.rays);
                    progress(Progress::new(done as u64, run.rays as u64));
                }
                techniques
            }
        };
        self.has_ended = true;
        techniques
    }
}

impl Drop for Begun<'_, '_> {
    /// After a panic, which propagates to the caller, no other chunk starts.
    fn drop(&mut self) {
        if !self.has_ended {
            self.run.stop.store(0, Ordering::Relaxed);
        }
    }
}

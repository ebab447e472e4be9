//! One way through all rays, chunk by chunk, for every kind of query.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::items::Items;
use crate::plan::Plan;
use crate::reorder;
use crate::report::BatchReport;
use estoc_core::{CancelToken, Progress, QuerySlice, TechniqueCounts};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

/// The rays, or points, that one thread works on at a time.
pub(crate) struct Chunk<'a, T, I> {
    /// How many rays come before these.
    pub(crate) first: usize,
    /// The rays, in the order to be cast.
    pub(crate) many: QuerySlice<'a, T, I>,
    /// Where the answers of rays belong, when the order is not that of the caller.
    pub(crate) order: Option<&'a [u32]>,
}

impl<T, I> Chunk<'_, T, I> {
    /// Returns where the answer of the ray that is cast at this place belongs.
    #[inline]
    pub(crate) fn place(&self, cast: usize) -> usize {
        self.order.map_or(cast, |order| order[cast] as usize)
    }
}

/// Memory that a thread uses for one chunk after the other.
struct Room<T> {
    gathered: Vec<T>,
    sorted: Vec<T>,
    order: Vec<u32>,
    keys: Vec<(u32, u32)>,
    active: Vec<bool>,
}

impl<T> Default for Room<T> {
    fn default() -> Self {
        Room {
            gathered: Vec::new(),
            sorted: Vec::new(),
            order: Vec::new(),
            keys: Vec::new(),
            active: Vec::new(),
        }
    }
}

/// Room for each of some threads.
struct Rooms<T>(Vec<Mutex<Room<T>>>);

impl<T> Rooms<T> {
    fn new(threads: usize) -> Self {
        Rooms((0..threads).map(|_| Mutex::default()).collect())
    }

    /// Lends the room of the thread that asks. Nobody ever waits: whoever comes from elsewhere,
    /// or finds it in use by work further down its own stack, gets a new one.
    fn with<A>(&self, work: impl FnOnce(&mut Room<T>) -> A) -> A {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        match self.0[thread].try_lock() {
            Ok(mut room) => work(&mut room),
            Err(TryLockError::Poisoned(room)) => work(&mut room.into_inner()),
            Err(TryLockError::WouldBlock) => work(&mut Room::default()),
        }
    }
}

impl<I: Copy + Send + Sync> Batch<'_, I> {
    /// Goes through all rays as planned. `work` gets each chunk with its own part of `outputs`,
    /// `share` of them.
    pub(crate) fn run<T: Send, L: Items>(
        &self,
        plan: Plan,
        rays: L,
        outputs: &mut [T],
        share: usize,
        work: impl Fn(Chunk<'_, L::Item, I>, &mut [T]) -> Result<TechniqueCounts, BatchError> + Sync,
    ) -> Result<BatchReport, BatchError> {
        let run = Run::new(self, rays.len());
        run.check_cancel()?;
        let step = |room: &mut Room<L::Item>, number: usize, outputs: &mut [T]| {
            let Some(begun) = run.begin(number) else {
                return TechniqueCounts::default();
            };
            let first = number * plan.chunk_size;
            let count = plan.chunk_size.min(rays.len() - first);
            let done = work(self.chunk(&plan, &rays, first, count, room), outputs);
            begun.end(count, done)
        };
        let techniques = match plan.threads {
            1 => {
                let mut room = Room::default();
                let parts = outputs.chunks_mut(share).enumerate();
                let done = parts.map(|(number, outputs)| step(&mut room, number, outputs));
                done.fold(TechniqueCounts::default(), |sum, techniques| {
                    sum + techniques
                })
            }
            threads => self.in_pool(|| {
                let rooms = Rooms::new(threads);
                // Pieces of one chunk, so that no thread keeps what another could take.
                let parts = outputs.par_chunks_mut(share).enumerate().with_max_len(1);
                parts
                    .map(|(number, outputs)| rooms.with(|room| step(room, number, outputs)))
                    .reduce(TechniqueCounts::default, |a, b| a + b)
            })?,
        };
        run.end()?;
        Ok(BatchReport {
            plan,
            rays: rays.len() as u64,
            techniques,
        })
    }

    /// These rays as the engine gets them.
    fn chunk<'r, L: Items>(
        &'r self,
        plan: &Plan,
        rays: &'r L,
        first: usize,
        count: usize,
        room: &'r mut Room<L::Item>,
    ) -> Chunk<'r, L::Item, I> {
        let range = first..first + count;
        let rays = rays.chunk(range.clone(), &mut room.gathered);
        let mut active = self.active.map(|active| &active[range.clone()]);
        let (mut cast, mut order) = (rays, None);
        if plan.reorder {
            reorder::sort(rays, &mut room.order, &mut room.keys);
            let places = || room.order.iter().map(|&place| place as usize);
            room.sorted.clear();
            room.sorted.extend(places().map(|place| rays[place]));
            if let Some(flags) = active {
                room.active.clear();
                room.active.extend(places().map(|place| flags[place]));
                active = Some(&room.active);
            }
            (cast, order) = (&room.sorted, Some(&*room.order));
        }
        let mut many = QuerySlice::new(cast).technique(plan.technique);
        many = match self.options_each {
            None => many.options(&self.options),
            Some(options) => many.options_each(&options[range]),
        };
        if let Some(active) = active {
            many = many.active(active);
        }
        Chunk { first, many, order }
    }

    /// Works in threads of its own if it is to have some.
    pub(crate) fn in_pool<T: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, BatchError> {
        match self.threads {
            0 => Ok(work()),
            threads => Ok(pool(threads)?.install(work)),
        }
    }
}

/// So many threads.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, BatchError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| BatchError::Threads {
            threads,
            reason: error.to_string(),
        })
}

/// What the chunks of one run share.
struct Run<'a> {
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    rays: usize,
    done: AtomicUsize,
    /// Chunks from this one on need not begin: one that comes before them failed.
    stop: AtomicUsize,
    /// The first chunk that failed, and why.
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

    fn check_cancel(&self) -> Result<(), BatchError> {
        match self.cancel {
            Some(token) if token.is_cancelled() => Err(BatchError::Cancelled),
            _ => Ok(()),
        }
    }

    /// Whether a chunk is still wanted. Those before one that failed are: so it is the first of
    /// all failures that the caller is told, whatever thread was faster.
    fn begin(&self, chunk: usize) -> Option<Begun<'_, 'a>> {
        if chunk >= self.stop.load(Ordering::Relaxed) {
            return None;
        }
        match self.check_cancel() {
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

/// A chunk that is being worked on.
struct Begun<'r, 'a> {
    run: &'r Run<'a>,
    chunk: usize,
    has_ended: bool,
}

impl Begun<'_, '_> {
    fn end(mut self, rays: usize, done: Result<TechniqueCounts, BatchError>) -> TechniqueCounts {
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
    /// After a panic no other chunk begins: it will reach the caller all the same.
    fn drop(&mut self) {
        if !self.has_ended {
            self.run.stop.store(0, Ordering::Relaxed);
        }
    }
}

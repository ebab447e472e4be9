//! One way through all rays, chunk by chunk, for every kind of query.

use crate::{Batch, BatchError, BatchReport, Plan, Rays, reorder};
use estoc_core::{Many, ManyError, QueryOptions, Ray, Shares};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

/// The rays that one thread works on at a time.
pub(crate) struct Chunk<'a> {
    /// How many rays come before these.
    pub(crate) first: usize,
    /// The rays, in the order to be cast.
    pub(crate) many: Many<'a>,
    /// Where the answers of rays belong, when the order is not that of the caller.
    pub(crate) order: Option<&'a [u32]>,
}

/// Memory that a thread uses for one chunk after the other.
#[derive(Default)]
struct Room {
    gathered: Vec<Ray>,
    sorted: Vec<Ray>,
    order: Vec<u32>,
    keys: Vec<(u32, u32)>,
    active: Vec<bool>,
}

/// Room for each of some threads.
struct Rooms(Vec<Mutex<Room>>);

impl Rooms {
    fn new(threads: usize) -> Self {
        Rooms((0..threads).map(|_| Mutex::default()).collect())
    }

    /// Lends the room of the thread that asks. Nobody ever waits: whoever comes from elsewhere,
    /// or finds it in use by work further down its own stack, gets a new one.
    fn with<A>(&self, work: impl FnOnce(&mut Room) -> A) -> A {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        match self.0[thread].try_lock() {
            Ok(mut room) => work(&mut room),
            Err(TryLockError::Poisoned(room)) => work(&mut room.into_inner()),
            Err(TryLockError::WouldBlock) => work(&mut Room::default()),
        }
    }
}

impl Batch<'_> {
    /// Goes through all rays as planned. `work` gets each chunk with its own part of `outputs`,
    /// `share` of them.
    pub(crate) fn run<T: Send>(
        &self,
        plan: Plan,
        rays: Rays<'_>,
        outputs: &mut [T],
        share: usize,
        work: impl Fn(Chunk<'_>, &mut [T]) -> Result<Shares, BatchError> + Sync,
    ) -> Result<BatchReport, BatchError> {
        let run = Run::new(self, rays.len());
        run.check_cancel()?;
        let step = |room: &mut Room, number: usize, outputs: &mut [T]| {
            let Some(begun) = run.begin(number) else {
                return Shares::default();
            };
            let first = number * plan.chunk_size;
            let count = plan.chunk_size.min(rays.len() - first);
            let done = work(self.chunk(&plan, rays, first, count, room), outputs);
            begun.end(count, done)
        };
        let shares = match plan.threads {
            1 => {
                let mut room = Room::default();
                let parts = outputs.chunks_mut(share).enumerate();
                let done = parts.map(|(number, outputs)| step(&mut room, number, outputs));
                done.fold(Shares::default(), |sum, shares| sum + shares)
            }
            threads => self.in_pool(|| {
                let rooms = Rooms::new(threads);
                // Pieces of one chunk, so that no thread keeps what another could take.
                let parts = outputs.par_chunks_mut(share).enumerate().with_max_len(1);
                parts
                    .map(|(number, outputs)| rooms.with(|room| step(room, number, outputs)))
                    .reduce(Shares::default, |a, b| a + b)
            })?,
        };
        run.end()?;
        Ok(BatchReport {
            plan,
            rays: rays.len() as u64,
            shares,
        })
    }

    /// Goes through all rays for one answer each.
    pub(crate) fn fill<A: Copy + Default + Send>(
        &self,
        plan: Plan,
        rays: Rays<'_>,
        answers: &mut [A],
        ask: impl Fn(&Many<'_>, &mut [A]) -> Result<Shares, ManyError> + Sync,
    ) -> Result<BatchReport, BatchError> {
        if answers.len() != rays.len() {
            let (rays, room) = (rays.len(), answers.len());
            return Err(BatchError::Room { rays, room });
        }
        self.run(plan, rays, answers, plan.chunk_size, |chunk, answers| {
            let shares = match chunk.order {
                None => ask(&chunk.many, answers),
                Some(order) => {
                    let mut sorted = vec![A::default(); answers.len()];
                    ask(&chunk.many, &mut sorted).inspect(|_| {
                        for (&place, answer) in order.iter().zip(sorted) {
                            answers[place as usize] = answer;
                        }
                    })
                }
            };
            shares.map_err(|error| BatchError::of_many(error, chunk.first))
        })
    }

    /// These rays as the engine gets them.
    fn chunk<'r>(
        &'r self,
        plan: &Plan,
        rays: Rays<'r>,
        first: usize,
        count: usize,
        room: &'r mut Room,
    ) -> Chunk<'r> {
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
        let mut many = Many::new(cast).technique(plan.technique);
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

    /// That there are as many options and flags as rays.
    pub(crate) fn check_lengths(&self, rays: usize) -> Result<(), BatchError> {
        let options = self.options_each.map(<[QueryOptions]>::len);
        let flags = self.active.map(<[bool]>::len);
        for (what, found) in [("options", options), ("flags", flags)] {
            match found {
                Some(found) if found != rays => {
                    return Err(BatchError::Length { what, rays, found });
                }
                _ => {}
            }
        }
        Ok(())
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
    batch: &'a Batch<'a>,
    rays: usize,
    done: AtomicUsize,
    /// Chunks from this one on need not begin: one that comes before them failed.
    stop: AtomicUsize,
    /// The first chunk that failed, and why.
    failed: Mutex<Option<(usize, BatchError)>>,
}

impl<'a> Run<'a> {
    fn new(batch: &'a Batch<'a>, rays: usize) -> Self {
        Run {
            batch,
            rays,
            done: AtomicUsize::new(0),
            stop: AtomicUsize::new(usize::MAX),
            failed: Mutex::new(None),
        }
    }

    fn check_cancel(&self) -> Result<(), BatchError> {
        match self.batch.cancel {
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
    fn end(mut self, rays: usize, done: Result<Shares, BatchError>) -> Shares {
        let run = self.run;
        let shares = match done {
            Err(error) => {
                run.fail(self.chunk, error);
                Shares::default()
            }
            Ok(shares) => {
                if let Some(progress) = run.batch.progress {
                    let total = run.done.fetch_add(rays, Ordering::Relaxed) + rays;
                    debug_assert!(total <= run.rays);
                    progress(total);
                }
                shares
            }
        };
        self.has_ended = true;
        shares
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

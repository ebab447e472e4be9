//! Blocks of rays on their way from the source over the threads to the sink.

use super::{RayItem, StreamError, Streamed};
use crate::run::pool;
use crate::{Batch, BatchError, BatchReport, Plan, Query, Rays};
use estoc_core::Ray;
use std::collections::VecDeque;
use std::iter::Fuse;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// Blocks that may be on their way at a time, for each thread and beside: one is cast, one waits
/// for that, one waits to be delivered.
const BLOCKS_A_THREAD: usize = 2;
const BLOCKS_BESIDE: usize = 2;

/// Rays with their answers, and memory to be used again.
#[derive(Default)]
pub(super) struct Block<A> {
    pub(super) rays: Vec<Ray>,
    pub(super) answers: A,
}

pub(super) type Solved = Result<BatchReport, BatchError>;

/// A block that is done, with its number; nothing when casting it panicked.
type Message<A> = Option<(u64, Block<A>, Solved)>;

/// How blocks go.
pub(super) struct Pump<'a> {
    batch: &'a Batch<'a>,
    /// The plan of a stream without rays.
    plan: Plan,
    block_size: usize,
}

impl<'a> Pump<'a> {
    pub(super) fn new(batch: &'a Batch<'a>, tree_bytes: usize, query: Query) -> Self {
        let none: &[Ray] = &[];
        let plan = batch.plan_of(tree_bytes, Rays::from(none), query);
        let block_size = match batch.chunk_size {
            Some(size) => size.max(1),
            None => Plan::block_size(tree_bytes, query),
        };
        Pump {
            batch,
            plan,
            block_size,
        }
    }

    /// Runs until the source or the sink ends it.
    pub(super) fn run<I: Iterator<Item: RayItem>, A: Default + Send, B>(
        &self,
        rays: I,
        solve: impl Fn(&mut Block<A>) -> Solved + Sync,
        sink: impl FnMut(&Block<A>) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        self.batch.check_endless()?;
        let source = Source::new(rays, self.block_size);
        let threads = match self.batch.threads {
            0 => rayon::current_num_threads(),
            threads => threads,
        };
        let sink = Sink {
            sink,
            progress: self.batch.progress,
            threads,
            report: self.plan.into(),
        };
        let stop = AtomicBool::new(false);
        match self.batch.threads {
            1 => self.in_turn(source, sink, solve),
            0 => rayon::in_place_scope(|scope| {
                let workers = Workers {
                    scope,
                    solve: &solve,
                    stop: &stop,
                    has_caller: true,
                };
                self.in_parallel(source, sink, &workers)
            }),
            threads => pool(threads)?.in_place_scope(|scope| {
                let workers = Workers {
                    scope,
                    solve: &solve,
                    stop: &stop,
                    has_caller: false,
                };
                self.in_parallel(source, sink, &workers)
            }),
        }
    }

    fn check_cancel(&self) -> Result<(), BatchError> {
        match self.batch.cancel {
            Some(token) if token.is_cancelled() => Err(BatchError::Cancelled),
            _ => Ok(()),
        }
    }

    fn in_turn<I: Iterator<Item: RayItem>, A: Default, B>(
        &self,
        mut source: Source<I>,
        mut sink: Sink<'_, impl FnMut(&Block<A>) -> ControlFlow<B>>,
        solve: impl Fn(&mut Block<A>) -> Solved,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let mut block = Block::default();
        loop {
            self.check_cancel()?;
            if !source.fill(&mut block.rays) {
                return source.end(sink.report);
            }
            let solved = solve(&mut block);
            if let ControlFlow::Break(value) = sink.deliver(&block, solved)? {
                return Ok(ControlFlow::Break(value));
            }
        }
    }

    fn in_parallel<'scope, I: Iterator<Item: RayItem>, A: Default + Send + 'scope, B>(
        &self,
        mut source: Source<I>,
        mut sink: Sink<'_, impl FnMut(&Block<A>) -> ControlFlow<B>>,
        workers: &Workers<'_, 'scope, impl Fn(&mut Block<A>) -> Solved + Sync>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let most = BLOCKS_A_THREAD * sink.threads + BLOCKS_BESIDE;
        let (done, results) = mpsc::channel();
        // What comes next, in order: blocks that are done before those before them wait here.
        let mut waiting: VecDeque<Option<(Block<A>, Solved)>> = VecDeque::with_capacity(most);
        let mut free: Vec<Block<A>> = Vec::with_capacity(most);
        let (mut delivered, mut has_more) = (0, true);
        // However this ends, blocks that nobody waits for are not cast.
        let _stop = RaiseInTheEnd(workers.stop);
        loop {
            self.check_cancel()?;
            let mut message = results.try_recv().ok();
            if message.is_none() {
                if has_more && waiting.len() < most {
                    let mut block = free.pop().unwrap_or_default();
                    has_more = source.fill(&mut block.rays);
                    if has_more {
                        let number = delivered + waiting.len() as u64;
                        waiting.push_back(None);
                        workers.cast(number, block, done.clone());
                    }
                } else if waiting.is_empty() {
                    return source.end(sink.report);
                } else {
                    message = Some(workers.wait(&results));
                }
            }
            match message {
                None => continue,
                // The scope passes the panic on as soon as this is left.
                Some(None) => return Err(BatchError::Cancelled.into()),
                Some(Some((number, block, solved))) => {
                    waiting[(number - delivered) as usize] = Some((block, solved));
                }
            }
            while let Some((block, solved)) = waiting.front_mut().and_then(Option::take) {
                // The receiver of the last one may have raised the token.
                self.check_cancel()?;
                waiting.pop_front();
                delivered += 1;
                if let ControlFlow::Break(value) = sink.deliver(&block, solved)? {
                    return Ok(ControlFlow::Break(value));
                }
                free.push(block);
            }
        }
    }
}

/// The threads that cast blocks.
struct Workers<'s, 'scope, F> {
    scope: &'s rayon::Scope<'scope>,
    solve: &'scope F,
    stop: &'scope AtomicBool,
    /// Whether the caller's thread may be one of them.
    has_caller: bool,
}

impl<'scope, F> Workers<'_, 'scope, F> {
    /// Has a block cast; `done` will be told.
    fn cast<A: Send + 'scope>(&self, number: u64, mut block: Block<A>, done: Sender<Message<A>>)
    where
        F: Fn(&mut Block<A>) -> Solved + Sync,
    {
        let Workers { solve, stop, .. } = *self;
        self.scope.spawn(move |_| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let mut teller = Teller {
                done,
                message: None,
            };
            let solved = solve(&mut block);
            teller.message = Some((number, block, solved));
        });
    }

    /// The next message. A caller who is one of the workers must not just sleep: there may be no
    /// other.
    fn wait<A>(&self, results: &Receiver<Message<A>>) -> Message<A> {
        const A_WHILE: Duration = Duration::from_millis(1);
        loop {
            let helped = self.has_caller && rayon::yield_now() == Some(rayon::Yield::Executed);
            let message = match helped {
                true => results.try_recv().ok(),
                false => results.recv_timeout(A_WHILE).ok(),
            };
            if let Some(message) = message {
                return message;
            }
        }
    }
}

/// Tells that a block is done, or, by dropping, that there was a panic.
struct Teller<A> {
    done: Sender<Message<A>>,
    message: Message<A>,
}

impl<A> Drop for Teller<A> {
    fn drop(&mut self) {
        // Nobody listens any more once the sink broke off.
        let _ = self.done.send(self.message.take());
    }
}

struct RaiseInTheEnd<'a>(&'a AtomicBool);

impl Drop for RaiseInTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Rays in blocks, up to the first error.
pub(super) struct Source<I: Iterator<Item: RayItem>> {
    /// Fused: what has ended is not asked again, whatever the size of blocks.
    rays: Fuse<I>,
    size: usize,
    count: u64,
    error: Option<<I::Item as RayItem>::Error>,
}

impl<I: Iterator<Item: RayItem>> Source<I> {
    pub(super) fn new(rays: I, size: usize) -> Self {
        Source {
            rays: rays.fuse(),
            size,
            count: 0,
            error: None,
        }
    }

    /// Whether there is another block. After an error the source is not asked again.
    pub(super) fn fill(&mut self, block: &mut Vec<Ray>) -> bool {
        block.clear();
        if self.error.is_some() {
            return false;
        }
        for item in self.rays.by_ref().take(self.size) {
            match item.into_result() {
                Ok(ray) => block.push(ray),
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        self.count += block.len() as u64;
        !block.is_empty()
    }

    /// Why there is no other block, if that is an error.
    pub(super) fn take_error(&mut self) -> Option<StreamError<<I::Item as RayItem>::Error>> {
        let ray = self.count;
        let error = self.error.take()?;
        Some(StreamError::Source { ray, error })
    }

    /// What the stream ends with.
    fn end<B>(mut self, report: BatchReport) -> Streamed<B, <I::Item as RayItem>::Error> {
        match self.take_error() {
            None => Ok(ControlFlow::Continue(report)),
            Some(error) => Err(error),
        }
    }
}

/// Where answers go, and what they add up to.
struct Sink<'a, F> {
    sink: F,
    progress: Option<&'a (dyn Fn(usize) + Sync)>,
    threads: usize,
    report: BatchReport,
}

impl<F> Sink<'_, F> {
    /// Hands on a block, or what went wrong with it.
    fn deliver<A, B>(
        &mut self,
        block: &Block<A>,
        solved: Solved,
    ) -> Result<ControlFlow<B>, BatchError>
    where
        F: FnMut(&Block<A>) -> ControlFlow<B>,
    {
        let before = self.report.rays;
        let mut part = solved.map_err(|error| error.after(before))?;
        part.plan.threads = self.threads;
        match before {
            0 => self.report = part,
            _ => self.report += part,
        }
        let flow = (self.sink)(block);
        if let Some(progress) = self.progress {
            progress(self.report.rays as usize);
        }
        Ok(flow)
    }
}

impl Batch<'_> {
    /// The settings for one block, which one thread casts at once.
    pub(super) fn for_block(&self, rays: usize) -> Self {
        Batch {
            threads: 1,
            chunk_size: Some(rays),
            progress: None,
            ..*self
        }
    }

    /// That nothing is set that only a list of rays can have.
    pub(super) fn check_endless(&self) -> Result<(), BatchError> {
        match (self.options_each, self.active) {
            (Some(_), _) => Err(BatchError::Endless { what: "options" }),
            (_, Some(_)) => Err(BatchError::Endless { what: "flags" }),
            _ => Ok(()),
        }
    }
}

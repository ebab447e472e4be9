//! Moves blocks of rays from the source through the workers to the sink.

use super::{StreamError, StreamItem, StreamOutcome};
use crate::batch::Batch;
use crate::error::BatchError;
use crate::plan::Plan;
use crate::report::BatchReport;
use crate::run::pool;
use estoc_core::{CancelToken, Progress};
use std::collections::VecDeque;
use std::iter::Fuse;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// The number of blocks in memory: this many per thread, one being cast and one waiting, and some
/// in addition, which wait to be delivered.
const BLOCKS_A_THREAD: usize = 2;
const BLOCKS_BESIDE: usize = 2;

/// Rays or points with their answers, in reusable memory.
pub(super) struct Block<T, A> {
    pub(super) items: Vec<T>,
    pub(super) answers: A,
}

impl<T, A: Default> Default for Block<T, A> {
    fn default() -> Self {
        Block {
            items: Vec::new(),
            answers: A::default(),
        }
    }
}

pub(super) type Solved = Result<BatchReport, BatchError>;

/// A finished block with its number; `None` if casting it panicked.
type Message<K> = Option<(u64, K, Solved)>;

/// A block of items from this source.
pub(super) type BlockOf<S, A> = Block<<<S as Iterator>::Item as StreamItem>::Item, A>;

/// The settings of a stream's execution.
pub(super) struct Pump<'a> {
    threads: usize,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// The plan of a stream without rays, to which reports are added.
    plan: Plan,
    block_size: usize,
}

impl<'a> Pump<'a> {
    /// Returns the settings; `plan` is that of a stream without rays.
    pub(super) fn new<I>(batch: &Batch<'a, I>, plan: Plan, usual_block_size: usize) -> Self {
        Pump {
            threads: batch.threads,
            cancel: batch.cancel,
            progress: batch.progress,
            plan,
            block_size: batch
                .chunk_size
                .map_or(usual_block_size, |size| size.max(1)),
        }
    }

    /// Runs until the source ends or the sink breaks.
    pub(super) fn run<S: Iterator<Item: StreamItem>, A: Default + Send, B>(
        &self,
        items: S,
        solve: impl Fn(&mut BlockOf<S, A>) -> Solved + Sync,
        sink: impl FnMut(&BlockOf<S, A>) -> ControlFlow<B>,
    ) -> StreamOutcome<B, <S::Item as StreamItem>::Error> {
        let source = Source::new(items, self.block_size);
        let threads = match self.threads {
            0 => rayon::current_num_threads(),
            threads => threads,
        };
        let sink = Sink {
            sink,
            progress: self.progress,
            threads,
            report: self.plan.into(),
        };
        let stop = AtomicBool::new(false);
        match self.threads {
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
        match self.cancel {
            Some(token) if token.is_cancelled() => Err(BatchError::Cancelled),
            _ => Ok(()),
        }
    }

    fn in_turn<S: Iterator<Item: StreamItem>, A: Default, B>(
        &self,
        mut source: Source<S>,
        mut sink: Sink<'_, impl FnMut(&BlockOf<S, A>) -> ControlFlow<B>>,
        solve: impl Fn(&mut BlockOf<S, A>) -> Solved,
    ) -> StreamOutcome<B, <S::Item as StreamItem>::Error> {
        let mut block = Block::default();
        loop {
            self.check_cancel()?;
            if !source.fill(&mut block.items) {
                return source.end(sink.report);
            }
            let solved = solve(&mut block);
            if let ControlFlow::Break(value) = sink.deliver(&block, solved)? {
                return Ok(ControlFlow::Break(value));
            }
        }
    }

    fn in_parallel<'scope, S: Iterator<Item: StreamItem>, A: Default + Send + 'scope, B>(
        &self,
        mut source: Source<S>,
        mut sink: Sink<'_, impl FnMut(&BlockOf<S, A>) -> ControlFlow<B>>,
        workers: &Workers<'_, 'scope, impl Fn(&mut BlockOf<S, A>) -> Solved + Sync>,
    ) -> StreamOutcome<B, <S::Item as StreamItem>::Error> {
        let most = BLOCKS_A_THREAD * sink.threads + BLOCKS_BESIDE;
        let (done, results) = mpsc::channel();
        // The next blocks in order: finished blocks wait here for earlier ones.
        let mut waiting: VecDeque<Option<(BlockOf<S, A>, Solved)>> = VecDeque::with_capacity(most);
        let mut free: Vec<BlockOf<S, A>> = Vec::with_capacity(most);
        let (mut delivered, mut has_more) = (0, true);
        // However this function ends, blocks that are no longer needed are not cast.
        let _stop = RaiseInTheEnd(workers.stop);
        loop {
            self.check_cancel()?;
            let mut message = results.try_recv().ok();
            if message.is_none() {
                if has_more && waiting.len() < most {
                    let mut block = free.pop().unwrap_or_default();
                    has_more = source.fill(&mut block.items);
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
                // The scope propagates the panic when this function returns.
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
    /// Spawns the casting of a block; `done` receives the message.
    fn cast<K: Send + 'scope>(&self, number: u64, mut block: K, done: Sender<Message<K>>)
    where
        F: Fn(&mut K) -> Solved + Sync,
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

    /// Returns the next message. If the caller's thread is a worker it must not merely sleep, since
    /// it may be the only one.
    fn wait<K>(&self, results: &Receiver<Message<K>>) -> Message<K> {
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

/// Sends the message that a block is done, or, if dropped during a panic, `None`.
struct Teller<K> {
    done: Sender<Message<K>>,
    message: Message<K>,
}

impl<K> Drop for Teller<K> {
    fn drop(&mut self) {
        // The receiver is gone once the sink has broken off.
        let _ = self.done.send(self.message.take());
    }
}

struct RaiseInTheEnd<'a>(&'a AtomicBool);

impl Drop for RaiseInTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The rays of a source in blocks, up to the first error.
pub(super) struct Source<S: Iterator<Item: StreamItem>> {
    /// Fused: an iterator that has ended is not called again.
    items: Fuse<S>,
    size: usize,
    count: u64,
    error: Option<<S::Item as StreamItem>::Error>,
}

impl<S: Iterator<Item: StreamItem>> Source<S> {
    pub(super) fn new(items: S, size: usize) -> Self {
        Source {
            items: items.fuse(),
            size,
            count: 0,
            error: None,
        }
    }

    /// Fills the block and returns whether it holds any items. After an error the source is not
    /// read again.
    pub(super) fn fill(&mut self, block: &mut Vec<<S::Item as StreamItem>::Item>) -> bool {
        block.clear();
        if self.error.is_some() {
            return false;
        }
        for item in self.items.by_ref().take(self.size) {
            match item.into_result() {
                Ok(item) => block.push(item),
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        self.count += block.len() as u64;
        !block.is_empty()
    }

    /// Returns the error that ended the source, if any.
    pub(super) fn take_error(&mut self) -> Option<StreamError<<S::Item as StreamItem>::Error>> {
        let ray = self.count;
        let error = self.error.take()?;
        Some(StreamError::Source { ray, error })
    }

    /// Returns the outcome of the stream.
    fn end<B>(mut self, report: BatchReport) -> StreamOutcome<B, <S::Item as StreamItem>::Error> {
        match self.take_error() {
            None => Ok(ControlFlow::Continue(report)),
            Some(error) => Err(error),
        }
    }
}

/// The sink, and the sum of the reports.
struct Sink<'a, F> {
    sink: F,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    threads: usize,
    report: BatchReport,
}

impl<F> Sink<'_, F> {
    /// Delivers a block, or returns its error.
    fn deliver<K, B>(&mut self, block: &K, solved: Solved) -> Result<ControlFlow<B>, BatchError>
    where
        F: FnMut(&K) -> ControlFlow<B>,
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
            progress(Progress::new(self.report.rays, None));
        }
        Ok(flow)
    }
}

impl<I: Copy> Batch<'_, I> {
    /// Returns the settings for one block, which one thread casts.
    pub(super) fn for_block(&self, rays: usize) -> Self {
        Batch {
            threads: 1,
            chunk_size: Some(rays),
            progress: None,
            ..*self
        }
    }

    /// Checks that no setting is used that applies only to lists.
    pub(super) fn check_endless(&self) -> Result<(), BatchError> {
        match (self.options_each, self.active) {
            (Some(_), _) => Err(BatchError::Endless { what: "options" }),
            (_, Some(_)) => Err(BatchError::Endless { what: "flags" }),
            _ => Ok(()),
        }
    }
}

//! Moves blocks of rays from the source through the workers to the sink.

use super::{StreamError, StreamItem, StreamOutcome};
use crate::batch::Batch;
use crate::error::BatchError;
use crate::plan::Plan;
use crate::report::BatchReport;
use estoc_core::{CancelToken, Progress};
use std::iter::Fuse;
use std::ops::ControlFlow;

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

/// A block of items from this source.
pub(super) type BlockOf<S, A> = Block<<<S as Iterator>::Item as StreamItem>::Item, A>;

/// Replaces items by the next ones of the source; returns whether there are any.
pub(super) type Fill<'f, T> = dyn FnMut(&mut Vec<T>) -> Result<bool, BatchError> + 'f;

/// Finds the answers of a block.
pub(super) type Solve<'s, K> = dyn Fn(&mut K) -> Solved + Sync + 's;

/// The settings of a stream's execution.
pub(super) struct Pump<'a> {
    pub(super) threads: usize,
    pub(super) cancel: Option<&'a CancelToken>,
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

    /// Runs until the source ends or the sink breaks. What moves the blocks knows only their type,
    /// not those of source and sink: it is large, and compiled once for all of these.
    pub(super) fn run<S: Iterator<Item: StreamItem>, A: Default + Send, B>(
        &self,
        items: S,
        solve: &Solve<'_, BlockOf<S, A>>,
        mut sink: impl FnMut(&BlockOf<S, A>) -> ControlFlow<B>,
    ) -> StreamOutcome<B, <S::Item as StreamItem>::Error> {
        let mut source = Source::new(items, self.block_size);
        let mut value = None;
        let mut sink = Sink {
            sink: &mut |block| sink(block).map_break(|last| value = Some(last)),
            progress: self.progress,
            threads: match self.threads {
                0 => estoc_system::parallel::current_num_threads(),
                threads => threads,
            },
            report: self.plan.into(),
        };
        self.move_blocks(&mut |items| source.fill(items), &mut sink, solve)?;
        let report = sink.report;
        match value {
            Some(value) => Ok(ControlFlow::Break(value)),
            None => source.end(report),
        }
    }

    /// Moves blocks until `fill` has no more items or the sink breaks.
    fn move_blocks<T: Send, A: Default + Send>(
        &self,
        fill: &mut Fill<'_, T>,
        sink: &mut Sink<'_, Block<T, A>>,
        solve: &Solve<'_, Block<T, A>>,
    ) -> Result<(), BatchError> {
        match self.threads {
            1 => self.in_turn(fill, sink, solve),
            #[cfg(feature = "rayon")]
            _ => self.in_threads(fill, sink, solve),
            #[cfg(not(feature = "rayon"))]
            _ => self.in_turn(fill, sink, solve),
        }
    }

    fn in_turn<T, A: Default>(
        &self,
        fill: &mut Fill<'_, T>,
        sink: &mut Sink<'_, Block<T, A>>,
        solve: &Solve<'_, Block<T, A>>,
    ) -> Result<(), BatchError> {
        let mut block = Block::default();
        loop {
            BatchError::if_cancelled(self.cancel)?;
            if !fill(&mut block.items)? {
                return Ok(());
            }
            let solved = solve(&mut block);
            if sink.deliver(&block, solved)?.is_break() {
                return Ok(());
            }
        }
    }
}

/// The rays of a source in blocks, up to the first error.
struct Source<S: Iterator<Item: StreamItem>> {
    /// Fused: an iterator that has ended is not called again.
    items: Fuse<S>,
    size: usize,
    count: u64,
    error: Option<<S::Item as StreamItem>::Error>,
}

impl<S: Iterator<Item: StreamItem>> Source<S> {
    fn new(items: S, size: usize) -> Self {
        Source {
            items: items.fuse(),
            size,
            count: 0,
            error: None,
        }
    }

    /// Fills the block and returns whether it holds any items. After an error the source is not
    /// read again.
    fn fill(&mut self, block: &mut Vec<<S::Item as StreamItem>::Item>) -> Result<bool, BatchError> {
        block.clear();
        if self.error.is_some() {
            return Ok(false);
        }
        for item in self.items.by_ref().take(self.size) {
            match item.into_result() {
                Ok(item) if block.try_reserve(1).is_ok() => block.push(item),
                Ok(_) => return Err(BatchError::NoMemory { ray: 0 }.after(self.count)),
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        self.count += block.len() as u64;
        Ok(!block.is_empty())
    }

    /// Returns the outcome of the stream.
    fn end<B>(self, report: BatchReport) -> StreamOutcome<B, <S::Item as StreamItem>::Error> {
        let ray = self.count;
        match self.error {
            None => Ok(ControlFlow::Continue(report)),
            Some(error) => Err(StreamError::Source { ray, error }),
        }
    }
}

/// The sink, and the sum of the reports.
pub(super) struct Sink<'a, K> {
    sink: &'a mut dyn FnMut(&K) -> ControlFlow<()>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    pub(super) threads: usize,
    report: BatchReport,
}

impl<K> Sink<'_, K> {
    /// Delivers a block, or returns its error.
    pub(super) fn deliver(
        &mut self,
        block: &K,
        solved: Solved,
    ) -> Result<ControlFlow<()>, BatchError> {
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

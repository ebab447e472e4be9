//! Reads, answers and writes at the same time.

use crate::block::{Block, Passed};
use crate::input::Input;
use crate::input_error::InputError;
use crate::item::Item;
use crate::open_file::InputProgress;
use crate::output::{AnsweredBlock, Answers, HitSink, OutputError};
use estoc_core::CancelToken;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Blocks that wait between two stages, at most.
const WAITING: usize = 1;

/// The number of blocks in memory at a time: one is read, one is answered, one is written, and some
/// wait.
const IN_FLIGHT: u64 = 3 + 2 * WAITING as u64;

/// The bytes of an item and its answer in all stages that hold it, without what is passed through:
/// the item, its numbers in the file, its hit, and its row before and after it is encoded.
const ROW_BYTES: u64 = 160;

/// How much is in memory at a time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of all blocks together, about.
    pub memory: u64,
    /// Items of a block, at most.
    pub block: usize,
}

impl Default for Limits {
    /// Returns 1 GiB, and blocks of 32,768 items for each of rayon's threads, from 65,536 to 262,144:
    /// small blocks stay in the caches, and large ones keep many threads busy. Outside of a pool, this
    /// starts the global one.
    fn default() -> Self {
        let each = rayon::current_num_threads().saturating_mul(1 << 15);
        Limits {
            memory: 1 << 30,
            block: each.clamp(1 << 16, 1 << 18),
        }
    }
}

impl Limits {
    /// Returns limits with this many bytes.
    pub fn memory(memory: u64) -> Self {
        Limits {
            memory,
            ..Limits::default()
        }
    }

    /// Returns the number of items of a block, at least 1,024: `extra` is the number of bytes that an
    /// item takes beyond its numbers and its answer.
    pub fn items(&self, extra: u64) -> usize {
        let fitting = self.memory / IN_FLIGHT / (ROW_BYTES + extra);
        let fitting = usize::try_from(fitting).unwrap_or(usize::MAX);
        // Rounded, so that most sizes divide a group of rows of a file.
        (fitting.min(self.block) / 1024 * 1024).max(1024)
    }
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Items that were answered.
    pub items: u64,
    /// Rows that were written.
    pub rows: u64,
    /// Numbers that were rounded; see [`Input::rounded`].
    pub rounded: u64,
}

/// Why a run ended early. Rows of the items before it are written, but the result is not finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError<E> {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The output cannot be written.
    #[error(transparent)]
    Output(OutputError),
    /// The items cannot be answered.
    #[error("{0}")]
    Answer(E),
    /// The system has no threads for reading and writing.
    #[error("cannot start a thread: {0}")]
    Threads(std::io::Error),
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// What watches a run.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Watch<'a> {
    /// Ends the run soon when it is set.
    pub cancel: Option<&'a CancelToken>,
    /// Is told the number of items answered and how much of the input is read, after each block.
    pub progress: Option<&'a dyn Fn(u64, InputProgress)>,
}

impl<'a> Watch<'a> {
    /// Returns what a token cancels.
    pub fn cancel(cancel: &'a CancelToken) -> Self {
        Watch {
            cancel: Some(cancel),
            progress: None,
        }
    }

    /// Sets what is told the progress.
    #[must_use]
    pub fn progress(self, progress: &'a dyn Fn(u64, InputProgress)) -> Self {
        Watch {
            progress: Some(progress),
            ..self
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }
}

/// A block as the reader hands it over.
struct ReadBlock<T> {
    block: Block<T>,
    progress: InputProgress,
    /// The error after its items.
    error: Option<InputError>,
}

/// What of a block is written with its answers.
#[derive(Debug)]
struct Kept {
    first_row: u64,
    ids: Option<Vec<i64>>,
    masks: Option<Vec<u32>>,
    passed: Passed,
}

/// Takes the answers about the items of a block, piece by piece and in order.
#[derive(Debug)]
pub struct Emit<'a> {
    kept: Arc<Kept>,
    to: &'a SyncSender<(Arc<Kept>, Answers)>,
    rows: u64,
    is_closed: bool,
}

impl Emit<'_> {
    /// Returns the row of the block's first item in the input.
    pub fn first_row(&self) -> u64 {
        self.kept.first_row
    }

    /// Returns the mask of each of the block's items, if the input has that column.
    pub fn masks(&self) -> Option<&[u32]> {
        self.kept.masks.as_deref()
    }

    /// Hands over answers, which are written while the next are made. Waits if others are waiting.
    pub fn put(&mut self, answers: Answers) {
        self.rows += answers.rows() as u64;
        // The writer ends early only with an error, which is then that of the run.
        self.is_closed |= self.to.send((Arc::clone(&self.kept), answers)).is_err();
    }

    /// Returns whether nothing more can be written, so that no more answers are needed.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// Reads the rows of an input, answers them block by block in the caller's thread, and writes the
/// answers, all at the same time. The output is not finished.
///
/// `answer` gives the answers about all items of a block to [`Emit::put`], in order. An error ends the
/// run; items before a row that cannot be read are answered and written first.
///
/// # Errors
/// [`RunError`], the first in the order of the rows.
pub fn run<T: Item, E>(
    input: &mut Input<T>,
    rows: Range<u64>,
    limits: Limits,
    mut answer: impl FnMut(&[T], &mut Emit<'_>) -> Result<(), E>,
    sink: &mut dyn HitSink,
    watch: Watch<'_>,
) -> Result<Summary, RunError<E>> {
    if rows.start > input.row() {
        input.seek(rows.start)?;
    }
    let most = limits.items(input.passed_bytes());
    let before = input.rounded();
    let mut summary = Summary::default();
    let done = std::thread::scope(|scope| {
        let (blocks_to, blocks) = sync_channel::<ReadBlock<T>>(WAITING);
        let (answers_to, answers) = sync_channel(WAITING);
        let named = |name: &str| std::thread::Builder::new().name(name.into());
        let input = &mut *input;
        named("rays reader")
            .spawn_scoped(scope, move || read_all(input, rows.end, most, &blocks_to))
            .map_err(RunError::Threads)?;
        let writer = named("hits writer")
            .spawn_scoped(scope, move || write_all(&answers, sink))
            .map_err(RunError::Threads)?;
        let answered = answer_all(&blocks, &answers_to, &mut answer, watch, &mut summary);
        // Ends the reader, which may wait to hand over a block, and the writer.
        drop((blocks, answers_to));
        match writer.join() {
            Ok(Ok(())) => answered,
            Ok(Err(error)) => Err(RunError::Output(error)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    summary.rounded = input.rounded() - before;
    done.map(|()| summary)
}

/// Reads blocks until the end, an error, or until nobody takes them.
fn read_all<T: Item>(input: &mut Input<T>, end: u64, most: usize, to: &SyncSender<ReadBlock<T>>) {
    loop {
        let left = usize::try_from(end.saturating_sub(input.row())).unwrap_or(usize::MAX);
        let mut block = Block::default();
        let read = match left {
            // What follows the last row, such as the checksum of gzip, is compared, too.
            0 if input.rows() == Some(input.row()) => input.read(&mut block, 1),
            0 => Ok(()),
            left => input.read(&mut block, most.min(left)),
        };
        let is_last = block.items.is_empty() || read.is_err();
        let sent = to.send(ReadBlock {
            block,
            progress: input.progress(),
            error: read.err(),
        });
        if is_last || sent.is_err() {
            return;
        }
    }
}

/// Answers blocks as they are read.
fn answer_all<T: Item, E>(
    blocks: &Receiver<ReadBlock<T>>,
    to: &SyncSender<(Arc<Kept>, Answers)>,
    answer: &mut impl FnMut(&[T], &mut Emit<'_>) -> Result<(), E>,
    watch: Watch<'_>,
    summary: &mut Summary,
) -> Result<(), RunError<E>> {
    for read in blocks {
        if watch.is_cancelled() {
            return Err(RunError::Cancelled);
        }
        let Block {
            first_row,
            items,
            ids,
            masks,
            passed,
        } = read.block;
        if !items.is_empty() {
            let kept = Arc::new(Kept {
                first_row,
                ids,
                masks,
                passed,
            });
            let mut emit = Emit {
                kept,
                to,
                rows: 0,
                is_closed: false,
            };
            answer(&items, &mut emit).map_err(RunError::Answer)?;
            if emit.is_closed {
                // The error is the writer's.
                return Ok(());
            }
            summary.items += items.len() as u64;
            summary.rows += emit.rows;
        }
        if let Some(progress) = watch.progress {
            progress(summary.items, read.progress);
        }
        if let Some(error) = read.error {
            return Err(error.into());
        }
    }
    match watch.is_cancelled() {
        true => Err(RunError::Cancelled),
        false => Ok(()),
    }
}

/// Writes answers as they are made.
fn write_all(
    answers: &Receiver<(Arc<Kept>, Answers)>,
    sink: &mut dyn HitSink,
) -> Result<(), OutputError> {
    for (kept, answers) in answers {
        sink.put(&AnsweredBlock {
            first_row: kept.first_row,
            ids: kept.ids.as_deref(),
            passed: &kept.passed,
            answers: &answers,
        })?;
    }
    Ok(())
}

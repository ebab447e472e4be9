//! Questions about many items, which engines of any kind answer.

use crate::outputs::Outputs;
use crate::run::Run;
use crate::status::Failure;
use estoc_batch::{
    AnswerChunk, Answers, Batch, BatchError, ColumnNumber, ForChunks, List, OfNumbers, Record, Rows,
};
use estoc_core::{Engine, IdOf, Progress, QueryOptions, Question, RowQuestion, ValueQuestion};
use estoc_system::Growth;
use std::ops::Range;

/// Items that are read from the host's memory.
pub(crate) trait Source<T>: Sync {
    fn count(&self) -> usize;

    /// Returns an item. Panics if there is no such item.
    fn at(&self, item: usize) -> T;
}

/// Returns the options of an item.
pub(crate) type OptionsOf<'a, I> = dyn Fn(usize) -> Result<QueryOptions<I>, Failure> + Sync + 'a;

/// Takes answers.
type Put<'a, A> = dyn Fn(AnswerChunk<'_, A>) + Sync + 'a;

/// Asks about some items, of which the first is given.
type AskBlock<'a, I, T> =
    dyn FnMut(&Batch<'_, I>, usize, List<'_, T>) -> Result<(), BatchError> + 'a;

/// Asks for lists of values about some items.
type AskRows<'a, I, T, V> =
    dyn Fn(&Batch<'_, I>, List<'_, T>, &mut Rows<V>) -> Result<(), BatchError> + 'a;

/// The items that an engine is asked about, and how.
pub(crate) struct Asking<'a, E: Engine, S, F> {
    pub(crate) engine: &'a E,
    pub(crate) source: &'a S,
    pub(crate) run: &'a Run<'a>,
    /// The options of all items.
    pub(crate) options: QueryOptions<IdOf<E>>,
    /// The options of each item, where they have their own.
    pub(crate) each: Option<&'a OptionsOf<'a, IdOf<E>>>,
    /// Which hits count.
    pub(crate) filter: F,
}

/// What decides which hits count.
pub(crate) trait Filter<E: Engine + Sync, T: OfNumbers> {
    fn ask<Q: Question<E, T>>(
        &self,
        batch: &Batch<'_, IdOf<E>>,
        asked: (&E, Q),
        items: List<'_, T>,
        answers: &mut impl Answers<E, Q, T>,
    ) -> Result<(), BatchError>;
}

/// All hits count, or there are none.
impl<E: Engine + Sync, T: OfNumbers> Filter<E, T> for () {
    fn ask<Q: Question<E, T>>(
        &self,
        batch: &Batch<'_, IdOf<E>>,
        (engine, question): (&E, Q),
        items: List<'_, T>,
        answers: &mut impl Answers<E, Q, T>,
    ) -> Result<(), BatchError> {
        (batch.ask_into(engine, question, items, answers)).map(drop)
    }
}

impl<E: Engine + Sync, S, F> Asking<'_, E, S, F> {
    /// Writes one answer or none for each item.
    pub(crate) fn records<Q, T, R>(&self, question: Q, to: &Outputs) -> Result<(), Failure>
    where
        Q: ValueQuestion<E, T, Answer = Option<R>>,
        T: OfNumbers,
        S: Source<T>,
        F: Filter<E, T>,
        R: Record,
    {
        self.chunks(question, |first, chunk| to.put_found(first, chunk))
    }

    /// Writes a number for each item, that of its answer.
    pub(crate) fn numbers<Q, T>(
        &self,
        question: Q,
        to: &Outputs,
        number: impl Fn(&Q::Answer) -> ColumnNumber + Sync,
    ) -> Result<(), Failure>
    where
        Q: ValueQuestion<E, T>,
        T: OfNumbers,
        S: Source<T>,
        F: Filter<E, T>,
    {
        self.chunks(question, |first, chunk| {
            to.put_numbers((chunk.iter()).map(|(place, answer)| (first + place, number(answer))));
        })
    }

    /// Calls `put` with the index of the first item and some answers, each with its place behind that, from several
    /// threads.
    pub(crate) fn chunks<Q, T>(
        &self,
        question: Q,
        put: impl Fn(usize, AnswerChunk<'_, Q::Answer>) + Sync,
    ) -> Result<(), Failure>
    where
        Q: ValueQuestion<E, T>,
        T: OfNumbers,
        S: Source<T>,
        F: Filter<E, T>,
    {
        self.blocks(&mut |batch, first, items| {
            // No type parameter, so that what calls it is compiled once for all questions with such answers.
            let put: &Put<'_, Q::Answer> = &|chunk| put(first, chunk);
            (self.filter).ask(batch, (self.engine, question), items, &mut ForChunks(put))
        })
    }

    /// Returns a list for each item.
    pub(crate) fn rows<Q, T>(&self, question: Q) -> Result<Rows<Q::Value>, Failure>
    where
        Q: RowQuestion<E, T>,
        T: OfNumbers,
        S: Source<T>,
        F: Filter<E, T>,
    {
        self.rows_of(&|batch, items, rows| {
            (self.filter).ask(batch, (self.engine, question), items, rows)
        })
    }

    /// Returns a list for each item. What asks is no type parameter, so that this is compiled once for all questions
    /// with such answers.
    fn rows_of<T: OfNumbers, V: Copy>(
        &self,
        ask: &AskRows<'_, IdOf<E>, T, V>,
    ) -> Result<Rows<V>, Failure>
    where
        S: Source<T>,
    {
        let mut all: Rows<V> = Rows::default();
        self.blocks(&mut |batch, _, items| {
            let (mut rows, count) = (Rows::default(), items.len());
            // Of all blocks together.
            let left = self.run.max_values.saturating_sub(all.values.len());
            let limited = batch.max_hits(left);
            let batch = if self.run.max_values > 0 {
                &limited
            } else {
                batch
            };
            ask(batch, items, &mut rows).map_err(|error| match error {
                BatchError::TooManyHits { ray, .. } => BatchError::TooManyHits {
                    limit: self.run.max_values,
                    ray,
                },
                other => other,
            })?;
            if all.is_empty() {
                all = rows;
                return Ok(());
            }
            let no_memory = |_| BatchError::NoMemory { ray: 0 };
            let before = all.values.len();
            all.offsets.make_room(count).map_err(no_memory)?;
            let offsets = rows.offsets[1..].iter();
            all.offsets.extend(offsets.map(|offset| before + offset));
            all.values.try_append(&rows.values).map_err(no_memory)
        })?;
        Ok(all)
    }

    /// Asks about all items at once, or block by block where each has its options, which are held.
    fn blocks<T>(&self, ask: &mut AskBlock<'_, IdOf<E>, T>) -> Result<(), Failure>
    where
        T: OfNumbers,
        S: Source<T>,
    {
        const BLOCK: usize = 1 << 18;
        let (count, mut options) = (self.source.count(), Vec::new());
        let block = self.each.map_or(count.max(1), |_| BLOCK);
        for start in (0..count).step_by(block) {
            let end = count.min(start + block);
            let read = |range: Range<usize>, items: &mut [T]| {
                let places = range.map(|place| start + place);
                (items.iter_mut().zip(places))
                    .for_each(|(item, place)| *item = self.source.at(place));
            };
            let items = List::made(end - start, &read);
            let report = |progress: Progress| {
                self.run.report(start as u64 + progress.done, count as u64);
            };
            let mut batch = self.run.batch(&report).options(self.options);
            if let Some(each) = self.each {
                options.clear();
                options.make_room(end - start)?;
                for item in start..end {
                    options.push(each(item)?);
                }
                batch = batch.options_each(&options);
            }
            ask(&batch, start, items).map_err(|error| after(error, start))?;
        }
        self.run.check()
    }
}

/// Returns an error of a block, whose first item is given, as that of the call.
fn after(mut error: BatchError, first: usize) -> BatchError {
    if let BatchError::Query { ray, .. }
    | BatchError::TooManyHits { ray, .. }
    | BatchError::NoMemory { ray }
    | BatchError::Engine { ray } = &mut error
    {
        *ray += first;
    }
    error
}

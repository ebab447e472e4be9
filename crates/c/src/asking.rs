//! Questions about many items, or about one, which engines of any kind answer.

use crate::ray_options::RayFilter;
use crate::run::Run;
use crate::status::Failure;
use estoc_batch::{
    AnswerChunk, Answers, Batch, BatchError, ForChunks, List, OfNumbers, Record, Rows,
};
use estoc_core::{AcceptHit, Engine, IdOf, QueryOptions, Question, RowQuestion, ValueQuestion};
use estoc_system::Growth;
use std::ops::Range;

/// Items that are read from the host's memory.
pub(crate) trait Source<I>: Sync {
    fn count(&self) -> usize;

    /// Returns an item. Panics if there is no such item.
    fn at(&self, item: usize) -> I;
}

/// Returns the options of an item.
pub(crate) type OptionsOf<'a, I> = dyn Fn(usize) -> Result<QueryOptions<I>, Failure> + Sync + 'a;

/// How items are asked about.
pub(crate) struct Asking<'a, I, F> {
    pub(crate) run: &'a Run<'a>,
    /// The options of all items.
    pub(crate) options: QueryOptions<I>,
    /// The options of each item, where they have their own.
    pub(crate) each: Option<&'a OptionsOf<'a, I>>,
    /// Which hits count.
    pub(crate) filter: F,
}

/// What decides which hits count.
pub(crate) trait Filter<E: Engine + Sync, I: OfNumbers>: Sync {
    /// Answers a question about many items.
    fn ask_into<Q: Question<E, I>>(
        &self,
        batch: &Batch<'_, IdOf<E>>,
        asked: (&E, Q),
        items: List<'_, I>,
        answers: &mut impl Answers<E, Q, I>,
    ) -> Result<(), BatchError>;

    /// Calls a function with the closure that accepts hits.
    fn with<T>(&self, work: impl FnOnce(Option<AcceptHit<'_, E, I>>) -> T) -> T;
}

/// All hits count, or there are none.
pub(crate) struct Unfiltered;

impl<E: Engine + Sync, I: OfNumbers> Filter<E, I> for Unfiltered
where
    IdOf<E>: Copy,
{
    fn ask_into<Q: Question<E, I>>(
        &self,
        batch: &Batch<'_, IdOf<E>>,
        (engine, question): (&E, Q),
        items: List<'_, I>,
        answers: &mut impl Answers<E, Q, I>,
    ) -> Result<(), BatchError> {
        batch.ask_into(engine, question, items, answers).map(drop)
    }

    fn with<T>(&self, work: impl FnOnce(Option<AcceptHit<'_, E, I>>) -> T) -> T {
        work(None)
    }
}

impl<E, R> Filter<E, R> for Option<RayFilter<'_>>
where
    E: estoc_core::RayEngine<R> + Sync,
    R: crate::rays::HostRay,
    estoc_core::HitOf<E>: crate::hits::Found,
    IdOf<E>: Copy,
{
    fn ask_into<Q: Question<E, R>>(
        &self,
        batch: &Batch<'_, IdOf<E>>,
        (engine, question): (&E, Q),
        items: List<'_, R>,
        answers: &mut impl Answers<E, Q, R>,
    ) -> Result<(), BatchError> {
        let Some(filter) = self else {
            return Unfiltered.ask_into(batch, (engine, question), items, answers);
        };
        let accept = |ray: &R, hit: &_| filter.accepts(ray, hit);
        (batch.ask_where_into(engine, question, items, &accept, answers)).map(drop)
    }

    fn with<T>(&self, work: impl FnOnce(Option<AcceptHit<'_, E, R>>) -> T) -> T {
        match self {
            None => work(None),
            Some(filter) => work(Some(&|ray, hit| filter.accepts(ray, hit))),
        }
    }
}

impl<I: Copy + Sync, F> Asking<'_, I, F> {
    /// Answers a question with one answer for each item. `put` is called with the index of an item and its answer, from
    /// several threads, or without a batch if there is one item.
    pub(crate) fn values<E, Q, T>(
        &self,
        (engine, question): (&E, Q),
        source: &impl Source<T>,
        put: impl Fn(usize, &Q::Answer) + Sync,
    ) -> Result<(), Failure>
    where
        E: Engine<Primitive: estoc_core::Primitive<Id = I>> + Sync,
        Q: ValueQuestion<E, T>,
        T: OfNumbers,
        F: Filter<E, T>,
    {
        self.chunks((engine, question), source, |first, chunk| {
            for (place, answer) in chunk.iter() {
                put(first + place, answer);
            }
        })
    }

    /// Does the same with some answers at a time, each with its place behind the first item.
    pub(crate) fn chunks<E, Q, T>(
        &self,
        (engine, question): (&E, Q),
        source: &impl Source<T>,
        put: impl Fn(usize, Chunk<'_, Q::Answer>) + Sync,
    ) -> Result<(), Failure>
    where
        E: Engine<Primitive: estoc_core::Primitive<Id = I>> + Sync,
        Q: ValueQuestion<E, T>,
        T: OfNumbers,
        F: Filter<E, T>,
    {
        if source.count() == 1 {
            let options = self.each.map_or(Ok(self.options), |each| each(0))?;
            let item = source.at(0);
            let ask =
                |accept: Option<AcceptHit<'_, E, T>>| question.ask(engine, &item, &options, accept);
            let answer = match item.is_defined() {
                true => self.filter.with(ask)?,
                // As a batch has it.
                false => Q::Answer::default(),
            };
            put(0, Chunk::One(&answer));
            return Ok(());
        }
        self.blocks(source, |batch, block| {
            let read = read_from(source, block.start);
            let items = List::made(block.len(), &read);
            let mut put =
                ForChunks(|chunk: AnswerChunk<'_, _>| put(block.start, Chunk::Many(chunk)));
            self.filter
                .ask_into(batch, (engine, question), items, &mut put)
        })
    }

    /// Answers a question with a list for each item.
    pub(crate) fn rows<E, Q, T>(
        &self,
        (engine, question): (&E, Q),
        source: &impl Source<T>,
    ) -> Result<Rows<Q::Value>, Failure>
    where
        E: Engine<Primitive: estoc_core::Primitive<Id = I>> + Sync,
        Q: RowQuestion<E, T, Value: Record>,
        T: OfNumbers,
        F: Filter<E, T>,
    {
        let mut all: Rows<Q::Value> = Rows::default();
        self.blocks(source, |batch, block| {
            let mut rows = Rows::default();
            let read = read_from(source, block.start);
            let items = List::made(block.len(), &read);
            self.filter
                .ask_into(batch, (engine, question), items, &mut rows)?;
            if all.is_empty() {
                all = rows;
                return Ok(());
            }
            let no_memory = |_| BatchError::NoMemory { ray: 0 };
            let before = all.values.len();
            all.offsets.make_room(block.len()).map_err(no_memory)?;
            all.offsets
                .extend(rows.offsets[1..].iter().map(|offset| before + offset));
            all.values.try_append(&rows.values).map_err(no_memory)
        })?;
        Ok(all)
    }

    /// Asks about all items at once, or block by block where each has its options, which are held.
    fn blocks<T>(
        &self,
        source: &impl Source<T>,
        mut ask: impl FnMut(&Batch<'_, I>, Range<usize>) -> Result<(), BatchError>,
    ) -> Result<(), Failure> {
        const BLOCK: usize = 1 << 18;
        let (count, mut options) = (source.count(), Vec::new());
        let block = if self.each.is_some() {
            BLOCK
        } else {
            count.max(1)
        };
        for start in (0..count).step_by(block) {
            let range = start..count.min(start + block);
            let report = |progress: estoc_core::Progress| {
                self.run.report(start as u64 + progress.done, count as u64);
            };
            let batch = self.run.batch(&report).options(self.options);
            let asked = match self.each {
                None => ask(&batch, range),
                Some(each) => {
                    options.clear();
                    options.make_room(range.len())?;
                    for item in range.clone() {
                        options.push(each(item)?);
                    }
                    ask(&batch.options_each(&options), range)
                }
            };
            asked.map_err(|error| after(error, start))?;
        }
        Ok(())
    }
}

/// Some answers.
pub(crate) enum Chunk<'a, A> {
    One(&'a A),
    Many(AnswerChunk<'a, A>),
}

impl<'a, A> Chunk<'a, A> {
    /// Returns the place of each item behind the first one, and the answer about it.
    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &'a A)> {
        let (one, many) = match self {
            Chunk::One(answer) => (Some((0, *answer)), None),
            Chunk::Many(chunk) => (None, Some(chunk.iter())),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }
}

/// Returns what reads items for a [`List`] whose first item is at this place.
fn read_from<I>(source: &impl Source<I>, first: usize) -> impl Fn(Range<usize>, &mut [I]) + Sync {
    move |range, items| {
        for (place, item) in range.zip(items) {
            *item = source.at(first + place);
        }
    }
}

/// Returns an error of a block, whose first item is given, as that of the call.
fn after(mut error: BatchError, first: usize) -> BatchError {
    if let BatchError::Query { ray, .. }
    | BatchError::TooManyHits { ray, .. }
    | BatchError::NoMemory { ray } = &mut error
    {
        *ray += first;
    }
    error
}

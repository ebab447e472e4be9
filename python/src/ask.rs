//! Questions about many items, block by block.

use crate::answer_arrays::AnswerArrays;
use crate::block::{BLOCK, each_block};
use crate::call::Call;
use crate::failure::Failure;
use estoc::batch::List;
use estoc::engine::Engine;
use estoc::{Batch, BatchError, QueryOptions};
use estoc_batch::{AnswerChunk, ForChunks, OfNumbers, Record};
use estoc_core::{IdOf, ValueQuestion};
use estoc_system::check_room;
use std::ops::Range;
use std::slice::IterMut;

/// The arrays that items are read from.
pub(crate) trait Source<I>: Sync {
    /// Returns the number of items.
    fn count(&self) -> usize;

    /// Reads the items of a range into a slice of that length.
    fn read_into(&self, range: Range<usize>, items: &mut [I]);

    /// Returns how many items are asked about in one batch.
    fn block(&self) -> usize {
        BLOCK
    }
}

/// Writes an item to the next place.
#[inline(always)]
pub(crate) fn put<I>(places: &mut IterMut<'_, I>, item: I) {
    if let Some(place) = places.next() {
        *place = item;
    }
}

/// Reads the options of the items of a range into an empty list.
pub(crate) type ReadOptions<'a, I> =
    dyn Fn(Range<usize>, &mut Vec<QueryOptions<I>>) -> Result<(), Failure> + Sync + 'a;

/// How items are asked about.
pub(crate) struct Asking<'a, I> {
    pub(crate) batch: Batch<'a, I>,
    /// The options of each item; those of the batch are for all without them.
    pub(crate) each: Option<&'a ReadOptions<'a, I>>,
}

impl<'a, I> From<Batch<'a, I>> for Asking<'a, I> {
    fn from(batch: Batch<'a, I>) -> Self {
        Asking { batch, each: None }
    }
}

impl<I: Copy> Asking<'_, I> {
    /// Reads the options of the items of a block.
    pub(crate) fn read(
        &self,
        block: Range<usize>,
        to: &mut Vec<QueryOptions<I>>,
    ) -> Result<(), Failure> {
        let Some(each) = self.each else {
            return Ok(());
        };
        to.clear();
        reserve(to, block.len())?;
        each(block, to)
    }

    /// Returns the batch for a part of a block whose options were read.
    pub(crate) fn batch<'b>(
        &'b self,
        options: &'b [QueryOptions<I>],
        part: Range<usize>,
    ) -> Batch<'b, I> {
        match self.each {
            None => self.batch,
            Some(_) => self.batch.options_each(&options[part]),
        }
    }
}

/// Answers a question with one answer for each item. `put` is called with the index of each item and
/// its answer, from several threads.
pub(crate) fn values<E, Q, I>(
    asked: (&E, Q),
    source: &impl Source<I>,
    asking: &Asking<'_, IdOf<E>>,
    call: &Call,
    put: impl Fn(usize, &Q::Answer) + Sync,
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: ValueQuestion<E, I>,
    I: OfNumbers,
{
    chunks(asked, source, asking, call, |first, chunk| {
        for (place, answer) in chunk.iter() {
            put(first + place, answer);
        }
    })
}

/// Answers a question with one answer or none for each item, in arrays.
pub(crate) fn write<E, Q, I, R>(
    asked: (&E, Q),
    source: &impl Source<I>,
    asking: &Asking<'_, IdOf<E>>,
    call: &Call,
    to: &AnswerArrays,
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: ValueQuestion<E, I, Answer = Option<R>>,
    I: OfNumbers,
    R: Record,
{
    chunks(asked, source, asking, call, |first, chunk| {
        to.put_all(|| {
            chunk
                .iter()
                .map(|(place, answer)| (first + place, answer.as_ref()))
        });
    })
}

/// Answers a question with one answer for each item. `put` is called with the index of the first item of a
/// block and answers about some of its items, from several threads.
fn chunks<E, Q, I>(
    (engine, question): (&E, Q),
    source: &impl Source<I>,
    asking: &Asking<'_, IdOf<E>>,
    call: &Call,
    put: impl Fn(usize, AnswerChunk<'_, Q::Answer>) + Sync,
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: ValueQuestion<E, I>,
    I: OfNumbers,
{
    /// The items and answers that the chunks of all threads together hardly exceed.
    const HELD: usize = 1 << 18;

    let mut options = Vec::new();
    each_block(call, source, |block| {
        asking.read(block.clone(), &mut options)?;
        let items = block.len().min(HELD);
        check_room(items.saturating_mul(size_of::<(I, Q::Answer)>()))
            .map_err(|_| Failure::Memory("not enough memory for the answers".into()))?;
        let batch = asking.batch(&options, 0..block.len());
        let read = read_from(source, block.start);
        let items = List::made(block.len(), &read);
        let mut put = ForChunks(|chunk: AnswerChunk<'_, _>| put(block.start, chunk));
        let asked = batch.ask_into(engine, question, items, &mut put);
        asked.map_err(|error| of_all(error, block.start, None))?;
        Ok(())
    })
}

/// Returns what reads items for a [`List`] whose first item is at this place.
pub(crate) fn read_from<I>(
    source: &impl Source<I>,
    first: usize,
) -> impl Fn(Range<usize>, &mut [I]) + Sync {
    move |range, items| source.read_into(first + range.start..first + range.end, items)
}

/// Returns the error of a part, whose first item is given, as that of the call, whose lists are limited to `most`
/// values.
pub(crate) fn of_all(error: BatchError, first: usize, most: Option<usize>) -> BatchError {
    match (error, most) {
        (BatchError::TooManyHits { ray, .. }, Some(limit)) => BatchError::TooManyHits {
            limit,
            ray: first + ray,
        },
        (BatchError::NoMemory { ray }, _) => BatchError::NoMemory { ray: first + ray },
        (BatchError::Query { ray, error }, _) => BatchError::Query {
            ray: first + ray,
            error,
        },
        (error, _) => error,
    }
}

/// Makes room in a list of answers.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Failure> {
    reserve_for(list, more, "the answers")
}

/// Makes room in a list, in which `what` is kept. Leaves the system some memory for small allocations,
/// which cannot fail without ending the process.
pub(crate) fn reserve_for<T>(list: &mut Vec<T>, more: usize, what: &str) -> Result<(), Failure> {
    if more <= list.capacity() - list.len() {
        return Ok(());
    }
    let has = |items: usize| check_room(items.saturating_mul(size_of::<T>())).is_ok();
    // It grows at least to twice its size, and to what is needed where there is no room for that.
    let reserved = match () {
        () if has(more.max(list.capacity())) => list.try_reserve(more).is_ok(),
        () if has(more) => list.try_reserve_exact(more).is_ok(),
        () => false,
    };
    match reserved {
        true => Ok(()),
        false => Err(Failure::Memory(format!("not enough memory for {what}"))),
    }
}

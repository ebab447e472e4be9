//! Questions about many items, block by block.

use crate::block::{each, each_block};
use crate::call::Call;
use crate::failure::Failure;
use estoc::batch::{Answers, Item, Rows};
use estoc::engine::{Engine, IdOf};
use estoc::query::Question;
use estoc::{Batch, BatchError};
use std::ops::Range;

/// The arrays that items are read from.
pub(crate) trait Source<I>: Sync {
    /// Returns the number of items.
    fn count(&self) -> usize;

    /// Returns the value of places for items that are not read yet.
    fn none() -> I;

    /// Reads the items of a range into a list of that length.
    fn read_into(&self, range: Range<usize>, items: &mut [I]);
}

/// Answers a question with one answer for each item. `put` is called with the index of each item and
/// its answer, from several threads.
pub(crate) fn values<E, Q, I, A>(
    (engine, question): (&E, Q),
    source: &impl Source<I>,
    batch: Batch<'_, IdOf<E>>,
    call: &Call,
    put: impl Fn(usize, &A) + Sync,
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: Question<E, Item = I>,
    I: Item,
    A: Sync,
    Vec<A>: Answers<E, Q>,
{
    columns(
        (engine, question),
        source,
        batch,
        call,
        |first, answers: &Vec<A>| {
            each(answers, |place, answer| put(first + place, answer));
        },
    )
}

/// Answers a question in a container. `take` is called with the index of the first item of each block
/// and their answers, in order.
pub(crate) fn columns<E, Q, I, A>(
    (engine, question): (&E, Q),
    source: &impl Source<I>,
    batch: Batch<'_, IdOf<E>>,
    call: &Call,
    mut take: impl FnMut(usize, &A),
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: Question<E, Item = I>,
    I: Item,
    A: Answers<E, Q> + Default,
{
    let mut answers = A::default();
    each_block(call, source, |first, items| {
        batch.ask_into(engine, question, items, &mut answers)?;
        take(first, &answers);
        Ok(())
    })
}

/// Lists of values of many items: those of item `i` are at `offsets[i]..offsets[i + 1]`.
pub(crate) struct Offsets(pub(crate) Vec<i64>);

impl Offsets {
    /// Starts the offsets of `count` items.
    fn new(count: usize) -> Result<Self, Failure> {
        let mut offsets = Vec::new();
        reserve(&mut offsets, count.saturating_add(1))?;
        offsets.push(0);
        Ok(Offsets(offsets))
    }

    /// Returns the number of values so far.
    fn total(&self) -> usize {
        self.0.last().map_or(0, |&total| total as usize)
    }

    /// Adds the items of a block.
    fn add<T>(&mut self, rows: &Rows<T>) {
        let before = self.total();
        let ends = rows.offsets.iter().skip(1);
        self.0.extend(ends.map(|&end| (before + end) as i64));
    }
}

/// Answers a question with a list of values for each item. `take` is called with the values of each
/// block, in order. More than `most` values in all are an error.
pub(crate) fn lists<E, Q, I, T>(
    (engine, question): (&E, Q),
    source: &impl Source<I>,
    batch: Batch<'_, IdOf<E>>,
    most: Option<usize>,
    call: &Call,
    mut take: impl FnMut(&[T]) -> Result<(), Failure>,
) -> Result<Offsets, Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: Question<E, Item = I>,
    I: Item,
    Rows<T>: Answers<E, Q>,
{
    let mut offsets = Offsets::new(source.count())?;
    let mut rows = Rows::<T>::default();
    each_block(call, source, |first, items| {
        let batch = match most {
            Some(most) => batch.max_hits(most.saturating_sub(offsets.total())),
            None => batch,
        };
        let asked = batch.ask_into(engine, question, items, &mut rows);
        asked.map_err(|error| of_all(error, first, most))?;
        offsets.add(&rows);
        take(&rows.values)
    })?;
    Ok(offsets)
}

/// Returns the error of a block as that of the call.
fn of_all(error: BatchError, first: usize, most: Option<usize>) -> BatchError {
    match (error, most) {
        (BatchError::TooManyHits { ray, .. }, Some(limit)) => BatchError::TooManyHits {
            limit,
            ray: first + ray,
        },
        (BatchError::NoMemory { ray }, _) => BatchError::NoMemory { ray: first + ray },
        (error, _) => error,
    }
}

/// Makes room in a list.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Failure> {
    list.try_reserve(more)
        .map_err(|_| Failure::Memory("not enough memory for the answers".to_owned()))
}

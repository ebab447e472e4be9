//! Questions about many items, block by block.

use crate::answer_arrays::AnswerArrays;
use crate::block::{each, each_block};
use crate::call::Call;
use crate::failure::Failure;
use estoc::Batch;
use estoc::engine::Engine;
use estoc_batch::{Item, Record};
use estoc_core::{IdOf, ValueQuestion};
use estoc_system::check_room;
use std::ops::Range;

/// The arrays that items are read from.
pub(crate) trait Source<I>: Sync {
    /// Returns the number of items.
    fn count(&self) -> usize;

    /// Returns the value of places for items that are not read yet.
    fn none(&self) -> I;

    /// Reads the items of a range into a list of that length.
    fn read_into(&self, range: Range<usize>, items: &mut [I]);
}

/// Answers a question with one answer for each item. `put` is called with the index of each item and
/// its answer, from several threads.
pub(crate) fn values<E, Q, I>(
    (engine, question): (&E, Q),
    source: &impl Source<I>,
    batch: Batch<'_, IdOf<E>>,
    call: &Call,
    put: impl Fn(usize, &Q::Answer) + Sync,
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: ValueQuestion<E, I, Answer: Sync>,
    I: Item,
{
    let mut answers = Vec::<Q::Answer>::new();
    each_block(call, source, |first, items| {
        batch.ask_into(engine, question, items, &mut answers)?;
        each(&answers, |place, answer| put(first + place, answer));
        Ok(())
    })
}

/// Answers a question with one answer or none for each item, in arrays.
pub(crate) fn write<E, Q, I, R>(
    asked: (&E, Q),
    source: &impl Source<I>,
    batch: Batch<'_, IdOf<E>>,
    call: &Call,
    to: &AnswerArrays,
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: ValueQuestion<E, I, Answer = Option<R>>,
    I: Item,
    R: Record,
{
    let put = |place, answer: &Option<R>| to.put(place, answer.as_ref());
    values(asked, source, batch, call, put)
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

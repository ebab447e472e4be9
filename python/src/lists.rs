//! Questions with any number of answers for each item.

use crate::answer_arrays::AnswerLists;
use crate::ask::{Asking, Source, of_all, read_from};
use crate::block::each_block;
use crate::call::Call;
use crate::failure::Failure;
use estoc::BatchError;
use estoc::batch::{List, Rows};
use estoc::engine::Engine;
use estoc_batch::{OfNumbers, Record};
use estoc_core::{IdOf, RowQuestion};

/// The bytes of the values that are held at a time beside the answers. A single item may have more.
const PART_BYTES: usize = 16 << 20;

/// The number of items whose values are asked for first.
const FIRST_PART: usize = 1 << 14;

/// Answers a question with a list of values for each item.
///
/// A block may have thousands of times as many values as items. So it is asked in parts whose values are
/// bounded.
pub(crate) fn lists<E, Q, I>(
    (engine, question): (&E, Q),
    source: &impl Source<I>,
    asking: &Asking<'_, IdOf<E>>,
    call: &Call,
    to: &mut AnswerLists,
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy,
    Q: RowQuestion<E, I, Value: Record>,
    I: OfNumbers,
{
    let (count, most) = (source.count(), to.most);
    to.start::<Q::Value>(count)?;
    let mut rows = Rows::<Q::Value>::default();
    let part_values = PART_BYTES / size_of::<Q::Value>();
    let (mut total, mut step) = (0_usize, FIRST_PART);
    let mut options = Vec::new();
    each_block(call, source, |block| {
        asking.read(block.clone(), &mut options)?;
        let mut start = block.start;
        while start < block.end {
            let part = start..block.end.min(start.saturating_add(step));
            let left = most.map_or(usize::MAX, |most| most.saturating_sub(total));
            let bound = match part.len() {
                1 => left,
                _ => left.min(part_values),
            };
            let batch = asking.batch(&options, start - block.start..part.end - block.start);
            let read = read_from(source, start);
            let items = List::made(part.len(), &read);
            let asked = (batch.max_hits(bound)).ask_into(engine, question, items, &mut rows);
            match asked {
                Err(BatchError::TooManyHits { ray, .. }) if bound < left => {
                    // The items before this one have no more than is allowed.
                    step = ray.max(1);
                    continue;
                }
                asked => asked.map_err(|error| of_all(error, start, most))?,
            };
            let found = rows.values.len();
            to.add(&rows)?;
            total += found;
            start = part.end;
            call.report(start as u64, count as u64);
            // If the next items are like these, they have half as many values as is allowed.
            let alike = (part.len()).saturating_mul(part_values / 2) / found.max(1);
            step = alike.clamp(1, part.len().saturating_mul(4));
        }
        Ok(())
    })?;
    to.end();
    Ok(())
}

/// Gives back most of the memory that a complete list reserved for more.
pub(crate) fn without_spare<T>(list: &mut Vec<T>) {
    if list.capacity() - list.len() > list.len() / 8 {
        list.shrink_to_fit();
    }
}

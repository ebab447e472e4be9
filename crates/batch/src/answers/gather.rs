//! Gathers any number of values for each item, such as hits for each ray, chunk by chunk.

use crate::batch::Batch;
use crate::batch_query::BatchQuery;
use crate::error::BatchError;
use crate::items::{Item, Items};
use crate::plan::Plan;
use crate::report::BatchReport;
use crate::run::Chunk;
use estoc_core::{
    Engine, QuerySlice, QuerySliceError, RowQuestion, TechniqueCounts, sort_compactly,
};
use estoc_system::has_room;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Values one after the other, in some layout.
pub(super) trait ValueList<V>: Default + Send {
    /// Reserves memory for `more` values, and returns whether the system has it.
    fn make_room(&mut self, more: usize) -> bool;

    fn len(&self) -> usize;

    fn clear(&mut self);

    /// Adds the values of an item.
    fn extend_from_values(&mut self, values: &[V]);

    /// Adds a range of another list.
    fn extend_from_span(&mut self, other: &Self, span: Range<usize>);
}

impl<V: Copy + Send> ValueList<V> for Vec<V> {
    fn make_room(&mut self, more: usize) -> bool {
        make_room(self, more)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn extend_from_values(&mut self, values: &[V]) {
        self.extend_from_slice(values);
    }

    fn extend_from_span(&mut self, other: &Self, span: Range<usize>) {
        self.extend_from_slice(&other[span]);
    }
}

/// Reserves memory for `more` items of a list, and returns whether the system has it, with a
/// reserve for small allocations.
pub(super) fn make_room<T>(list: &mut Vec<T>, more: usize) -> bool {
    /// The bytes that other threads and later code may allocate before the next check.
    const BESIDES: usize = 16 << 20;
    // For small lists, asking the system would take too long.
    const SMALL: usize = 1 << 20;
    let free = list.capacity() - list.len();
    if more <= free {
        return true;
    }
    // It grows at least to twice its size, and other threads have lists of their own.
    let items = list.capacity().max(list.len().saturating_add(more));
    let bytes = items.saturating_mul(2 * size_of::<T>());
    let has_room = bytes <= SMALL || has_room(bytes.saturating_mul(2).saturating_add(BESIDES));
    has_room && list.try_reserve(more).is_ok()
}

/// The rows of one chunk.
#[derive(Default)]
struct Part<L> {
    /// The number of values of each item, at most the number of triangles.
    lengths: Vec<u32>,
    values: L,
}

/// The rows of all chunks, one after the other.
struct Gathered<L> {
    parts: Vec<Part<L>>,
    /// The number of all values.
    count: usize,
    report: BatchReport,
}

/// The reason why a chunk has no rows.
enum NoRows {
    /// They would have more values than allowed.
    TooMany,
    /// There is not enough memory for the values of all items.
    NoMemory,
    QuerySlice(QuerySliceError),
}

/// Asks for rows of values of many items. The question is no type parameter, so that what gathers rows is compiled
/// once for all with such values.
struct AskRows<'q, L: Items, I, V> {
    batch: &'q Batch<'q, I>,
    plan: Plan,
    items: L,
    ask: &'q AskMany<'q, L::Item, I, V>,
}

/// Asks about many items, and calls a function with the place of an item and its values.
type AskMany<'q, T, I, V> = dyn Fn(
        &QuerySlice<'_, T, I>,
        &mut dyn FnMut(usize, &[V]),
    ) -> Result<TechniqueCounts, QuerySliceError>
    + Sync
    + 'q;

impl<L> Part<L> {
    /// Returns the rows of one chunk, at most `limit` values.
    fn of<T, I, V>(
        ask: &AskMany<'_, T, I, V>,
        chunk: &Chunk<'_, T, I>,
        limit: usize,
    ) -> Result<(Self, TechniqueCounts), NoRows>
    where
        L: ValueList<V>,
    {
        // Items are completed in any order; their values are sorted by item afterwards.
        let mut rows: Vec<(u32, u32)> = Vec::with_capacity(chunk.many.len());
        let mut values = L::default();
        let (mut is_sorted, mut fits, mut has_room) = (true, true, true);
        let techniques = ask(&chunk.many, &mut |place, row| {
            // Once the limit is exceeded, no more values are kept.
            fits &= row.len() <= limit - values.len().min(limit);
            has_room = has_room && (!fits || values.make_room(row.len()));
            if !fits || !has_room {
                return;
            }
            let place = chunk.place(place) as u32;
            is_sorted &= rows.last().is_none_or(|&(last, _)| last < place);
            rows.push((place, row.len() as u32));
            values.extend_from_values(row);
        })
        .map_err(NoRows::QuerySlice)?;
        if !fits {
            return Err(NoRows::TooMany);
        }
        if !has_room {
            return Err(NoRows::NoMemory);
        }
        let mut lengths = vec![0; chunk.many.len()];
        for &(place, length) in &rows {
            lengths[place as usize] = length;
        }
        if !is_sorted {
            values = in_order(rows, &values).ok_or(NoRows::NoMemory)?;
        }
        Ok((Part { lengths, values }, techniques))
    }
}

/// Returns the values of rows in the order of the rows' places; `None` if there is not enough memory
/// for them.
fn in_order<V, L: ValueList<V>>(rows: Vec<(u32, u32)>, values: &L) -> Option<L> {
    let mut start = 0;
    let mut spans: Vec<(u32, Range<usize>)> = rows
        .into_iter()
        .map(|(place, length)| {
            let span = start..start + length as usize;
            start = span.end;
            (place, span)
        })
        .collect();
    sort_compactly(&mut spans, |(a, _), (b, _)| a.cmp(b));
    let mut sorted = L::default();
    if !sorted.make_room(values.len()) {
        return None;
    }
    for (_, span) in spans {
        sorted.extend_from_span(values, span);
    }
    Some(sorted)
}

/// Replaces the rows by those of all items. `offset` converts the index of a value. After an error
/// there are no rows.
pub(super) fn fill_rows<E, Q, T, L, O>(
    query: &BatchQuery<'_, '_, E, Q, T>,
    offsets: &mut Vec<O>,
    values: &mut L,
    offset: fn(usize) -> O,
) -> Result<BatchReport, BatchError>
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: RowQuestion<E, T>,
    L: ValueList<Q::Value>,
{
    offsets.clear();
    offsets.push(offset(0));
    values.clear();
    let ask = AskRows {
        batch: &query.batch,
        plan: query.start(true)?,
        items: query.items,
        ask: &|many, emit| query.ask_rows(many, emit),
    };
    ask.fill(offsets, values, offset)
}

impl<T: Items, I: Copy + Send + Sync, V> AskRows<'_, T, I, V> {
    fn fill<L: ValueList<V>, O>(
        &self,
        offsets: &mut Vec<O>,
        values: &mut L,
        offset: fn(usize) -> O,
    ) -> Result<BatchReport, BatchError> {
        let found = self.gather::<L>()?;
        if !make_room(offsets, self.items.len()) || !values.make_room(found.count) {
            return Err(BatchError::NoMemory { ray: 0 });
        }
        // Each part is given back as soon as it is copied.
        for part in found.parts {
            let mut end = values.len();
            offsets.extend(part.lengths.iter().map(|&length| {
                end += length as usize;
                offset(end)
            }));
            values.extend_from_span(&part.values, 0..part.values.len());
        }
        Ok(found.report)
    }

    /// Asks for the rows of all items.
    fn gather<L: ValueList<V>>(&self) -> Result<Gathered<L>, BatchError> {
        let plan = self.plan;
        let limit = self.batch.max_hits.unwrap_or(usize::MAX);
        let held = AtomicUsize::new(0);
        let chunks = self.items.len().div_ceil(plan.chunk_size);
        let mut parts: Vec<Part<L>> = Vec::new();
        parts.resize_with(chunks, || Part {
            lengths: Vec::new(),
            values: L::default(),
        });
        let report = self
            .batch
            .run(plan, self.items, &mut parts, 1, &|chunk, part| {
                let left = limit.saturating_sub(held.load(Ordering::Relaxed));
                let too_many = BatchError::TooManyHits { limit, ray: 0 };
                match Part::<L>::of(self.ask, &chunk, left) {
                    Err(NoRows::TooMany) => Err(too_many),
                    Err(NoRows::NoMemory) => Err(BatchError::NoMemory { ray: chunk.first }),
                    Err(NoRows::QuerySlice(error)) => Err(BatchError::of_many(error, chunk.first)),
                    Ok((found, techniques)) => {
                        let count = found.values.len();
                        if held.fetch_add(count, Ordering::Relaxed) > limit - count {
                            return Err(too_many);
                        }
                        part[0] = found;
                        Ok(techniques)
                    }
                }
            });
        match report {
            Err(BatchError::TooManyHits { .. }) => {
                drop(parts);
                Err(self.find_first_too_many(limit))
            }
            report => Ok(Gathered {
                report: report?,
                parts,
                count: held.into_inner(),
            }),
        }
    }

    /// Finds the first item whose values are too many: not the one that a thread happened to be at.
    #[cold]
    fn find_first_too_many(&self, limit: usize) -> BatchError {
        let mut counts = vec![0usize; self.items.len()];
        let mut quiet = *self.batch;
        quiet.progress = None;
        let share = self.plan.chunk_size;
        let counted = quiet.run(
            self.plan,
            self.items,
            &mut counts,
            share,
            &|chunk, counts| {
                (self.ask)(&chunk.many, &mut |place, row| {
                    counts[chunk.place(place)] = row.len();
                })
                .map_err(|error| BatchError::of_many(error, chunk.first))
            },
        );
        if let Err(error) = counted {
            return error;
        }
        let mut sum = 0usize;
        let first = counts.iter().position(|&count| {
            sum = sum.saturating_add(count);
            sum > limit
        });
        BatchError::TooManyHits {
            limit,
            ray: first.unwrap_or_default(),
        }
    }
}

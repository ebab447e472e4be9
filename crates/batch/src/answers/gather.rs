//! Gathers any number of hits for each ray, chunk by chunk.

use crate::error::BatchError;
use crate::job::Job;
use crate::plan::Plan;
use crate::report::BatchReport;
use crate::run::Chunk;
use estoc_core::{Engine, HitOf, IdOf, QuerySliceError, Ray, RowQuestion, TechniqueCounts};
use estoc_memory::has_room;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Hits one after the other, in some layout.
pub(super) trait HitList<H>: Default + Send {
    /// Reserves memory for `hits` more hits, and returns whether the system has it.
    fn make_room(&mut self, hits: usize) -> bool;

    fn len(&self) -> usize;

    /// Adds the hits of a ray.
    fn extend_from_hits(&mut self, hits: &[H]);

    /// Adds a range of another list.
    fn extend_from_span(&mut self, other: &Self, span: Range<usize>);
}

impl<H: Copy + Send> HitList<H> for Vec<H> {
    fn make_room(&mut self, hits: usize) -> bool {
        make_room(self, hits)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn extend_from_hits(&mut self, hits: &[H]) {
        self.extend_from_slice(hits);
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
pub(super) struct Part<L> {
    /// The number of hits of each ray, at most the number of triangles.
    pub(super) lengths: Vec<u32>,
    pub(super) hits: L,
}

/// The rows of all chunks, one after the other.
pub(super) struct Gathered<L> {
    pub(super) parts: Vec<Part<L>>,
    /// The number of all hits.
    pub(super) hits: usize,
    pub(super) report: BatchReport,
}

/// The reason why a chunk has no rows.
enum NoRows {
    /// They would have more hits than allowed.
    TooMany,
    /// There is not enough memory for the hits of all rays.
    NoMemory,
    QuerySlice(QuerySliceError),
}

impl<L> Part<L> {
    /// Returns the rows of one chunk, at most `limit` hits.
    fn of<E: Engine + ?Sized, Q: RowQuestion<E>>(
        job: &Job<'_, '_, E, Q>,
        chunk: &Chunk<'_, Ray, IdOf<E>>,
        limit: usize,
    ) -> Result<(Self, TechniqueCounts), NoRows>
    where
        L: HitList<HitOf<E>>,
    {
        // Rays are completed in any order; their hits are sorted by ray afterwards.
        let mut rows: Vec<(u32, u32)> = Vec::with_capacity(chunk.many.len());
        let mut hits = L::default();
        let (mut is_sorted, mut fits, mut has_room) = (true, true, true);
        let techniques = job
            .ask_rows(&chunk.many, &mut |place, row| {
                // Once the limit is exceeded, no more hits are kept.
                fits &= row.len() <= limit - hits.len().min(limit);
                has_room = has_room && (!fits || hits.make_room(row.len()));
                if !fits || !has_room {
                    return;
                }
                let place = chunk.place(place) as u32;
                is_sorted &= rows.last().is_none_or(|&(last, _)| last < place);
                rows.push((place, row.len() as u32));
                hits.extend_from_hits(row);
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
            hits = in_order(rows, &hits).ok_or(NoRows::NoMemory)?;
        }
        Ok((Part { lengths, hits }, techniques))
    }
}

/// Returns the hits of rows in the order of the rows' places; `None` if there is not enough memory
/// for them.
fn in_order<H, L: HitList<H>>(rows: Vec<(u32, u32)>, hits: &L) -> Option<L> {
    let mut start = 0;
    let mut spans: Vec<(u32, Range<usize>)> = rows
        .into_iter()
        .map(|(place, length)| {
            let span = start..start + length as usize;
            start = span.end;
            (place, span)
        })
        .collect();
    spans.sort_unstable_by_key(|&(place, _)| place);
    let mut sorted = L::default();
    if !sorted.make_room(hits.len()) {
        return None;
    }
    for (_, span) in spans {
        sorted.extend_from_span(hits, span);
    }
    Some(sorted)
}

/// Asks for the rows of all rays.
pub(super) fn gather<E, Q, L>(job: &Job<'_, '_, E, Q>) -> Result<Gathered<L>, BatchError>
where
    E: Engine + Sync + ?Sized,
    Q: RowQuestion<E>,
    L: HitList<HitOf<E>>,
{
    let plan = job.start(true)?;
    let limit = job.batch.max_hits.unwrap_or(usize::MAX);
    let held = AtomicUsize::new(0);
    let chunks = job.items.len().div_ceil(plan.chunk_size);
    let mut parts: Vec<Part<L>> = Vec::new();
    parts.resize_with(chunks, || Part {
        lengths: Vec::new(),
        hits: L::default(),
    });
    let report = (job.batch).run(plan, job.items, &mut parts, 1, |chunk, part| {
        let left = limit.saturating_sub(held.load(Ordering::Relaxed));
        let too_many = BatchError::TooManyHits { limit, ray: 0 };
        match Part::<L>::of(job, &chunk, left) {
            Err(NoRows::TooMany) => Err(too_many),
            Err(NoRows::NoMemory) => Err(BatchError::NoMemory { ray: chunk.first }),
            Err(NoRows::QuerySlice(error)) => Err(BatchError::of_many(error, chunk.first)),
            Ok((found, techniques)) => {
                let count = found.hits.len();
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
            Err(find_first_too_many(job, plan, limit))
        }
        report => Ok(Gathered {
            report: report?,
            parts,
            hits: held.into_inner(),
        }),
    }
}

/// Finds the first ray whose hits are too many: not the one that a thread happened to be at.
#[cold]
fn find_first_too_many<E, Q>(job: &Job<'_, '_, E, Q>, plan: Plan, limit: usize) -> BatchError
where
    E: Engine + Sync + ?Sized,
    Q: RowQuestion<E>,
{
    let mut counts = vec![0usize; job.items.len()];
    let mut quiet = job.batch;
    quiet.progress = None;
    let share = plan.chunk_size;
    let counted = quiet.run(plan, job.items, &mut counts, share, |chunk, counts| {
        job.ask_rows(&chunk.many, &mut |place, row| {
            counts[chunk.place(place)] = row.len();
        })
        .map_err(|error| BatchError::of_many(error, chunk.first))
    });
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

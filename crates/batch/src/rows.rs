//! All hits of many rays, packed.

use crate::run::Chunk;
use crate::{Batch, BatchError, BatchReport, Plan, Rays};
use estoc_core::{Hit, Many, ManyError, Shares};
use std::sync::atomic::{AtomicUsize, Ordering};

/// All hits of many rays in compressed rows: those of ray `i` are
/// `hits[offsets[i]..offsets[i + 1]]`, which is [`HitRows::row`].
#[derive(Clone, Debug, PartialEq)]
pub struct HitRows {
    /// Where each ray's hits begin, and where the last one's end: one more than there are
    /// rays.
    pub offsets: Vec<usize>,
    /// The hits, ray after ray, each ray's in its order.
    pub hits: Vec<Hit>,
}

impl HitRows {
    /// How many rays there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The hits of one ray, in its order; `None` when there is no such ray.
    pub fn row(&self, ray: usize) -> Option<&[Hit]> {
        let (start, end) = (*self.offsets.get(ray)?, *self.offsets.get(ray + 1)?);
        self.hits.get(start..end)
    }

    /// The hits of each ray, ray after ray.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Hit]> {
        (0..self.len()).map(|ray| self.row(ray).unwrap_or_default())
    }

    /// Leaves no rays, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.hits.clear();
    }

    /// Adds the rows of the rays that follow.
    fn append(&mut self, part: PartRows) {
        let mut end = self.hits.len();
        self.offsets.extend(part.lengths.iter().map(|&length| {
            end += length as usize;
            end
        }));
        self.hits.extend(part.hits);
    }
}

impl Default for HitRows {
    /// The rows of no rays.
    fn default() -> Self {
        HitRows {
            offsets: vec![0],
            hits: Vec::new(),
        }
    }
}

/// The rows of one chunk.
#[derive(Clone, Default)]
pub(crate) struct PartRows {
    /// How many hits each ray has, which are no more than there are triangles.
    lengths: Vec<u32>,
    hits: Vec<Hit>,
}

/// How an engine is asked for rows: it is told rays and who takes a ray's place and its hits.
pub(crate) trait AskRows: Sync {
    /// Asks.
    fn ask(
        &self,
        many: &Many<'_>,
        emit: &mut dyn FnMut(usize, &[Hit]),
    ) -> Result<Shares, ManyError>;

    /// Only counts them.
    fn count(&self, many: &Many<'_>, counts: &mut [usize]) -> Result<Shares, ManyError>;
}

/// Why a chunk has no rows.
pub(crate) enum NoRows {
    /// They would be more than allowed.
    TooMany,
    Many(ManyError),
}

impl PartRows {
    /// The rows of one chunk, at most so many hits.
    pub(crate) fn of(
        chunk: &Chunk<'_>,
        limit: usize,
        query: &impl AskRows,
    ) -> Result<(Self, Shares), NoRows> {
        // Rays end in no order; what they hit is brought into that of the rays afterwards.
        let mut rows: Vec<(u32, u32)> = Vec::with_capacity(chunk.many.len());
        let mut hits: Vec<Hit> = Vec::new();
        let (mut is_sorted, mut fits) = (true, true);
        let shares = query
            .ask(&chunk.many, &mut |place, row| {
                // What does not fit is not kept either.
                fits &= row.len() <= limit - hits.len().min(limit);
                if !fits {
                    return;
                }
                let place = chunk.order.map_or(place as u32, |order| order[place]);
                is_sorted &= rows.last().is_none_or(|&(last, _)| last < place);
                rows.push((place, row.len() as u32));
                hits.extend_from_slice(row);
            })
            .map_err(NoRows::Many)?;
        if !fits {
            return Err(NoRows::TooMany);
        }
        let mut part = PartRows {
            lengths: vec![0; chunk.many.len()],
            hits,
        };
        for &(place, length) in &rows {
            part.lengths[place as usize] = length;
        }
        if !is_sorted {
            part.hits = in_order(rows, &part.hits);
        }
        Ok((part, shares))
    }
}

/// The hits of rows, given with their places, in the order of their places.
fn in_order(rows: Vec<(u32, u32)>, hits: &[Hit]) -> Vec<Hit> {
    let mut start = 0;
    let mut spans: Vec<(u32, std::ops::Range<usize>)> = rows
        .into_iter()
        .map(|(place, length)| {
            let span = start..start + length as usize;
            start = span.end;
            (place, span)
        })
        .collect();
    spans.sort_unstable_by_key(|&(place, _)| place);
    let mut sorted = Vec::with_capacity(hits.len());
    for (_, span) in spans {
        sorted.extend_from_slice(&hits[span]);
    }
    sorted
}

impl Batch<'_> {
    /// All rows of all rays.
    pub(crate) fn fill_rows(
        &self,
        plan: Plan,
        rays: Rays<'_>,
        rows: &mut HitRows,
        query: &impl AskRows,
    ) -> Result<BatchReport, BatchError> {
        rows.clear();
        let limit = self.max_hits.unwrap_or(usize::MAX);
        let held = AtomicUsize::new(0);
        let mut parts = vec![PartRows::default(); rays.len().div_ceil(plan.chunk_size)];
        let report = self.run(plan, rays, &mut parts, 1, |chunk, part| {
            let left = limit.saturating_sub(held.load(Ordering::Relaxed));
            let too_many = BatchError::TooManyHits { limit, ray: 0 };
            match PartRows::of(&chunk, left, query) {
                Err(NoRows::TooMany) => Err(too_many),
                Err(NoRows::Many(error)) => Err(BatchError::of_many(error, chunk.first)),
                Ok((found, shares)) => {
                    let count = found.hits.len();
                    if held.fetch_add(count, Ordering::Relaxed) > limit - count {
                        return Err(too_many);
                    }
                    part[0] = found;
                    Ok(shares)
                }
            }
        });
        let report = match report {
            Err(BatchError::TooManyHits { .. }) => {
                drop(parts);
                return Err(self.who_has_too_many(plan, rays, limit, query));
            }
            report => report?,
        };
        rows.offsets.reserve_exact(rays.len());
        rows.hits.reserve_exact(held.into_inner());
        // Each part is given back as soon as it is copied.
        for part in parts {
            rows.append(part);
        }
        Ok(report)
    }

    /// Which ray is the first whose hits are too many: not the one that a thread happened to be
    /// at.
    #[cold]
    fn who_has_too_many(
        &self,
        plan: Plan,
        rays: Rays<'_>,
        limit: usize,
        query: &impl AskRows,
    ) -> BatchError {
        let mut counts = vec![0; rays.len()];
        let mut quiet = *self;
        quiet.progress = None;
        let counted = quiet.fill(plan, rays, &mut counts, |many, counts| {
            query.count(many, counts)
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
}

impl From<PartRows> for HitRows {
    fn from(part: PartRows) -> Self {
        let mut rows = HitRows::default();
        rows.append(part);
        rows
    }
}

//! All hits of many rays in compressed rows.

use super::Answers;
use super::gather::{gather, make_room};
use crate::error::BatchError;
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::{Engine, Hit, HitOf, RowQuestion};

/// All hits of many rays in compressed rows: those of ray `i` are
/// `hits[offsets[i]..offsets[i + 1]]`, which is [`HitRows::row`].
#[derive(Clone, Debug, PartialEq)]
pub struct HitRows<H = Hit> {
    /// The index of each ray's first hit, followed by the number of all hits; one entry more than
    /// there are rays.
    pub offsets: Vec<usize>,
    /// The hits, ray after ray, each ray's in its order.
    pub hits: Vec<H>,
}

impl<H> HitRows<H> {
    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the hits of one ray, in its order; `None` if there is no such ray.
    pub fn row(&self, ray: usize) -> Option<&[H]> {
        let (start, end) = (*self.offsets.get(ray)?, *self.offsets.get(ray + 1)?);
        self.hits.get(start..end)
    }

    /// Returns the hits of each ray, in the order of the rays.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[H]> {
        (0..self.len()).map(|ray| self.row(ray).unwrap_or_default())
    }

    /// Removes all rays and keeps the memory.
    fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.hits.clear();
    }
}

impl<H> Default for HitRows<H> {
    /// The rows of no rays.
    fn default() -> Self {
        HitRows {
            offsets: vec![0],
            hits: Vec::new(),
        }
    }
}

impl<E, Q> Answers<E, Q> for HitRows<HitOf<E>>
where
    E: Engine + Sync + ?Sized,
    Q: RowQuestion<E>,
{
    fn has_rows(_: &Q) -> bool {
        true
    }

    /// After an error there are no rows.
    fn fill(&mut self, job: &Job<'_, '_, E, Q>) -> Result<BatchReport, BatchError> {
        self.clear();
        let found = gather::<E, Q, Vec<HitOf<E>>>(job)?;
        let has_room = make_room(&mut self.offsets, job.items.len());
        if !has_room || !make_room(&mut self.hits, found.hits) {
            return Err(BatchError::NoMemory { ray: 0 });
        }
        // Each part is given back as soon as it is copied.
        for part in found.parts {
            let mut end = self.hits.len();
            self.offsets.extend(part.lengths.iter().map(|&length| {
                end += length as usize;
                end
            }));
            self.hits.extend(part.hits);
        }
        Ok(found.report)
    }
}

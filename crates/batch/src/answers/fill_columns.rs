//! Fills columns with at most one answer per item.

use crate::error::BatchError;
use crate::items::{Item, Items};
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::{Engine, ValueQuestion};

/// The number of the primitive where there is no answer.
pub(super) const NO_PRIM: u32 = u32::MAX;

/// A container with an array for each number of an answer.
pub(super) trait Columns {
    type Value: Copy + Send;
    /// The columns of one chunk.
    type Part<'a>: Send
    where
        Self: 'a;

    /// Makes room for this number of items, and sets the numbers that stand for no answer.
    fn resize(&mut self, items: usize);

    /// Returns the columns of each chunk of this size.
    fn parts(&mut self, size: usize) -> Vec<Self::Part<'_>>;

    /// Sets the numbers of an answer.
    fn set(part: &mut Self::Part<'_>, place: usize, value: Self::Value);
}

/// Replaces the contents of columns by the answers to the job.
pub(super) fn fill_columns<E, Q, T, C: Columns>(
    columns: &mut C,
    job: &Job<'_, '_, E, Q, T>,
) -> Result<BatchReport, BatchError>
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = Option<C::Value>>,
{
    let plan = job.start(false)?;
    columns.resize(job.items.len());
    let mut parts = columns.parts(plan.chunk_size);
    (job.batch).run(plan, job.items, &mut parts, 1, &|chunk, part| {
        let mut found = vec![None; chunk.many.len()];
        let techniques = (job.ask_many(&chunk.many, &mut found))
            .map_err(|error| BatchError::of_many(error, chunk.first))?;
        // The numbers of items without an answer are there already.
        for (asked, value) in found.into_iter().enumerate() {
            if let Some(value) = value {
                C::set(&mut part[0], chunk.place(asked), value);
            }
        }
        Ok(techniques)
    })
}

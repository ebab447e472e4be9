//! Answers that are passed on in chunks.

use super::Answers;
use crate::batch::Batch;
use crate::batch_query::BatchQuery;
use crate::error::BatchError;
use crate::items::{Item, Items};
use crate::plan::Plan;
use crate::report::BatchReport;
use estoc_core::{Engine, QuerySlice, QuerySliceError, TechniqueCounts, ValueQuestion};

/// Calls a function with the answers about some items at a time, in any order and from any thread, instead of
/// keeping a list of all. After an error some answers are missing.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Ray, Triangle, query::Any};
/// use estoc_batch::{AnswerChunk, ForChunks};
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
/// let engine = BruteForce::new([Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])]);
/// let rays = [9.0, 1.0, 2.0].map(|x| Ray::new([x, 1.0, 1.0], [0.0, 0.0, -1.0]));
/// let sum = AtomicUsize::new(0);
/// let mut add = ForChunks(|chunk: AnswerChunk<'_, bool>| {
///     for (ray, &hit) in chunk.iter() {
///         sum.fetch_add(if hit { ray } else { 0 }, Relaxed);
///     }
/// });
/// Batch::new().ask_into(&engine, Any, &rays, &mut add)?;
/// assert_eq!(sum.into_inner(), 1 + 2);
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForChunks<F>(pub F);

/// The answers about some of the items of a batch.
#[derive(Clone, Copy, Debug)]
pub struct AnswerChunk<'a, A> {
    answers: &'a [A],
    first: usize,
    /// The places of the items, counted from `first`; `None` if they are in order.
    order: Option<&'a [u32]>,
}

impl<'a, A> AnswerChunk<'a, A> {
    /// Returns the place of each item in the list of all, and the answer about it.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (usize, &'a A)> {
        let AnswerChunk { first, order, .. } = *self;
        let place = move |cast: usize| order.map_or(cast, |order| order[cast] as usize);
        let answers = self.answers.iter().enumerate();
        answers.map(move |(cast, answer)| (first + place(cast), answer))
    }
}

impl<E, Q, T, F> Answers<E, Q, T> for ForChunks<F>
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T>,
    F: Fn(AnswerChunk<'_, Q::Answer>) + Sync,
{
    fn fill(&mut self, query: &BatchQuery<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        let ask = |many: &QuerySlice<'_, T, _>, answers: &mut [_]| query.ask_many(many, answers);
        let plan = query.start(false)?;
        pass_on(&query.batch, (plan, query.items), &ask, &self.0)
    }
}

/// Answers a question about many items.
type AskMany<'q, T, I, A> =
    dyn Fn(&QuerySlice<'_, T, I>, &mut [A]) -> Result<TechniqueCounts, QuerySliceError> + Sync + 'q;

/// Passes on the answers that `ask` finds. The question is no type parameter, so that this is compiled once for all
/// with such answers.
fn pass_on<L: Items, I: Copy + Send + Sync, A: Copy + Default>(
    batch: &Batch<'_, I>,
    (plan, items): (Plan, L),
    ask: &AskMany<'_, L::Item, I, A>,
    put: &(dyn Fn(AnswerChunk<'_, A>) + Sync),
) -> Result<BatchReport, BatchError> {
    let chunks = items.len().div_ceil(plan.chunk_size);
    batch.run_chunks(plan, items, chunks, &|chunk, _| {
        let mut answers = Vec::new();
        let reserved = answers.try_reserve_exact(chunk.many.len());
        reserved.map_err(|_| BatchError::NoMemory { ray: chunk.first })?;
        answers.resize(chunk.many.len(), A::default());
        let techniques = ask(&chunk.many, &mut answers);
        let techniques = techniques.map_err(|error| BatchError::of_many(error, chunk.first))?;
        put(AnswerChunk {
            answers: &answers,
            first: chunk.first,
            order: chunk.order,
        });
        Ok(techniques)
    })
}

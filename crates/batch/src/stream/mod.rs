//! Endless streams of rays, points, moving spheres or regions: answers block by block, in order, in
//! bounded memory.

mod error;
mod pump;
mod source;
#[cfg(feature = "rayon")]
mod workers;

pub use error::StreamError;
pub use source::StreamItem;

use crate::answers::{Answers, BatchQuestion};
use crate::batch::Batch;
use crate::batch_query::{AcceptHitSync, BatchEngine, BatchQuery};
use crate::error::BatchError;
use crate::items::Item;
use crate::plan::Plan;
use crate::report::BatchReport;
use estoc_core::{Engine, IdOf, PrimId, Question, RayKind};
use pump::{Block, BlockOf, Pump};
use std::ops::ControlFlow;

/// Rays, points, moving spheres or regions from an iterator that need not end; made by
/// [`Batch::stream`].
///
/// Rays are read in the caller's thread and cast in others at the same time, in blocks of
/// [`Batch::chunk_size`]. `sink` is called in the caller's thread with the rays and answers of each
/// block, in the order of the rays. A few blocks per thread are in memory at a time, however many
/// rays there are.
///
/// The stream ends with the source, or when `sink` returns `Break`, whose value is passed on. An
/// error of the source also ends it, after the answers of all earlier rays are delivered. After any
/// other error, the answers of the whole blocks before it are delivered.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Ray, Triangle, query::Any};
/// use std::ops::ControlFlow;
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// // Rays without end, until a hundred hit.
/// let rays = (0..).map(|i| Ray::new([(i % 100) as f32 * 0.02, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// let mut hits = 0;
/// let ended = Batch::new().chunk_size(64).stream(rays).ask(&engine, Any, |_rays, any| {
///     hits += any.iter().filter(|&&any| any).count();
///     if hits < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break("enough") }
/// })?;
/// assert_eq!(ended.break_value(), Some("enough"));
/// assert!((100..164).contains(&hits));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A source that can fail has items of [`Result`]:
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Ray, batch::StreamError, query::Closest};
/// use std::ops::ControlFlow;
/// let engine = BruteForce::new(vec![]);
/// let lines = ["1", "2", "three"];
/// let rays = lines.map(|line| Ok(Ray::new([line.parse()?, 0.0, 0.0], [0.0, 0.0, 1.0])));
/// let mut delivered = 0;
/// let failed = Batch::new().stream(rays).ask(&engine, Closest, |rays, _hits| {
///     delivered += rays.len();
///     ControlFlow::<()>::Continue(())
/// });
/// let Err(StreamError::Source { ray, error }) = failed else { panic!() };
/// let error: std::num::ParseFloatError = error;
/// assert_eq!((ray, delivered), (2, 2));
/// # let _ = error;
/// ```
#[derive(Clone)]
pub struct RayStream<'a, S, I = PrimId> {
    pub(crate) batch: Batch<'a, I>,
    pub(crate) items: S,
}

/// The result of a stream: the value that the sink broke with, or the report at the end of the
/// source.
pub type StreamOutcome<B, E> = Result<ControlFlow<B, BatchReport>, StreamError<E>>;

/// The ray, point, moving sphere or region of this type of source.
pub(crate) type ItemFrom<S> = <<S as Iterator>::Item as StreamItem>::Item;

/// The result of a stream from this type of source.
pub(crate) type StreamedFrom<S, B> = StreamOutcome<B, <<S as Iterator>::Item as StreamItem>::Error>;

impl<'a, I: Copy> Batch<'a, I> {
    /// Takes rays, points, moving spheres or regions from a source that need not end; [`RayStream::ask`]
    /// takes the question.
    ///
    /// Options per ray and flags apply only to lists and are refused here; [`Batch::max_hits`]
    /// limits the hits of each block.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Ray, Triangle, query::Any};
    /// use std::ops::ControlFlow;
    /// let engine = BruteForce::new([Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    /// // Rays are drawn until a thousand of them have hit.
    /// let rays = (0..).map(|i| Ray::new([(i % 7) as f32 / 4.0, 0.1, 1.0], [0.0, 0.0, -1.0]));
    /// let mut hits = 0;
    /// let done = Batch::new().stream(rays).ask(&engine, Any, |_rays, answers| {
    ///     hits += answers.iter().filter(|&&hit| hit).count();
    ///     if hits < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// })?;
    /// assert!(done.is_break() && hits >= 1000);
    /// # Ok::<(), estoc::batch::StreamError<std::convert::Infallible>>(())
    /// ```
    #[must_use]
    pub fn stream<S: IntoIterator<Item: StreamItem>>(
        &self,
        items: S,
    ) -> RayStream<'a, S::IntoIter, I> {
        RayStream {
            batch: *self,
            items: items.into_iter(),
        }
    }
}

/// Generic queries.
impl<I: Copy, S: Iterator<Item: StreamItem>> RayStream<'_, S, I> {
    /// Answers a question, in the question's default container.
    ///
    /// # Errors
    /// [`StreamError`]: the first error of the source, or the error that stopped the batch. A block
    /// with more hits than [`Batch::max_hits`] allows is
    /// [`BatchError::TooManyHits`](crate::BatchError::TooManyHits).
    pub fn ask<E: BatchEngine<I> + ?Sized, Q, B>(
        self,
        engine: &E,
        question: Q,
        sink: impl FnMut(&[ItemFrom<S>], &Q::Answers) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B>
    where
        S::Item: StreamItem<Item: Item>,
        Q: BatchQuestion<E, ItemFrom<S>>,
    {
        self.ask_as(engine, question, sink)
    }

    /// Answers a question in the container that the sink takes, such as
    /// [`HitColumns`](crate::HitColumns).
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Ray, Triangle, batch::HitColumns, query::Closest};
    /// use std::ops::ControlFlow;
    /// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let rays = [0.25, 2.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
    /// let mut prims = Vec::new();
    /// let sink = |_: &[Ray], hits: &HitColumns| {
    ///     prims.extend_from_slice(&hits.prim);
    ///     ControlFlow::<()>::Continue(())
    /// };
    /// let _ = Batch::new().stream(&rays).ask_as(&engine, Closest, sink)?;
    /// assert_eq!(prims, [0, u32::MAX]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn ask_as<E: BatchEngine<I> + ?Sized, Q, A, B>(
        self,
        engine: &E,
        question: Q,
        sink: impl FnMut(&[ItemFrom<S>], &A) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B>
    where
        S::Item: StreamItem<Item: Item>,
        Q: Question<E, ItemFrom<S>>,
        A: Answers<E, Q, ItemFrom<S>> + Default + Send,
    {
        self.ask_filtered(engine, question, None, sink)
    }

    /// Answers a question about rays, counting only hits for which `accept` returns `true`; see
    /// [`Batch::ask_where`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn ask_where<E: BatchEngine<I> + ?Sized, Q, B>(
        self,
        engine: &E,
        question: Q,
        accept: AcceptHitSync<'_, E, ItemFrom<S>>,
        sink: impl FnMut(&[ItemFrom<S>], &Q::Answers) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B>
    where
        S::Item: StreamItem<Item: RayKind + Item>,
        Q: BatchQuestion<E, ItemFrom<S>>,
    {
        self.ask_filtered(engine, question, Some(accept), sink)
    }

    fn ask_filtered<E: BatchEngine<I> + ?Sized, Q, A, B>(
        self,
        engine: &E,
        question: Q,
        accept: Option<AcceptHitSync<'_, E, ItemFrom<S>>>,
        sink: impl FnMut(&[ItemFrom<S>], &A) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B>
    where
        S::Item: StreamItem<Item: Item>,
        Q: Question<E, ItemFrom<S>>,
        A: Answers<E, Q, ItemFrom<S>> + Default + Send,
    {
        let none: &[ItemFrom<S>] = &[];
        let of_none = self.batch.query(engine, question, none.into(), accept);
        let fill = |batch: Batch<'_, I>, items: &[ItemFrom<S>], answers: &mut A| {
            answers.fill(&batch.query(engine, question, items.into(), accept))
        };
        each_block(self.items, &of_none, fill, sink)
    }
}

/// Answers the question of a query about no items about those of a source, block by block. `fill`
/// answers about the items of one block.
pub(crate) fn each_block<S, E, Q, T, A, B>(
    items: S,
    of_none: &BatchQuery<'_, '_, E, Q, T>,
    fill: impl Fn(Batch<'_, IdOf<E>>, &[ItemFrom<S>], &mut A) -> Result<BatchReport, BatchError> + Sync,
    mut sink: impl FnMut(&[ItemFrom<S>], &A) -> ControlFlow<B>,
) -> StreamedFrom<S, B>
where
    S: Iterator<Item: StreamItem>,
    E: Engine + Sync + ?Sized,
    Q: Question<E, T>,
    T: Item,
    A: Answers<E, Q, T> + Default + Send,
{
    let batch = &of_none.batch;
    batch.check_endless()?;
    batch.check_settings::<T>()?;
    let has_rows = A::has_rows(&of_none.question);
    let usual = || Plan::block_size(of_none.engine.query_bytes(), has_rows);
    let size = T::BLOCK_SIZE.unwrap_or_else(usual);
    let pump = Pump::new(batch, of_none.plan(has_rows), size);
    let solve = |block: &mut BlockOf<S, A>| {
        let Block { items, answers } = block;
        // A block is one chunk, so the thread that takes it casts it at once.
        fill(batch.for_block(items.len()), items, answers)
    };
    pump.run(items, &solve, |block| sink(&block.items, &block.answers))
}

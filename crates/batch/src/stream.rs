//! Rays, or points, without end: answers block by block, in order, with bounded memory.

mod error;
mod iter;
mod pump;
mod source;

pub use error::StreamError;
pub use iter::ClosestHits;
pub use source::StreamItem;

use crate::answers::{Answers, BatchQuestion, HitRows};
use crate::batch::Batch;
use crate::job::{AcceptHitSync, BatchEngine, Job};
use crate::plan::Plan;
use crate::report::BatchReport;
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Any, Closest, Contains, Count, CountCrossings, Crossings, Engine, FirstK, HitOf, IdOf,
    PrimId, Question, Ray,
};
use pump::{Block, BlockOf, Pump};
use std::ops::ControlFlow;

/// Rays, or points, that come one after the other, from anywhere and without end; made by [`Batch::stream`].
///
/// The queries read rays in the thread of the caller and cast them in others at the same time, in
/// blocks of [`Batch::chunk_size`]. `sink` is called in the caller's thread with the rays of a
/// block and their answers, block after block in the order of the rays. A few blocks for each
/// thread are in memory, and that does not grow with the number of rays.
///
/// It ends with the source, or when `sink` answers `Break`, whose value is passed on. An error of
/// the source ends it, too: answers of the rays before are delivered first. In any other error,
/// those of whole blocks before.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
/// use estoc::{Batch, BruteForce, Ray, Triangle};
/// use std::ops::ControlFlow;
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// // Rays without end, until a hundred hit.
/// let rays = (0..).map(|i| Ray::new([(i % 100) as f32 * 0.02, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// let mut hits = 0;
/// let ended = Batch::new().chunk_size(64).stream(rays).any_hits(&engine, |_rays, any| {
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
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{Batch, BruteForce, Ray, batch::StreamError};
/// use std::ops::ControlFlow;
/// let engine = BruteForce::new(vec![]);
/// let lines = ["1", "2", "three"];
/// let rays = lines.map(|line| Ok(Ray::new([line.parse()?, 0.0, 0.0], [0.0, 0.0, 1.0])));
/// let mut delivered = 0;
/// let failed = Batch::new().stream(rays).closest_hits(&engine, |rays, _hits| {
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
    batch: Batch<'a, I>,
    items: S,
}

/// What becomes of a stream: the value that the sink broke off with, or the report at the end of
/// the source.
pub type StreamOutcome<B, E> = Result<ControlFlow<B, BatchReport>, StreamError<E>>;

/// What becomes of a stream from such a source.
type StreamedFrom<S, B> = StreamOutcome<B, <<S as Iterator>::Item as StreamItem>::Error>;

impl<'a, I: Copy> Batch<'a, I> {
    /// Takes rays, or points, of a source that need not have an end; the queries are those of
    /// [`RayStream`].
    ///
    /// Options of each ray and flags are for lists of rays and are refused here;
    /// [`Batch::max_hits`] bounds the hits of each block.
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

/// Any question.
impl<I: Copy, S: Iterator<Item: StreamItem>> RayStream<'_, S, I> {
    /// Answers a question, in the container that goes with the question.
    ///
    /// # Errors
    /// [`StreamError`]: the first error of the source, or what stopped the batch. That is
    /// [`BatchError::TooManyHits`](crate::BatchError::TooManyHits), too, when a block has more
    /// hits than [`Batch::max_hits`] allows.
    pub fn ask<E: BatchEngine<I> + ?Sized, Q, B>(
        self,
        engine: &E,
        question: Q,
        sink: impl FnMut(&[Q::Item], &Q::Answers) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B>
    where
        Q: BatchQuestion<E, Item = <S::Item as StreamItem>::Item>,
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
        sink: impl FnMut(&[Q::Item], &A) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B>
    where
        Q: Question<E, Item = <S::Item as StreamItem>::Item>,
        A: Answers<E, Q> + Default + Send,
    {
        each_block(self.batch, self.items, engine, question, None, sink)
    }

    /// Answers a question about rays, where only hits count that `accept` returns `true` for; see
    /// [`Batch::ask_where`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn ask_where<E: BatchEngine<I> + ?Sized, Q, B>(
        self,
        engine: &E,
        question: Q,
        accept: AcceptHitSync<'_, E>,
        sink: impl FnMut(&[Ray], &Q::Answers) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B>
    where
        S::Item: StreamItem<Item = Ray>,
        Q: BatchQuestion<E, Item = Ray>,
    {
        each_block(self.batch, self.items, engine, question, Some(accept), sink)
    }
}

/// Asks about the items of a source, block by block.
fn each_block<S, E, Q, A, B>(
    batch: Batch<'_, IdOf<E>>,
    items: S,
    engine: &E,
    question: Q,
    accept: Option<AcceptHitSync<'_, E>>,
    mut sink: impl FnMut(&[Q::Item], &A) -> ControlFlow<B>,
) -> StreamedFrom<S, B>
where
    S: Iterator<Item: StreamItem>,
    E: Engine + Sync + ?Sized,
    Q: Question<E, Item = <S::Item as StreamItem>::Item>,
    A: Answers<E, Q> + Default + Send,
{
    batch.check_endless()?;
    batch.check_item::<Q::Item>()?;
    let has_rows = A::has_rows(&question);
    let none: &[Q::Item] = &[];
    let of_none = Job {
        batch,
        engine,
        question,
        items: none.into(),
        accept,
    };
    let size = Plan::block_size(engine.query_bytes(), has_rows);
    let pump = Pump::new(&batch, of_none.plan(has_rows), size);
    let solve = |block: &mut BlockOf<S, A>| {
        let Block { items, answers } = block;
        answers.fill(&Job {
            // A block is one chunk, so the caller's thread does it at once.
            batch: batch.for_block(items.len()),
            engine,
            question,
            items: items.as_slice().into(),
            accept,
        })
    };
    pump.run(items, solve, |block| sink(&block.items, &block.answers))
}

/// Each question about rays by its name.
impl<I: Copy, S: Iterator<Item: StreamItem<Item = Ray>>> RayStream<'_, S, I> {
    /// Returns the first hit of each ray.
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn closest_hits<E: BatchEngine<I> + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[Ray], &[Option<HitOf<E>>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, Closest, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }

    /// Returns whether each ray hits anything.
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn any_hits<E: BatchEngine<I> + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[Ray], &[bool]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, Any, |items, answers: &Vec<_>| sink(items, answers))
    }

    /// Returns how many triangles each ray touches.
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn count_hits<E: BatchEngine<I> + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[Ray], &[usize]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, Count, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }

    /// Returns how often each ray crosses the surface.
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn count_crossings<E: BatchEngine<I> + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[Ray], &[usize]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, CountCrossings, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }

    /// Returns all hits of each ray, in its order.
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn all_hits<E: BatchEngine<I> + ?Sized, B>(
        self,
        engine: &E,
        sink: impl FnMut(&[Ray], &HitRows<HitOf<E>>) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, All, sink)
    }

    /// Returns the first `k` hits of each ray, in its order; fewer when there are fewer.
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn first_hits<E: BatchEngine<I> + ?Sized, B>(
        self,
        engine: &E,
        k: usize,
        sink: impl FnMut(&[Ray], &HitRows<HitOf<E>>) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, FirstK(k), sink)
    }

    /// Returns where each ray crosses the surface, in its order.
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn crossings<E: BatchEngine<I> + ?Sized, B>(
        self,
        engine: &E,
        sink: impl FnMut(&[Ray], &HitRows<HitOf<E>>) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, Crossings, sink)
    }
}

/// Each question about points by its name.
impl<I: Copy, S: Iterator<Item: StreamItem<Item = Vec3>>> RayStream<'_, S, I> {
    /// Returns whether each point is inside; see [`Batch::contains`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn contains<E: BatchEngine<I> + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[Vec3], &[Option<bool>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, Contains, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }
}

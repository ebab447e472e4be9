//! Rays without end: answers block by block, in order, with bounded memory.

mod error;
mod pump;
mod source;

pub use error::StreamError;
pub use source::RayItem;

use crate::queries::{AllCrossings, AllHits};
use crate::rows::AskRows;
use crate::{Batch, BatchReport, HitRows, Query};
use estoc_core::{Hit, Many, ManyError, Ray, RayQuery, Shares};
use pump::{Block, Pump};
use std::ops::ControlFlow;

/// Rays that come one after the other, from anywhere and without end; made by [`Batch::stream`].
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
/// use estoc_batch::Batch;
/// use estoc_core::{BruteForce, Ray, Triangle};
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
/// use estoc_batch::{Batch, StreamError};
/// use estoc_core::{BruteForce, Ray};
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
pub struct RayStream<'a, I> {
    batch: Batch<'a>,
    rays: I,
}

/// What becomes of a stream: the value that the sink broke off with, or the report at the end of
/// the source.
pub type Streamed<B, E> = Result<ControlFlow<B, BatchReport>, StreamError<E>>;

impl<'a> Batch<'a> {
    /// Rays of a source that need not have an end; the queries are those of [`RayStream`].
    ///
    /// Options of each ray and flags are for lists of rays and are refused here;
    /// [`Batch::max_hits`] bounds the hits of each block.
    #[must_use]
    pub fn stream<I: IntoIterator<Item: RayItem>>(&self, rays: I) -> RayStream<'a, I::IntoIter> {
        RayStream {
            batch: *self,
            rays: rays.into_iter(),
        }
    }
}

impl<I: Iterator<Item: RayItem>> RayStream<'_, I> {
    /// The first hit of each ray.
    ///
    /// # Errors
    /// [`StreamError`]: the first error of the source, or what stopped the batch.
    pub fn closest_hits<Q: RayQuery + Sync, B>(
        self,
        engine: &Q,
        sink: impl FnMut(&[Ray], &[Option<Hit>]) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let ask = |many: &Many<'_>, hits: &mut [_]| engine.closest_hits_into(many, hits);
        self.each(engine.query_bytes(), Query::ClosestHits, ask, sink)
    }

    /// Whether each ray hits anything.
    ///
    /// # Errors
    /// As [`closest_hits`](RayStream::closest_hits).
    pub fn any_hits<Q: RayQuery + Sync, B>(
        self,
        engine: &Q,
        sink: impl FnMut(&[Ray], &[bool]) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let ask = |many: &Many<'_>, any: &mut [_]| engine.any_hits_into(many, any);
        self.each(engine.query_bytes(), Query::AnyHits, ask, sink)
    }

    /// How many triangles each ray touches.
    ///
    /// # Errors
    /// As [`closest_hits`](RayStream::closest_hits).
    pub fn count_hits<Q: RayQuery + Sync, B>(
        self,
        engine: &Q,
        sink: impl FnMut(&[Ray], &[usize]) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let ask = |many: &Many<'_>, counts: &mut [_]| engine.count_hits_into(many, counts);
        self.each(engine.query_bytes(), Query::CountHits, ask, sink)
    }

    /// How often each ray crosses the surface.
    ///
    /// # Errors
    /// As [`closest_hits`](RayStream::closest_hits).
    pub fn count_crossings<Q: RayQuery + Sync, B>(
        self,
        engine: &Q,
        sink: impl FnMut(&[Ray], &[usize]) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let ask = |many: &Many<'_>, counts: &mut [_]| engine.count_crossings_into(many, counts);
        self.each(engine.query_bytes(), Query::CountCrossings, ask, sink)
    }

    /// All hits of each ray, in its order.
    ///
    /// # Errors
    /// As [`closest_hits`](RayStream::closest_hits), and
    /// [`BatchError::TooManyHits`](crate::BatchError::TooManyHits) when a block has more than
    /// [`Batch::max_hits`] allows.
    pub fn all_hits<Q: RayQuery + Sync, B>(
        self,
        engine: &Q,
        sink: impl FnMut(&[Ray], &HitRows) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let tree_bytes = engine.query_bytes();
        self.rows(tree_bytes, Query::AllHits, &AllHits(engine), sink)
    }

    /// Where each ray crosses the surface, in its order.
    ///
    /// # Errors
    /// As [`all_hits`](RayStream::all_hits).
    pub fn crossings<Q: RayQuery + Sync, B>(
        self,
        engine: &Q,
        sink: impl FnMut(&[Ray], &HitRows) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let tree_bytes = engine.query_bytes();
        self.rows(tree_bytes, Query::Crossings, &AllCrossings(engine), sink)
    }

    /// One answer a ray.
    fn each<A: Copy + Default + Send, B>(
        self,
        tree_bytes: usize,
        query: Query,
        ask: impl Fn(&Many<'_>, &mut [A]) -> Result<Shares, ManyError> + Sync,
        mut sink: impl FnMut(&[Ray], &[A]) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let RayStream { batch, rays } = self;
        let solve = |block: &mut Block<Vec<A>>| {
            block.answers.clear();
            block.answers.resize(block.rays.len(), A::default());
            // A block is one chunk, so the caller's thread does it at once.
            let inside = batch.for_block(block.rays.len());
            let plan = inside.plan_of(tree_bytes, (&block.rays).into(), query);
            let answers = &mut block.answers;
            inside.fill(plan, (&block.rays).into(), answers, &ask)
        };
        Pump::new(&batch, tree_bytes, query)
            .run(rays, solve, |block| sink(&block.rays, &block.answers))
    }

    /// Any number of answers a ray.
    fn rows<B>(
        self,
        tree_bytes: usize,
        query: Query,
        ask: &impl AskRows,
        mut sink: impl FnMut(&[Ray], &HitRows) -> ControlFlow<B>,
    ) -> Streamed<B, <I::Item as RayItem>::Error> {
        let RayStream { batch, rays } = self;
        let solve = |block: &mut Block<HitRows>| {
            let inside = batch.for_block(block.rays.len());
            let plan = inside.plan_of(tree_bytes, (&block.rays).into(), query);
            inside.fill_rows(plan, (&block.rays).into(), &mut block.answers, ask)
        };
        Pump::new(&batch, tree_bytes, query)
            .run(rays, solve, |block| sink(&block.rays, &block.answers))
    }
}

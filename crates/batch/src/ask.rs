//! The queries of a batch that are generic over the question.

use crate::answers::{Answers, BatchQuestion};
use crate::batch::Batch;
use crate::batch_query::{AcceptHitSync, BatchEngine, BatchQuery};
use crate::error::BatchError;
use crate::items::{IntoItems, Item};
use crate::plan::Plan;
use crate::report::BatchReport;
use estoc_core::{All, Engine, HitOf, Question, Ray, RayKind};
use std::ops::ControlFlow;

/// Generic queries.
impl<I: Copy> Batch<'_, I> {
    /// Answers a question about many rays, points or moving spheres, in the question's default container.
    /// Questions about sides, such as [`ContainsBy`](estoc_core::ContainsBy), have the answer `None` on a
    /// surface that has no inside; their `check_surface` tells why.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Ray, Triangle, query::FirstK};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let rays = [0.2, 2.0].map(|x| Ray::new([x, 0.2, 0.0], [0.0, 0.0, 1.0]));
    /// let rows = Batch::new().ask(&engine, FirstK(2), &rays)?;
    /// assert!(rows.rows().map(<[_]>::len).eq([2, 0]));
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// - [`BatchError::Cancelled`] when the batch was cancelled before all answers were found;
    /// - [`BatchError::Threads`] when the threads cannot be started, or are more than 1,024;
    /// - [`BatchError::ChunkSize`] for a chunk size above 2^30;
    /// - [`BatchError::Length`] when the number of options or flags differs from that of the rays;
    /// - [`BatchError::Query`] when a ray does not hit the primitive that its options name in
    ///   `after`;
    /// - [`BatchError::TooManyHits`] for questions with any number of hits per ray;
    /// - [`BatchError::RaysOnly`] when options are set and the question is not about rays.
    pub fn ask<'r, E: BatchEngine<I> + ?Sized, Q: BatchQuestion<E, L::Item>, L: IntoItems<'r>>(
        &self,
        engine: &E,
        question: Q,
        items: L,
    ) -> Result<Q::Answers, BatchError> {
        self.ask_as(engine, question, items)
    }

    /// Answers a question in any container that can hold the answers, such as
    /// [`HitColumns`](crate::HitColumns).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn ask_as<'r, A, E: BatchEngine<I> + ?Sized, Q: Question<E, L::Item>, L: IntoItems<'r>>(
        &self,
        engine: &E,
        question: Q,
        items: L,
    ) -> Result<A, BatchError>
    where
        A: Answers<E, Q, L::Item> + Default,
    {
        let mut answers = A::default();
        self.ask_into(engine, question, items, &mut answers)?;
        Ok(answers)
    }

    /// Answers a question into the caller's container, reusing its memory, and returns a report.
    /// The length of a slice must equal the number of items; any other container that holds answers is resized to
    /// fit.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask), and [`BatchError::Room`]. After an error the answers are incomplete.
    pub fn ask_into<'r, E: BatchEngine<I> + ?Sized, Q: Question<E, L::Item>, L: IntoItems<'r>>(
        &self,
        engine: &E,
        question: Q,
        items: L,
        answers: &mut (impl Answers<E, Q, L::Item> + ?Sized),
    ) -> Result<BatchReport, BatchError> {
        answers.fill(&self.query(engine, question, items.into_items(), None))
    }

    /// Answers a question about many rays, counting only hits for which `accept` returns `true`,
    /// such as in an alpha test for textures with holes.
    ///
    /// The result of `accept` must depend on the ray and the hit alone: `accept` is called from any
    /// thread and in any order, only for some of the hits, and possibly more than once per hit.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Hit, Ray, Triangle, query::Count};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let rays = [Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0])];
    /// let is_opaque = |_: &Ray, hit: &Hit| hit.prim.get() != 1;
    /// let counts = Batch::new().ask_where(&engine, Count, &rays, &is_opaque)?;
    /// assert_eq!(counts, [2]);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn ask_where<'r, E: BatchEngine<I> + ?Sized, Q, L: IntoItems<'r, Item: RayKind>>(
        &self,
        engine: &E,
        question: Q,
        rays: L,
        accept: AcceptHitSync<'_, E, L::Item>,
    ) -> Result<Q::Answers, BatchError>
    where
        Q: BatchQuestion<E, L::Item>,
    {
        let mut answers = Q::Answers::default();
        self.ask_where_into(engine, question, rays, accept, &mut answers)?;
        Ok(answers)
    }

    /// Answers a question about many rays into the caller's container, counting only hits for which
    /// `accept` returns `true`, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn ask_where_into<'r, E: BatchEngine<I> + ?Sized, Q, L: IntoItems<'r, Item: RayKind>>(
        &self,
        engine: &E,
        question: Q,
        rays: L,
        accept: AcceptHitSync<'_, E, L::Item>,
        answers: &mut (impl Answers<E, Q, L::Item> + ?Sized),
    ) -> Result<BatchReport, BatchError>
    where
        Q: Question<E, L::Item>,
    {
        answers.fill(&self.query(engine, question, rays.into_items(), Some(accept)))
    }

    /// Calls `visit` with the index of a ray and each of its hits, in order along the ray, until
    /// `visit` breaks for that ray. Rays come in any order and from any thread. Returns a report.
    ///
    /// All hits of a ray are found before the first call; breaking saves the remaining calls, not
    /// the traversal.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Ray, Triangle};
    /// use std::ops::ControlFlow::{Break, Continue};
    /// use std::sync::Mutex;
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let rays = [Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0])];
    /// let seen = Mutex::new(Vec::new());
    /// Batch::new().for_each_hit(&engine, &rays, &|ray, hit| {
    ///     seen.lock().unwrap().push((ray, hit.t));
    ///     if hit.t < 2.0 { Continue(()) } else { Break(()) }
    /// })?;
    /// assert_eq!(*seen.lock().unwrap(), [(0, 1.0), (0, 2.0)]);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Batch::ask), but the number of hits has no limit. After an error some rays are
    /// missing.
    pub fn for_each_hit<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl IntoItems<'r, Item = Ray>,
        visit: &(dyn Fn(usize, &HitOf<E>) -> ControlFlow<()> + Sync),
    ) -> Result<BatchReport, BatchError> {
        visit_all(
            &self.query::<_, _, Ray>(engine, All, rays.into_items(), None),
            visit,
        )
    }

    /// Returns the plan for these rays or points without executing it. Samples 4 rays out of every
    /// 2048, and at most 256 in all.
    #[must_use]
    pub fn plan<'r, E: BatchEngine<I> + ?Sized, Q: BatchQuestion<E, L::Item>, L: IntoItems<'r>>(
        &self,
        engine: &E,
        question: Q,
        items: L,
    ) -> Plan {
        let has_rows = Q::Answers::has_rows(&question);
        self.query(engine, question, items.into_items(), None)
            .plan(has_rows)
    }

    pub(crate) fn query<'j, 'r, E: BatchEngine<I> + ?Sized, Q, T: Item>(
        &'j self,
        engine: &'j E,
        question: Q,
        items: T::Items<'r>,
        accept: Option<AcceptHitSync<'j, E, T>>,
    ) -> BatchQuery<'j, 'r, E, Q, T> {
        BatchQuery {
            batch: *self,
            engine,
            question,
            items,
            accept,
        }
    }
}

/// Calls `visit` with the hits of each ray in order.
fn visit_all<E: Engine + Sync + ?Sized>(
    query: &BatchQuery<'_, '_, E, All>,
    visit: &(dyn Fn(usize, &HitOf<E>) -> ControlFlow<()> + Sync),
) -> Result<BatchReport, BatchError> {
    let plan = query.start(true)?;
    let chunks = query.items.len().div_ceil(plan.chunk_size);
    (query.batch).run_chunks(plan, query.items, chunks, &|chunk, _| {
        query
            .ask_rows(&chunk.many, &mut |place, row| {
                let ray = chunk.first + chunk.place(place);
                let _ = row.iter().try_for_each(|hit| visit(ray, hit));
            })
            .map_err(|error| BatchError::of_many(error, chunk.first))
    })
}

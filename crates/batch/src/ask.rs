//! The queries of a batch: a generic one for any question, and one method per question.

use crate::answers::{Answers, BatchQuestion, HitRows};
use crate::batch::Batch;
use crate::error::BatchError;
use crate::items::{Item, ItemsOf, Points, Rays};
use crate::job::{AcceptHitSync, BatchEngine, Job};
use crate::plan::Plan;
use crate::report::BatchReport;
use estoc_core::{
    All, Any, Closest, Contains, Count, CountCrossings, Crossings, Engine, FirstK, HitOf, Question,
    Ray,
};
use std::ops::ControlFlow;

/// Generic queries.
impl<I: Copy> Batch<'_, I> {
    /// Answers a question about many rays or points, in the question's default container.
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
    /// - [`BatchError::Threads`] when the system cannot start the threads;
    /// - [`BatchError::Length`] when the number of options or flags differs from that of the rays;
    /// - [`BatchError::Query`] when a ray does not hit the primitive that its options name in
    ///   `after`;
    /// - [`BatchError::TooManyHits`] for questions with any number of hits per ray;
    /// - [`BatchError::RaysOnly`] when options are set and the question is about points.
    pub fn ask<'r, E: BatchEngine<I> + ?Sized, Q: BatchQuestion<E>>(
        &self,
        engine: &E,
        question: Q,
        items: impl Into<ItemsOf<'r, E, Q>>,
    ) -> Result<Q::Answers, BatchError> {
        self.ask_as(engine, question, items)
    }

    /// Answers a question in any container that can hold the answers, such as
    /// [`HitColumns`](crate::HitColumns).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn ask_as<'r, A, E: BatchEngine<I> + ?Sized, Q: Question<E, Item: Item>>(
        &self,
        engine: &E,
        question: Q,
        items: impl Into<ItemsOf<'r, E, Q>>,
    ) -> Result<A, BatchError>
    where
        A: Answers<E, Q> + Default,
    {
        let mut answers = A::default();
        self.ask_into(engine, question, items, &mut answers)?;
        Ok(answers)
    }

    /// Answers a question into the caller's container, reusing its memory, and returns a report.
    /// The length of a slice must equal the number of items; any other container is resized to fit.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask), and [`BatchError::Room`]. After an error the answers are incomplete.
    pub fn ask_into<'r, E: BatchEngine<I> + ?Sized, Q: Question<E, Item: Item>>(
        &self,
        engine: &E,
        question: Q,
        items: impl Into<ItemsOf<'r, E, Q>>,
        answers: &mut (impl Answers<E, Q> + ?Sized),
    ) -> Result<BatchReport, BatchError> {
        answers.fill(&self.job(engine, question, items.into(), None))
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
    pub fn ask_where<'r, E: BatchEngine<I> + ?Sized, Q: BatchQuestion<E, Item = Ray>>(
        &self,
        engine: &E,
        question: Q,
        rays: impl Into<Rays<'r>>,
        accept: AcceptHitSync<'_, E>,
    ) -> Result<Q::Answers, BatchError> {
        let mut answers = Q::Answers::default();
        self.ask_where_into(engine, question, rays, accept, &mut answers)?;
        Ok(answers)
    }

    /// Answers a question about many rays into the caller's container, counting only hits for which
    /// `accept` returns `true`, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn ask_where_into<'r, E: BatchEngine<I> + ?Sized, Q: Question<E, Item = Ray>>(
        &self,
        engine: &E,
        question: Q,
        rays: impl Into<Rays<'r>>,
        accept: AcceptHitSync<'_, E>,
        answers: &mut (impl Answers<E, Q> + ?Sized),
    ) -> Result<BatchReport, BatchError> {
        answers.fill(&self.job(engine, question, rays.into(), Some(accept)))
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
        rays: impl Into<Rays<'r>>,
        visit: &(dyn Fn(usize, &HitOf<E>) -> ControlFlow<()> + Sync),
    ) -> Result<BatchReport, BatchError> {
        visit_all(&self.job(engine, All, rays.into(), None), visit)
    }

    /// Returns the plan for these rays or points without executing it. Samples 4 rays out of every
    /// 2048, and at most 256 in all.
    #[must_use]
    pub fn plan<'r, E: BatchEngine<I> + ?Sized, Q: BatchQuestion<E>>(
        &self,
        engine: &E,
        question: Q,
        items: impl Into<ItemsOf<'r, E, Q>>,
    ) -> Plan {
        let has_rows = Q::Answers::has_rows(&question);
        self.job(engine, question, items.into(), None)
            .plan(has_rows)
    }

    fn job<'j, 'r, E: BatchEngine<I> + ?Sized, Q: Question<E, Item: Item>>(
        &'j self,
        engine: &'j E,
        question: Q,
        items: ItemsOf<'r, E, Q>,
        accept: Option<AcceptHitSync<'j, E>>,
    ) -> Job<'j, 'r, E, Q> {
        Job {
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
    job: &Job<'_, '_, E, All>,
    visit: &(dyn Fn(usize, &HitOf<E>) -> ControlFlow<()> + Sync),
) -> Result<BatchReport, BatchError> {
    let plan = job.start(true)?;
    let mut nothing = vec![(); job.items.len().div_ceil(plan.chunk_size)];
    (job.batch).run(plan, job.items, &mut nothing, 1, |chunk, _| {
        job.ask_rows(&chunk.many, &mut |place, row| {
            let ray = chunk.first + chunk.place(place);
            let _ = row.iter().try_for_each(|hit| visit(ray, hit));
        })
        .map_err(|error| BatchError::of_many(error, chunk.first))
    })
}

/// One method per question.
impl<I: Copy> Batch<'_, I> {
    /// Returns the first hit of each ray.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    #[doc(alias = "cast_rays")]
    pub fn closest_hits<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
    ) -> Result<Vec<Option<HitOf<E>>>, BatchError> {
        self.ask(engine, Closest, rays)
    }

    /// Writes the first hit of each ray into the caller's slice, as
    /// [`closest_hits`](Batch::closest_hits) returns them, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn closest_hits_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        hits: &mut [Option<HitOf<E>>],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Closest, rays, hits)
    }

    /// Returns whether each ray hits anything.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    #[doc(alias = "occluded")]
    #[doc(alias = "test_occlusions")]
    pub fn any_hits<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
    ) -> Result<Vec<bool>, BatchError> {
        self.ask(engine, Any, rays)
    }

    /// Writes whether each ray hits anything into the caller's slice, as
    /// [`any_hits`](Batch::any_hits) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn any_hits_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        any: &mut [bool],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Any, rays, any)
    }

    /// Returns the number of triangles that each ray touches.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn count_hits<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
    ) -> Result<Vec<usize>, BatchError> {
        self.ask(engine, Count, rays)
    }

    /// Writes the number of triangles that each ray touches into the caller's slice, as
    /// [`count_hits`](Batch::count_hits) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn count_hits_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        counts: &mut [usize],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Count, rays, counts)
    }

    /// Returns the number of times that each ray crosses the surface.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn count_crossings<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
    ) -> Result<Vec<usize>, BatchError> {
        self.ask(engine, CountCrossings, rays)
    }

    /// Writes the number of crossings of each ray into the caller's slice, as
    /// [`count_crossings`](Batch::count_crossings) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn count_crossings_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        counts: &mut [usize],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, CountCrossings, rays, counts)
    }

    /// Returns whether each point is inside; see
    /// [`RayQuery::contains`](estoc_core::RayQuery::contains).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn contains<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        points: impl Into<Points<'r>>,
    ) -> Result<Vec<Option<bool>>, BatchError> {
        self.ask(engine, Contains, points)
    }

    /// Writes whether each point is inside into the caller's slice, as
    /// [`contains`](Batch::contains) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn contains_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        points: impl Into<Points<'r>>,
        inside: &mut [Option<bool>],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Contains, points, inside)
    }

    /// Returns all hits of each ray, in order along the ray.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BatchError, BruteForce, Ray, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new(vec![sheet(0.0), sheet(1.0)]);
    /// let rays = [0.2, 0.3, 2.0].map(|x| Ray::new([x, 0.25, 9.0], [0.0, 0.0, -1.0]));
    /// let rows = Batch::new().all_hits(&engine, &rays)?;
    /// assert!(rows.rows().map(<[_]>::len).eq([2, 2, 0]));
    /// let refused = Batch::new().max_hits(3).all_hits(&engine, &rays);
    /// assert_eq!(refused, Err(BatchError::TooManyHits { limit: 3, ray: 1 }));
    /// # Ok::<(), BatchError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn all_hits<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
    ) -> Result<HitRows<HitOf<E>>, BatchError> {
        self.ask(engine, All, rays)
    }

    /// Replaces the contents of `rows` by all hits of each ray, as [`all_hits`](Batch::all_hits)
    /// returns them, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into). After an error the container is empty.
    pub fn all_hits_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        rows: &mut HitRows<HitOf<E>>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, All, rays, rows)
    }

    /// Returns the first `k` hits of each ray, or all if there are fewer, in order along the ray.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn first_hits<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        k: usize,
    ) -> Result<HitRows<HitOf<E>>, BatchError> {
        self.ask(engine, FirstK(k), rays)
    }

    /// Replaces the contents of `rows` by the first `k` hits of each ray, as
    /// [`first_hits`](Batch::first_hits) returns them, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into). After an error the container is empty.
    pub fn first_hits_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        k: usize,
        rows: &mut HitRows<HitOf<E>>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, FirstK(k), rays, rows)
    }

    /// Returns the crossings of each ray with the surface, in order along the ray; see
    /// [`RayQuery::crossings`](estoc_core::RayQuery::crossings).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn crossings<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
    ) -> Result<HitRows<HitOf<E>>, BatchError> {
        self.ask(engine, Crossings, rays)
    }

    /// Replaces the contents of `rows` by the crossings of each ray, as
    /// [`crossings`](Batch::crossings) returns them, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into). After an error the container is empty.
    pub fn crossings_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        rows: &mut HitRows<HitOf<E>>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Crossings, rays, rows)
    }
}

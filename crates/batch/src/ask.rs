//! The questions that a batch asks: any, and each by its name.

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

/// Any question.
impl<I: Copy> Batch<'_, I> {
    /// Answers a question about many rays or points, in the container that goes with the
    /// question.
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
    /// - [`BatchError::Cancelled`] when it was, unless that was too late to leave anything out;
    /// - [`BatchError::Threads`] when the system has none;
    /// - [`BatchError::Length`] when there are not as many options or flags as rays;
    /// - [`BatchError::Query`] when a ray does not hit what its options name to continue behind;
    /// - [`BatchError::TooManyHits`] for questions with any number of hits for each ray;
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

    /// Answers a question into a container of the caller's, whose memory is used again; returns
    /// what was done. A slice must have room for exactly one answer an item, any other container
    /// is made to fit.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask), and [`BatchError::Room`]. After an error some answers are missing.
    pub fn ask_into<'r, E: BatchEngine<I> + ?Sized, Q: Question<E, Item: Item>>(
        &self,
        engine: &E,
        question: Q,
        items: impl Into<ItemsOf<'r, E, Q>>,
        answers: &mut (impl Answers<E, Q> + ?Sized),
    ) -> Result<BatchReport, BatchError> {
        answers.fill(&self.job(engine, question, items.into(), None))
    }

    /// Answers a question about many rays, where only hits count that `accept` returns `true`
    /// for, as for textures with holes (an alpha test).
    ///
    /// What `accept` returns must depend on the ray and the hit alone: it is called in any
    /// thread and order, for some of the hits, and hits may be asked about more than once.
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

    /// Answers a question about many rays into a container of the caller's, where only hits
    /// count that `accept` returns `true` for; returns what was done.
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

    /// Calls `visit` in any thread with the number of a ray and each of its hits, in the order of
    /// the ray until it breaks for that ray; rays come in any order. Returns what was done.
    ///
    /// All hits of a ray are found before its first is handed out; breaking saves the calls that
    /// follow, not the traversal.
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
    /// As [`ask`](Batch::ask), without a limit of hits. After an error some rays are missing.
    pub fn for_each_hit<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        visit: &(dyn Fn(usize, &HitOf<E>) -> ControlFlow<()> + Sync),
    ) -> Result<BatchReport, BatchError> {
        visit_all(&self.job(engine, All, rays.into(), None), visit)
    }

    /// Returns how these rays, or points, would be traced, without doing it. Looks at 4 rays of
    /// every 2048, and at no more than 256 in all.
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

/// Hands out the hits of each ray in its order.
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

/// Each question by its name.
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

    /// Answers as [`closest_hits`](Batch::closest_hits), into a slice of the caller's; returns
    /// what was done.
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

    /// Answers as [`any_hits`](Batch::any_hits), into a slice of the caller's; returns what was
    /// done.
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

    /// Returns how many triangles each ray touches.
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

    /// Answers as [`count_hits`](Batch::count_hits), into a slice of the caller's; returns what
    /// was done.
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

    /// Returns how often each ray crosses the surface.
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

    /// Answers as [`count_crossings`](Batch::count_crossings), into a slice of the caller's;
    /// returns what was done.
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

    /// Answers as [`contains`](Batch::contains), into a slice of the caller's; returns what was
    /// done.
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

    /// Returns all hits of each ray, in its order.
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

    /// Answers as [`all_hits`](Batch::all_hits), in place of what the rows held; returns what was
    /// done.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into). After an error there are no rows.
    pub fn all_hits_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        rows: &mut HitRows<HitOf<E>>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, All, rays, rows)
    }

    /// Returns the first `k` hits of each ray, in its order; fewer when there are fewer.
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

    /// Answers as [`first_hits`](Batch::first_hits), in place of what the rows held; returns what
    /// was done.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into). After an error there are no rows.
    pub fn first_hits_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        k: usize,
        rows: &mut HitRows<HitOf<E>>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, FirstK(k), rays, rows)
    }

    /// Returns where each ray crosses the surface, in its order; see
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

    /// Answers as [`crossings`](Batch::crossings), in place of what the rows held; returns what was
    /// done.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into). After an error there are no rows.
    pub fn crossings_into<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl Into<Rays<'r>>,
        rows: &mut HitRows<HitOf<E>>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Crossings, rays, rows)
    }
}

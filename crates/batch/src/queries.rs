//! The questions that a batch asks.

use crate::rows::AskRows;
use crate::{Batch, BatchError, BatchReport, HitRows, Plan, Query, Rays};
use estoc_core::{Hit, Many, ManyError, RayQuery, Shares};

impl Batch<'_> {
    /// The first hit of each ray.
    ///
    /// # Errors
    /// - [`BatchError::Cancelled`] when it was, unless that was too late to leave anything out;
    /// - [`BatchError::Threads`] when the system has none;
    /// - [`BatchError::Length`] when there are not as many options or flags as rays;
    /// - [`BatchError::Query`] when a ray does not hit what its options name to continue behind.
    pub fn closest_hits<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
    ) -> Result<Vec<Option<Hit>>, BatchError> {
        answers(rays.into(), |rays, hits| {
            self.closest_hits_into(engine, rays, hits)
        })
    }

    /// The first hit of each ray, into room that the caller has. Tells what was done.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits), and [`BatchError::Room`] when there is not
    /// room for exactly one answer a ray. After an error some answers are missing.
    pub fn closest_hits_into<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
        hits: &mut [Option<Hit>],
    ) -> Result<BatchReport, BatchError> {
        let (rays, plan) = self.start(engine, rays.into(), Query::ClosestHits)?;
        self.fill(plan, rays, hits, |many, hits| {
            engine.closest_hits_into(many, hits)
        })
    }

    /// Whether each ray hits anything.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits).
    pub fn any_hits<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
    ) -> Result<Vec<bool>, BatchError> {
        answers(rays.into(), |rays, any| {
            self.any_hits_into(engine, rays, any)
        })
    }

    /// Whether each ray hits anything, into room that the caller has. Tells what was done.
    ///
    /// # Errors
    /// As [`closest_hits_into`](Batch::closest_hits_into).
    pub fn any_hits_into<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
        any: &mut [bool],
    ) -> Result<BatchReport, BatchError> {
        let (rays, plan) = self.start(engine, rays.into(), Query::AnyHits)?;
        self.fill(plan, rays, any, |many, any| engine.any_hits_into(many, any))
    }

    /// How many triangles each ray touches.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits).
    pub fn count_hits<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
    ) -> Result<Vec<usize>, BatchError> {
        answers(rays.into(), |rays, counts| {
            self.count_hits_into(engine, rays, counts)
        })
    }

    /// How many triangles each ray touches, into room that the caller has. Tells what was done.
    ///
    /// # Errors
    /// As [`closest_hits_into`](Batch::closest_hits_into).
    pub fn count_hits_into<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
        counts: &mut [usize],
    ) -> Result<BatchReport, BatchError> {
        let (rays, plan) = self.start(engine, rays.into(), Query::CountHits)?;
        self.fill(plan, rays, counts, |many, counts| {
            engine.count_hits_into(many, counts)
        })
    }

    /// How often each ray crosses the surface.
    ///
    /// # Errors
    /// As [`closest_hits`](Batch::closest_hits).
    pub fn count_crossings<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
    ) -> Result<Vec<usize>, BatchError> {
        answers(rays.into(), |rays, counts| {
            self.count_crossings_into(engine, rays, counts)
        })
    }

    /// How often each ray crosses the surface, into room that the caller has. Tells what was
    /// done.
    ///
    /// # Errors
    /// As [`closest_hits_into`](Batch::closest_hits_into).
    pub fn count_crossings_into<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
        counts: &mut [usize],
    ) -> Result<BatchReport, BatchError> {
        let (rays, plan) = self.start(engine, rays.into(), Query::CountCrossings)?;
        self.fill(plan, rays, counts, |many, counts| {
            engine.count_crossings_into(many, counts)
        })
    }

    /// All hits of each ray, in its order.
    ///
    /// ```
    /// use estoc_batch::{Batch, BatchError};
    /// use estoc_core::{BruteForce, Ray, Triangle};
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
    /// As [`closest_hits`](Batch::closest_hits), and [`BatchError::TooManyHits`].
    pub fn all_hits<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
    ) -> Result<HitRows, BatchError> {
        let mut rows = HitRows::default();
        self.all_hits_into(engine, rays, &mut rows)?;
        Ok(rows)
    }

    /// All hits of each ray, in place of what the rows held; their memory is used again. Tells
    /// what was done.
    ///
    /// # Errors
    /// As [`all_hits`](Batch::all_hits). After an error there are no rows.
    pub fn all_hits_into<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
        rows: &mut HitRows,
    ) -> Result<BatchReport, BatchError> {
        rows.clear();
        let (rays, plan) = self.start(engine, rays.into(), Query::AllHits)?;
        self.fill_rows(plan, rays, rows, &AllHits(engine))
    }

    /// Where each ray crosses the surface, in its order; see
    /// [`RayQuery::crossings`].
    ///
    /// # Errors
    /// As [`all_hits`](Batch::all_hits).
    pub fn crossings<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
    ) -> Result<HitRows, BatchError> {
        let mut rows = HitRows::default();
        self.crossings_into(engine, rays, &mut rows)?;
        Ok(rows)
    }

    /// Where each ray crosses the surface, in place of what the rows held. Tells what was done.
    ///
    /// # Errors
    /// As [`all_hits_into`](Batch::all_hits_into).
    pub fn crossings_into<'r, Q: RayQuery + Sync>(
        &self,
        engine: &Q,
        rays: impl Into<Rays<'r>>,
        rows: &mut HitRows,
    ) -> Result<BatchReport, BatchError> {
        rows.clear();
        let (rays, plan) = self.start(engine, rays.into(), Query::Crossings)?;
        self.fill_rows(plan, rays, rows, &AllCrossings(engine))
    }

    fn start<'r, Q: RayQuery>(
        &self,
        engine: &Q,
        rays: Rays<'r>,
        query: Query,
    ) -> Result<(Rays<'r>, Plan), BatchError> {
        self.check_lengths(rays.len())?;
        Ok((rays, self.plan(engine, rays, query)))
    }
}

/// Answers into room made for them.
fn answers<'r, A: Clone + Default>(
    rays: Rays<'r>,
    fill: impl FnOnce(Rays<'r>, &mut [A]) -> Result<BatchReport, BatchError>,
) -> Result<Vec<A>, BatchError> {
    let mut answers = vec![A::default(); rays.len()];
    fill(rays, &mut answers)?;
    Ok(answers)
}

/// Every triangle touched.
pub(crate) struct AllHits<'e, Q>(pub(crate) &'e Q);

impl<Q: RayQuery + Sync> AskRows for AllHits<'_, Q> {
    fn ask(
        &self,
        many: &Many<'_>,
        emit: &mut dyn FnMut(usize, &[Hit]),
    ) -> Result<Shares, ManyError> {
        self.0.all_hits_of(many, emit)
    }

    fn count(&self, many: &Many<'_>, counts: &mut [usize]) -> Result<Shares, ManyError> {
        self.0.count_hits_into(many, counts)
    }
}

/// Every crossing of the surface.
pub(crate) struct AllCrossings<'e, Q>(pub(crate) &'e Q);

impl<Q: RayQuery + Sync> AskRows for AllCrossings<'_, Q> {
    fn ask(
        &self,
        many: &Many<'_>,
        emit: &mut dyn FnMut(usize, &[Hit]),
    ) -> Result<Shares, ManyError> {
        self.0.crossings_of(many, emit)
    }

    fn count(&self, many: &Many<'_>, counts: &mut [usize]) -> Result<Shares, ManyError> {
        self.0.count_crossings_into(many, counts)
    }
}

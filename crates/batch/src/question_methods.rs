//! A method of [`Batch`] for each question.

use crate::answers::HitRows;
use crate::batch::Batch;
use crate::error::BatchError;
use crate::items::IntoItems;
use crate::job::BatchEngine;
use crate::report::BatchReport;
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Any, Closest, Contains, Count, CountCrossings, Crossings, FirstK, HitOf, Ray,
};

/// One method per question.
impl<I: Copy> Batch<'_, I> {
    /// Returns the first hit of each ray.
    ///
    /// Neighbouring rays should be close to each other; see [`Batch`] for the order that is fastest.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    #[doc(alias = "cast_rays")]
    pub fn closest_hits<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
        hits: &mut [Option<HitOf<E>>],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Closest, rays, hits)
    }

    /// Returns whether each ray hits anything.
    ///
    /// Neighbouring rays should be close to each other; see [`Batch`] for the order that is fastest.
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    #[doc(alias = "occluded")]
    #[doc(alias = "test_occlusions")]
    pub fn any_hits<'r, E: BatchEngine<I> + ?Sized>(
        &self,
        engine: &E,
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        points: impl IntoItems<'r, Item = Vec3>,
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
        points: impl IntoItems<'r, Item = Vec3>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
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
        rays: impl IntoItems<'r, Item = Ray>,
        rows: &mut HitRows<HitOf<E>>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Crossings, rays, rows)
    }
}

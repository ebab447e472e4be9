//! A method of [`Batch`] for each of the most frequent questions; [`Batch::ask`] takes any question.

use crate::answers::HitRows;
use crate::batch::Batch;
use crate::batch_query::BatchEngine;
use crate::error::BatchError;
use crate::items::{IntoItems, Item};
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Any, Closest, ClosestPoint, ClosestPointWithin, Contains, Count, CountCrossings, Distance,
    HitOf, PointEngine, PointKind, Ray, RayEngine, SignRule, SignedDistance, SignedDistanceBy,
};

/// The most frequent questions. Each method is one line over [`ask`](Batch::ask) and has its errors;
/// [`signed_distances`](Batch::signed_distances) checks the surface first.
impl<I: Copy> Batch<'_, I> {
    /// Returns the first hit of each ray; see
    /// [`RayQuery::closest_hit`](estoc_core::RayQuery::closest_hit).
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

    /// Returns whether each ray hits anything.
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

    /// Returns the number of primitives that each ray touches.
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

    /// Returns the number of times that each ray crosses the surface; see
    /// [`RayQuery::crossings`](estoc_core::RayQuery::crossings).
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

    /// Returns whether each point is inside; see
    /// [`RayQuery::contains`](estoc_core::RayQuery::contains).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn contains<'r, V: PointKind + Item, E: BatchEngine<I> + RayEngine<V::Ray> + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = V>,
    ) -> Result<Vec<Option<bool>>, BatchError> {
        self.ask(engine, Contains, points)
    }
}

/// The most frequent questions about what is near points. Options of rays do not apply, nor do masks.
impl Batch<'_> {
    /// Returns the closest point of the triangles to each point; see
    /// [`PointQuery::closest_point`](estoc_core::PointQuery::closest_point).
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let engine = BruteForce::new([1.0, 5.0].map(sheet));
    /// let closest = Batch::new().closest_points(&engine, &[[1.0, 2.0, 4.0], [1.0, 2.0, 0.5]])?;
    /// let found = closest.iter().flatten().map(|found| (found.prim.get(), found.distance));
    /// assert!(found.eq([(1, 1.0), (0, 0.5)]));
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn closest_points<'r, V: PointKind + Item, E: PointEngine<V> + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = V>,
    ) -> Result<Vec<Option<ClosestPoint<V::Coordinate>>>, BatchError> {
        self.ask(engine, ClosestPointWithin::default(), points)
    }

    /// Returns the distance of each point from the triangles; see
    /// [`PointQuery::distance`](estoc_core::PointQuery::distance).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn distances<'r, V: PointKind + Item, E: PointEngine<V> + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = V>,
    ) -> Result<Vec<Option<V::Coordinate>>, BatchError> {
        self.ask(engine, Distance, points)
    }

    /// Returns the distance of each point from a closed surface, **negative inside**; see
    /// [`PointQuery::signed_distance`](estoc_core::PointQuery::signed_distance), and
    /// [`SignedDistanceBy`] for other rules, and for meshes in `f64`, whose surface
    /// [`check_surface`](SignedDistanceBy::check_surface) checks.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BatchError, BruteForce, Triangle};
    /// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    /// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]].map(|[a, b, c]| Triangle::new(a, b, c));
    /// let points = [[1.0, 2.0, 2.0], [1.0, 2.0, -3.0]];
    /// let found = Batch::new().signed_distances(&BruteForce::new(faces), &points)?;
    /// assert!(found.iter().flatten().map(|found| found.signed).eq([-1.0, 3.0]));
    /// let open = BruteForce::new(&faces[1..]);
    /// let refused = Batch::new().signed_distances(&open, &points);
    /// assert!(matches!(refused, Err(BatchError::Surface(_))));
    /// # Ok::<(), BatchError>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface is not closed; else as [`ask`](Batch::ask).
    pub fn signed_distances<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
    ) -> Result<Vec<Option<SignedDistance>>, BatchError> {
        let question = SignedDistanceBy(SignRule::Parity);
        question.check_surface(engine)?;
        self.ask(engine, question, points)
    }
}

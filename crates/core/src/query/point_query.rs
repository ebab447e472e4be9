//! Queries about points.

use crate::collect::{ClosestList, PointCollector, PointGoal, PointKind};
use crate::engine::{ClosestOf, LengthOf, NearEngine, NearIdOf, PointEngine};
use crate::exact::proximity::Length;
use crate::exact::sign::{SignRule, SignedDistance, Winding, WindingEstimate};
use crate::query::{
    SignedDistanceBy, WindingNumber, signed_distance, winding_estimate, winding_number,
};
use crate::shapes::SurfaceError;
use alloc::vec::Vec;
use glam::Vec3;

/// Queries about the triangles near a point: of a mesh near one that converts to a `Vec3`, of a scene or a mesh in
/// `f64` near one that converts to a `glam::DVec3`, as a `Vec3` does, exactly.
///
/// Every [`NearEngine`] implements them, and none can override them: an engine supplies
/// candidates, and the answers are computed here, in exact arithmetic, the same for every engine.
///
/// # Rules for all queries
/// - Triangles are closed: their edges and corners belong to them. A triangle without area is never
///   near anything.
/// - Triangles are ordered by their exact distance from the point, ties by
///   [`PrimId`](crate::PrimId). The closest point of a mesh is that of the first triangle.
/// - A radius is compared with the exact distance: a triangle exactly that far is within it. There
///   is nothing within a negative radius or one that is NaN.
/// - A point that is not finite is near nothing.
/// - Masks have no effect: points see every triangle.
/// - The triangles of a scene are those of the points `M v` in real arithmetic, where `v` are the corners
///   of a mesh and `M` is the matrix of its placement; ties go by path, then by id.
/// - **Spheres, boxes and shapes of the user are left out**: points ask triangles only. A scene tells how
///   many shapes it has (`SceneSnapshot::shape_count`).
pub trait PointQuery<V: PointKind = Vec3>: NearEngine<V> {
    /// Returns the point of the triangles that is closest to the given one; `None` if no triangle
    /// has area, or if the point is not finite.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, PointQuery, Triangle, query::Feature};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let engine = BruteForce::new([1.0, 5.0].map(sheet));
    /// let closest = engine.closest_point([1.0, 2.0, 4.0]).unwrap();
    /// assert_eq!((closest.prim.get(), closest.distance), (1, 1.0));
    /// assert_eq!(closest.point, [1.0, 2.0, 5.0].into());
    /// assert_eq!((closest.u, closest.v, closest.feature), (0.25, 0.5, Feature::Face));
    /// ```
    #[must_use]
    #[doc(alias = "nearest_point")]
    #[doc(alias = "project_point")]
    fn closest_point(&self, point: impl Into<V>) -> Option<ClosestOf<Self, V>> {
        self.closest_point_within(point, Length::INFINITY)
    }

    /// Returns the closest point if its exact distance is at most `max_distance`.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, PointQuery, Triangle};
    /// let engine = BruteForce::new([Triangle::new([3.0, 0.0, 4.0], [9.0, 0.0, 4.0], [3.0, 9.0, 4.0])]);
    /// assert_eq!(engine.closest_point_within([0.0; 3], 5.0).unwrap().distance, 5.0);
    /// assert!(engine.closest_point_within([0.0; 3], 5.0f32.next_down()).is_none());
    /// ```
    #[must_use]
    fn closest_point_within(
        &self,
        point: impl Into<V>,
        max_distance: LengthOf<Self, V>,
    ) -> Option<ClosestOf<Self, V>> {
        let mut collector =
            PointCollector::new(point.into(), max_distance, PointGoal::Closest(None))?;
        self.visit_near(&mut collector);
        collector.closest_found()
    }

    /// Returns the distance of the point from the triangles: the `distance` of
    /// [`closest_point`](PointQuery::closest_point).
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, PointQuery, Triangle};
    /// let engine = BruteForce::new([Triangle::new([3.0, 0.0, 4.0], [9.0, 0.0, 4.0], [3.0, 9.0, 4.0])]);
    /// assert_eq!(engine.distance([0.0; 3]), Some(5.0));
    /// assert_eq!(BruteForce::new([]).distance([0.0; 3]), None);
    /// ```
    #[must_use]
    fn distance(&self, point: impl Into<V>) -> Option<LengthOf<Self, V>> {
        let mut collector =
            PointCollector::new(point.into(), Length::INFINITY, PointGoal::Closest(None))?;
        self.visit_near(&mut collector);
        collector.distance_found()
    }

    /// Returns the closest points of the `k` closest triangles, by exact distance, ties by id; or of
    /// all triangles with area if there are fewer.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, PointQuery, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([8.0, 2.0, 5.0].map(sheet));
    /// let closest = engine.closest_points([0.0, 0.0, 1.0], 2);
    /// assert_eq!(closest.iter().map(|found| found.prim.get()).collect::<Vec<_>>(), [1, 2]);
    /// ```
    #[must_use]
    fn closest_points(&self, point: impl Into<V>, k: usize) -> Vec<ClosestOf<Self, V>> {
        if k == 0 {
            return Vec::new();
        }
        let goal = PointGoal::ClosestK(ClosestList::new(k));
        let Some(mut collector) = PointCollector::new(point.into(), Length::INFINITY, goal) else {
            return Vec::new();
        };
        self.visit_near(&mut collector);
        collector.closest_k_found()
    }

    /// Returns the triangles whose exact distance from the point is at most `radius`, by id.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, PointQuery, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([8.0, 2.0, 5.0].map(sheet));
    /// let within = engine.within([0.0, 0.0, 1.0], 4.0);
    /// assert_eq!(within.iter().map(|prim| prim.get()).collect::<Vec<_>>(), [1, 2]);
    /// ```
    #[must_use]
    fn within(&self, point: impl Into<V>, radius: LengthOf<Self, V>) -> Vec<NearIdOf<Self, V>> {
        let goal = PointGoal::Within(Vec::new());
        let Some(mut collector) = PointCollector::new(point.into(), radius, goal) else {
            return Vec::new();
        };
        self.visit_near(&mut collector);
        collector.within_found()
    }

    /// Returns whether the exact distance of any triangle from the point is at most `radius`.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, PointQuery, Triangle};
    /// let engine = BruteForce::new([Triangle::new([3.0, 0.0, 4.0], [9.0, 0.0, 4.0], [3.0, 9.0, 4.0])]);
    /// assert!(engine.any_within([0.0; 3], 5.0));
    /// assert!(!engine.any_within([0.0; 3], 4.9));
    /// ```
    #[must_use]
    fn any_within(&self, point: impl Into<V>, radius: LengthOf<Self, V>) -> bool {
        let goal = PointGoal::AnyWithin(false);
        let Some(mut collector) = PointCollector::new(point.into(), radius, goal) else {
            return false;
        };
        self.visit_near(&mut collector);
        collector.any_found()
    }

    /// Returns the distance of the point from a closed surface, **negative inside** and positive
    /// outside, as Open3D and libigl have it (trimesh has it the other way round). Inside is decided
    /// by the exact parity of crossings, as in [`contains`](crate::RayQuery::contains). `None` where
    /// there is no [`closest_point`](PointQuery::closest_point).
    ///
    /// On the surface, and where the distance rounds to zero, it is +0; `inside` tells the side.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, PointQuery, Triangle};
    /// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    /// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    /// let solid = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
    /// let signed = |p| solid.signed_distance(p).unwrap().unwrap().signed;
    /// assert_eq!(signed([1.0, 2.0, 2.0]), -1.0); // inside
    /// assert_eq!(signed([1.0, 2.0, -3.0]), 3.0); // outside
    /// let open = BruteForce::new([Triangle::new(a, b, c)]);
    /// assert!(open.signed_distance([1.0; 3]).is_err());
    /// let empty = BruteForce::new([]);
    /// assert_eq!(empty.signed_distance([1.0; 3]), Ok(None));
    /// ```
    ///
    /// # Errors
    /// [`SurfaceError::Open`] if the surface is not closed.
    #[doc(alias = "sdf")]
    fn signed_distance(
        &self,
        point: impl Into<V>,
    ) -> Result<Option<SignedDistance<V::Coordinate>>, SurfaceError<V::Coordinate>>
    where
        Self: PointEngine<V>,
    {
        self.signed_distance_by(point, SignRule::Parity)
    }

    /// Returns the distance of the point from a surface, **negative inside** by a rule; see
    /// [`signed_distance`](PointQuery::signed_distance) and [`SignRule`].
    ///
    /// # Errors
    /// An error if the surface has no inside by this rule: [`SurfaceError::Open`] for parity, this
    /// or [`SurfaceError::Unpaired`] for winding numbers, none for estimates.
    fn signed_distance_by(
        &self,
        point: impl Into<V>,
        rule: SignRule,
    ) -> Result<Option<SignedDistance<V::Coordinate>>, SurfaceError<V::Coordinate>>
    where
        Self: PointEngine<V>,
    {
        SignedDistanceBy(rule).check_surface(self)?;
        Ok(signed_distance(self, point.into(), rule))
    }

    /// Returns whether the point is inside by a rule, or exactly on a triangle (those without area
    /// aside). By [`SignRule::Parity`] this is [`contains`](crate::RayQuery::contains);
    /// [`SignRule::WindingEstimate`] also answers for surfaces that are open. A point that is not
    /// finite is outside.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, PointQuery, Triangle, query::SignRule};
    /// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    /// let sides = [[a, c, b], [a, b, d], [a, d, c]].map(|[a, b, c]| Triangle::new(a, b, c));
    /// let open = BruteForce::new(sides);
    /// assert!(open.contains_by([1.0; 3], SignRule::Parity).is_err());
    /// assert_eq!(open.contains_by([1.0; 3], SignRule::WindingEstimate), Ok(true));
    /// assert_eq!(open.contains_by([-1.0; 3], SignRule::WindingEstimate), Ok(false));
    /// ```
    ///
    /// # Errors
    /// An error if the surface has no inside by this rule: [`SurfaceError::Open`] for parity, this
    /// or [`SurfaceError::Unpaired`] for winding numbers, none for estimates.
    fn contains_by(
        &self,
        point: impl Into<V>,
        rule: SignRule,
    ) -> Result<bool, SurfaceError<V::Coordinate>>
    where
        Self: PointEngine<V>,
    {
        // Where no triangle has area there is no distance and no inside.
        let signed = self.signed_distance_by(point, rule)?;
        Ok(signed.is_some_and(|found| found.inside))
    }

    /// Returns how often a closed, oriented surface winds around the point, exactly: 1 inside a shell
    /// whose triangles face outwards, -1 inside one whose triangles face inwards, their sum where
    /// shells overlap, and 0 outside, as for a point that is not finite. A point exactly on a
    /// triangle with area is [`OnSurface`](Winding::OnSurface).
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, PointQuery, Triangle, query::Winding};
    /// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    /// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    /// let twice = BruteForce::new([faces, faces].concat().iter().map(|&[a, b, c]| {
    ///     Triangle::new(a, b, c)
    /// }).collect::<Vec<_>>());
    /// assert_eq!(twice.winding_number([1.0; 3]), Ok(Winding::Number(2)));
    /// assert_eq!(twice.winding_number([9.0; 3]), Ok(Winding::Number(0)));
    /// assert_eq!(twice.winding_number([1.0, 1.0, 0.0]), Ok(Winding::OnSurface));
    /// ```
    ///
    /// # Errors
    /// [`SurfaceError`], with the first edge that is not used equally often in both directions,
    /// corners of equal position joined.
    fn winding_number(&self, point: impl Into<V>) -> Result<Winding, SurfaceError<V::Coordinate>>
    where
        Self: PointEngine<V>,
    {
        WindingNumber.check_surface(self)?;
        Ok(winding_number(self, point.into()))
    }

    /// Returns an estimate of the generalised winding number in `f64`, with a bound of its error: of
    /// any triangles, those of open and dirty surfaces too (Jacobson et al. 2013, Barill et al.
    /// 2018). The estimate is 0 for a point that is not finite.
    ///
    /// This is the one query that is not exact, and the one whose answer may depend on the tree and
    /// its quality. The same tree gives the same bits on every machine.
    ///
    /// The first estimate of a `Bvh` takes a pass over all triangles in one thread, and makes a table
    /// of about 62 bytes per triangle that the tree keeps.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, PointQuery, Triangle};
    /// // Half of a thin pillow: about half of all directions from a point close above it meet it.
    /// let sheet = BruteForce::new([Triangle::new([0.0; 3], [0.0, 9.0, 0.0], [9.0, 0.0, 0.0])]);
    /// let estimate = sheet.winding_estimate([2.0, 2.0, 0.001]);
    /// assert!((estimate.value - 0.5).abs() < 0.001 && estimate.error < 1e-12);
    /// assert!((sheet.winding_estimate([2.0, 2.0, -0.001]).value + 0.5).abs() < 0.001);
    /// ```
    #[must_use]
    fn winding_estimate(&self, point: impl Into<V>) -> WindingEstimate
    where
        Self: PointEngine<V>,
    {
        winding_estimate(self, point.into())
    }
}

impl<V: PointKind, E: NearEngine<V> + ?Sized> PointQuery<V> for E {}

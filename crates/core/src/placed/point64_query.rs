//! Queries about points in `f64`.

use super::{Point64Collector, SceneClosestPoint, ScenePrim};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use glam::DVec3;

/// Finds the placed triangles that may be near a point in the world: what
/// [`PointEngine`](crate::PointEngine) is for meshes.
pub trait Point64Engine: crate::Engine {
    /// Offers the collector every triangle whose squared distance from [`Point64Collector::point`] is
    /// at most [`Point64Collector::limit`], each at most once, in any order, until the collector breaks.
    /// The limit may fall with every offer.
    ///
    /// Triangles that are farther may be offered too. Where [only the closest
    /// one](Point64Collector::wants_closest) is wanted, a triangle may be left out that is certainly
    /// farther than another one that has area.
    fn visit_near_64(&self, collector: &mut Point64Collector);

    /// Does for a point in `f64` what [`RayQuery::contains`](crate::RayQuery::contains) does for one in
    /// `f32`.
    fn encloses_64(&self, point: DVec3) -> Option<bool>;
}

/// The queries of [`PointQuery`](crate::PointQuery) for scenes, about points given in `f64`.
///
/// A point is anything that converts to a `glam::DVec3`: a `Vec3` does, exactly. Answers are
/// those of exact arithmetic on the numbers of the point and of the scene as given. Many points are asked
/// about in a batch by questions in [`In64`](super::In64), such as `In64(ClosestPointWithin::default())`.
///
/// # Rules for all queries
/// - Triangles are those of the points `M v` in real arithmetic, where `v` are the corners of a mesh and
///   `M` is the matrix of its placement. They are closed; one without area is never near anything.
/// - Triangles are ordered by their exact distance from the point, ties by path, then by
///   [`PrimId`](crate::PrimId). The closest point of a scene is that of the first triangle.
/// - **Spheres, boxes and shapes of the user are left out**: points ask triangles only. A scene tells how
///   many shapes it has (`SceneSnapshot::shape_count`).
/// - A radius is compared with the exact distance: a triangle exactly that far is within it. There
///   is nothing within a negative radius or one that is NaN.
/// - A point that is not finite is near nothing.
/// - Masks have no effect: points see every triangle.
pub trait Point64Query: Point64Engine {
    /// Returns the point of the triangles that is closest to the given one; `None` if no triangle
    /// has area, or if the point is not finite.
    #[must_use]
    #[doc(alias = "nearest_point")]
    #[doc(alias = "project_point")]
    fn closest_point(&self, point: impl Into<DVec3>) -> Option<SceneClosestPoint> {
        self.closest_point_within(point, f32::INFINITY)
    }

    /// Returns the closest point if its exact distance is at most `max_distance`.
    #[must_use]
    fn closest_point_within(
        &self,
        point: impl Into<DVec3>,
        max_distance: f32,
    ) -> Option<SceneClosestPoint> {
        let mut collector = Point64Collector::closest(point.into(), max_distance)?;
        self.visit_near_64(&mut collector);
        collector.closest_found()
    }

    /// Returns the distance of the point from the triangles: the `distance` of
    /// [`closest_point`](Point64Query::closest_point), for less time.
    #[must_use]
    fn distance(&self, point: impl Into<DVec3>) -> Option<f32> {
        let mut collector = Point64Collector::closest(point.into(), f32::INFINITY)?;
        self.visit_near_64(&mut collector);
        collector.distance_found()
    }

    /// Returns the closest points of the `k` closest triangles, by exact distance, ties by id; or of
    /// all triangles with area if there are fewer.
    #[must_use]
    fn closest_points(&self, point: impl Into<DVec3>, k: usize) -> Vec<SceneClosestPoint> {
        let Some(mut collector) = Point64Collector::closest_k(point.into(), k) else {
            return Vec::new();
        };
        self.visit_near_64(&mut collector);
        collector.closest_k_found()
    }

    /// Returns the triangles whose exact distance from the point is at most `radius`, by id.
    #[must_use]
    fn within(&self, point: impl Into<DVec3>, radius: f32) -> Vec<ScenePrim> {
        let Some(mut collector) = Point64Collector::within(point.into(), radius) else {
            return Vec::new();
        };
        self.visit_near_64(&mut collector);
        collector.within_found()
    }

    /// Returns whether the exact distance of any triangle from the point is at most `radius`.
    #[must_use]
    fn any_within(&self, point: impl Into<DVec3>, radius: f32) -> bool {
        let Some(mut collector) = Point64Collector::any_within(point.into(), radius) else {
            return false;
        };
        self.visit_near_64(&mut collector);
        collector.any_found()
    }

    /// Returns whether the point is inside at least one closed object or on one, exactly; see
    /// [`RayQuery::contains`](crate::RayQuery::contains). Here spheres, boxes and shapes of the user count,
    /// too. `None` means that there are objects, but none that is closed. A point that is not finite
    /// is outside.
    #[must_use]
    fn contains_64(&self, point: impl Into<DVec3>) -> Option<bool> {
        self.encloses_64(point.into())
    }
}

impl<E: Point64Engine + ?Sized> Point64Query for E {}

macro_rules! point_engine_behind_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<E: Point64Engine + ?Sized> Point64Engine for $pointer {
            fn visit_near_64(&self, collector: &mut Point64Collector) {
                (**self).visit_near_64(collector);
            }

            fn encloses_64(&self, point: DVec3) -> Option<bool> {
                (**self).encloses_64(point)
            }
        }
    )*};
}

point_engine_behind_a_pointer!(&E, Box<E>, Arc<E>);

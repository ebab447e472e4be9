//! Takes the placed triangles near one point in `f64`.

use super::point64::Point64;
use super::{PlacedTriangle, SceneClosestPoint, ScenePrim};
use crate::query::Gathering;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// Takes candidates from an engine (see [`Point64Engine::visit_near_64`](super::Point64Engine)).
pub struct Point64Collector(Gathering<Point64>);

/// Each returns `None` where there is no answer: for a point that is not finite, and for a radius that
/// is negative or NaN.
impl Point64Collector {
    pub(super) fn closest(point: DVec3, radius: f32) -> Option<Self> {
        let point = Point64::new(point)?;
        Some(Point64Collector(Gathering::closest(point, radius)?))
    }

    pub(super) fn closest_k(point: DVec3, k: usize) -> Option<Self> {
        let point = Point64::new(point)?;
        Some(Point64Collector(Gathering::closest_k(point, k)?))
    }

    pub(super) fn within(point: DVec3, radius: f32) -> Option<Self> {
        let point = Point64::new(point)?;
        Some(Point64Collector(Gathering::within(point, radius)?))
    }

    pub(super) fn any_within(point: DVec3, radius: f32) -> Option<Self> {
        let point = Point64::new(point)?;
        Some(Point64Collector(Gathering::any_within(point, radius)?))
    }
}

impl Point64Collector {
    /// Returns the point, which is finite.
    pub fn point(&self) -> DVec3 {
        self.0.point().point().into()
    }

    /// Returns the greatest distance that counts, which is not negative.
    pub fn radius(&self) -> f32 {
        self.0.radius()
    }

    /// Returns the squared distance beyond which nothing is wanted any more; it falls as triangles
    /// are found. Triangles exactly at it are still wanted: ties go to the lowest id.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.0.limit()
    }

    /// Returns whether only the closest triangle is wanted.
    pub fn wants_closest(&self) -> bool {
        self.0.wants_closest()
    }

    /// Takes a candidate. `Break` means that the answer is known.
    pub fn offer(&mut self, id: ScenePrim, placed: &PlacedTriangle) -> ControlFlow<()> {
        self.0.offer(id, placed)
    }

    /// Returns the closest point, if that was wanted.
    pub(super) fn closest_found(&self) -> Option<SceneClosestPoint> {
        self.0.closest_found()
    }

    /// Returns the distance of the closest point, if that was wanted.
    pub(super) fn distance_found(&self) -> Option<f32> {
        self.0.distance_found()
    }

    /// Returns the closest points of the `k` closest triangles, if that was wanted.
    pub(super) fn closest_k_found(self) -> Vec<SceneClosestPoint> {
        self.0.closest_k_found()
    }

    /// Returns the triangles within the radius by id, if that was wanted.
    pub(super) fn within_found(self) -> Vec<ScenePrim> {
        self.0.within_found()
    }

    /// Returns whether any triangle is within the radius, if that was wanted.
    pub(super) fn any_found(&self) -> bool {
        self.0.any_found()
    }
}

//! Takes the candidates near one point.

use super::gathering::Gathering;
use crate::proximity::{ClosestPoint, PreparedPoint};
use crate::{PrimId, Triangle};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::Vec3;

/// Takes candidates from an engine (see [`PointEngine::visit_near`](crate::PointEngine::visit_near)).
pub struct PointCollector(Gathering<PreparedPoint>);

/// Each returns `None` where there is no answer: for a point that is not finite, and for a radius that
/// is negative or NaN.
impl PointCollector {
    #[inline]
    pub(super) fn closest(point: Vec3, radius: f32) -> Option<Self> {
        let point = PreparedPoint::new(point)?;
        Some(PointCollector(Gathering::closest(point, radius)?))
    }

    pub(super) fn closest_k(point: Vec3, k: usize) -> Option<Self> {
        let point = PreparedPoint::new(point)?;
        Some(PointCollector(Gathering::closest_k(point, k)?))
    }

    pub(super) fn within(point: Vec3, radius: f32) -> Option<Self> {
        let point = PreparedPoint::new(point)?;
        Some(PointCollector(Gathering::within(point, radius)?))
    }

    pub(super) fn any_within(point: Vec3, radius: f32) -> Option<Self> {
        let point = PreparedPoint::new(point)?;
        Some(PointCollector(Gathering::any_within(point, radius)?))
    }
}

impl PointCollector {
    /// Returns the point, which is finite.
    #[inline(always)]
    pub fn point(&self) -> Vec3 {
        self.0.point().point()
    }

    /// Returns the squared distance beyond which nothing is wanted any more; it falls as triangles
    /// are found. Triangles exactly at it are still wanted: ties go to the lowest id.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.0.limit()
    }

    /// Returns whether only the closest triangle is wanted.
    #[inline(always)]
    pub fn wants_closest(&self) -> bool {
        self.0.wants_closest()
    }

    /// Takes a candidate. `Break` means that the answer is known.
    #[inline]
    pub fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> ControlFlow<()> {
        self.0.offer(prim, triangle)
    }

    /// Returns the closest point, if that was wanted.
    pub(super) fn closest_found(&self) -> Option<ClosestPoint> {
        self.0.closest_found()
    }

    /// Returns the distance of the closest point, if that was wanted.
    pub(super) fn distance_found(&self) -> Option<f32> {
        self.0.distance_found()
    }

    /// Returns the distance of the closest point, and whether it is exactly 0, if that was wanted.
    pub(super) fn distance_and_contact_found(&self) -> Option<(f32, bool)> {
        self.0.distance_and_contact_found()
    }

    /// Returns the closest points of the `k` closest triangles, if that was wanted.
    pub(super) fn closest_k_found(self) -> Vec<ClosestPoint> {
        self.0.closest_k_found()
    }

    /// Returns the triangles within the radius by id, if that was wanted.
    pub(super) fn within_found(self) -> Vec<PrimId> {
        self.0.within_found()
    }

    /// Returns whether any triangle is within the radius, if that was wanted.
    pub(super) fn any_found(&self) -> bool {
        self.0.any_found()
    }
}

//! The certified first contact of a moving sphere with a triangle.

use crate::arithmetic::Interval;
use crate::exact::proximity::Feature;
use crate::shapes::{PrimId, Triangle};
use glam::Vec3;

/// The certified first contact of a moving sphere with a triangle with area.
///
/// Contains an interval around the exact time, so that most comparisons need only two `f64`s. Only
/// [`PreparedSphere`](super::PreparedSphere) can make one, and it has a meaning only together with
/// the sphere that made it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CertifiedContact {
    pub(super) prim: PrimId,
    pub(super) triangle: Triangle,
    /// The part of the triangle that is touched first; `None` if the sphere touches the triangle at
    /// the start.
    pub(super) feature: Option<Feature>,
    /// The ends of the interval of the time.
    pub(super) time: Interval,
}

impl CertifiedContact {
    /// Returns the id of the triangle.
    pub(crate) fn prim(&self) -> PrimId {
        self.prim
    }

    /// Returns an upper bound of the exact time.
    pub(crate) fn latest(&self) -> f64 {
        self.time.1
    }

    /// Returns whether the sphere touches at the start.
    pub(crate) fn is_at_start(&self) -> bool {
        self.feature.is_none()
    }

    /// Returns the corners that the touched feature lies between: one, two or three.
    fn support(&self) -> ([Vec3; 3], usize) {
        let corners = self.triangle.corners();
        let corner = |i: u8| corners[usize::from(i) % 3];
        match self.feature {
            Some(Feature::Vertex(i)) => ([corner(i); 3], 1),
            Some(Feature::Edge(i)) => ([corner(i), corner(i + 1), corner(i + 1)], 2),
            Some(Feature::Face) | None => (corners, 3),
        }
    }

    /// Returns whether both touch the same vertex, the same edge or the same face, by the positions
    /// of its corners, and thus at the same time.
    pub(super) fn touches_same_feature_as(&self, other: &CertifiedContact) -> bool {
        let ((own, count), (others, others_count)) = (self.support(), other.support());
        // The corners of a triangle with area differ, so equal counts make equal sets.
        count == others_count && own[..count].iter().all(|corner| others.contains(corner))
    }
}

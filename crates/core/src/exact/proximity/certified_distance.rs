//! The certified distance of a point from a triangle.

use super::Feature;
use crate::arithmetic::Interval;
use crate::shapes::{PrimId, Triangle};
use glam::Vec3;

/// The certified distance of a point from a triangle with area: of a mesh, or of a scene.
///
/// Contains an interval around the exact squared distance, so that most comparisons need only two
/// `f64`s. Only a [`Measure`](super::Measure) can make one, and it has a meaning only together with
/// the point that made it.
#[derive(Clone, Copy, Debug)]
pub struct CertifiedDistance<I = PrimId, T = Triangle> {
    pub(crate) id: I,
    pub(crate) triangle: T,
    pub(crate) feature: Feature,
    /// The ends of the interval of the squared distance.
    pub(crate) square: Interval,
}

impl CertifiedDistance {
    /// Returns the closest vertex, if that is the closest feature.
    pub(super) fn vertex(&self) -> Option<Vec3> {
        match self.feature {
            Feature::Vertex(i) => Some(self.triangle.corners()[usize::from(i) % 3]),
            Feature::Edge(_) | Feature::Face => None,
        }
    }

    /// Returns whether both are the distance from the same vertex, from the same edge, or from the
    /// same face, by the positions of its corners. Nearly all equal distances in meshes are.
    pub(super) fn is_from_same_feature_as(&self, other: &CertifiedDistance) -> bool {
        are_one_feature(
            (&self.triangle.corners(), self.feature),
            (&other.triangle.corners(), other.feature),
        )
    }
}

/// Returns whether parts of two triangles with area lie between the same corners, by their positions.
pub(crate) fn are_one_feature<V: Copy + PartialEq>(
    own: (&[V; 3], Feature),
    other: (&[V; 3], Feature),
) -> bool {
    let ((own, count), (others, others_count)) = (support(own), support(other));
    // The corners of a triangle with area differ, so equal counts make equal sets.
    count == others_count && own[..count].iter().all(|corner| others.contains(corner))
}

/// Returns the corners that a part of a triangle lies between: one, two or three.
fn support<V: Copy>((&corners, feature): (&[V; 3], Feature)) -> ([V; 3], usize) {
    let corner = |i: u8| corners[usize::from(i) % 3];
    match feature {
        Feature::Vertex(i) => ([corner(i); 3], 1),
        Feature::Edge(i) => ([corner(i), corner(i + 1), corner(i + 1)], 2),
        Feature::Face => (corners, 3),
    }
}

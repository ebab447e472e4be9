//! The kinds of points.

use crate::exact::proximity::{ClosestPoint, Measure, PreparedPoint};
use crate::shapes::{PrimId, QueryItem, Triangle};
use core::fmt::Debug;
use glam::Vec3;

/// A kind of point, with what may be near it: a `Vec3` is asked about near the triangles of a mesh, and
/// a `DVec3` near the placed triangles of a scene. Questions about points are the same for both.
pub trait PointKind: QueryItem {
    /// The id of a triangle. Ties in the distance go to the lowest id.
    type Id: Copy + Ord + Debug + Send + Sync;

    /// A triangle.
    type Triangle;

    /// The answer that callers see.
    type ClosestAnswer: Copy + Debug + PartialEq + Send + Sync;

    /// The point, prepared for measuring distances.
    #[doc(hidden)]
    type Prepared: Measure<Id = Self::Id, Measured = Self::Triangle, Answer = Self::ClosestAnswer>;

    /// Prepares the point if it is finite.
    #[doc(hidden)]
    fn prepare(self) -> Option<Self::Prepared>;

    /// Returns the point that was prepared.
    #[doc(hidden)]
    fn of(prepared: &Self::Prepared) -> Self;
}

impl PointKind for Vec3 {
    type Id = PrimId;
    type Triangle = Triangle;
    type ClosestAnswer = ClosestPoint;
    type Prepared = PreparedPoint;

    #[inline(always)]
    fn prepare(self) -> Option<PreparedPoint> {
        PreparedPoint::new(self)
    }

    #[inline(always)]
    fn of(prepared: &PreparedPoint) -> Vec3 {
        prepared.point()
    }
}

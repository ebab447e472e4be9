//! The kinds of points, and what they are near.

use super::MeshTriangle;
use crate::exact::proximity::{ClosestPoint, Length, Measure, PreparedPoint, WidePoint};
use crate::shapes::{Coordinate, PrimId, QueryItem, Ray, Ray64, RayKind, Triangle, Triangle64};
use core::fmt::Debug;
use glam::{DVec3, Vec3};

/// A kind of point: `Vec3` or `DVec3`. Questions about points are the same for both.
pub trait PointKind: QueryItem + Copy + Into<DVec3> {
    /// Its coordinates.
    type Coordinate: Coordinate + Length;

    /// A ray with such numbers.
    type Ray: RayKind;

    /// A triangle with such corners.
    type Triangle: MeshTriangle<Coordinate = Self::Coordinate, Near = Self::Triangle>
        + PointTest<
            Self,
            Id = PrimId,
            Length = Self::Coordinate,
            ClosestAnswer = ClosestPoint<Self::Coordinate>,
        >;

    /// Returns the rays that find whether the point is on a triangle: at least one of them, along an axis
    /// that is not perpendicular to the triangle's normal, hits it at `t = 0`.
    #[doc(hidden)]
    fn at_the_point(self) -> [Self::Ray; 3];

    /// Returns the ray whose crossings are counted: an odd number means inside.
    #[doc(hidden)]
    fn to_the_outside(self) -> Self::Ray;
}

impl PointKind for Vec3 {
    type Coordinate = f32;
    type Ray = Ray;
    type Triangle = Triangle;

    fn at_the_point(self) -> [Ray; 3] {
        Vec3::AXES.map(|axis| Ray::new(self, axis).with_interval(0.0, 0.0))
    }

    fn to_the_outside(self) -> Ray {
        Ray::new(self, Vec3::X)
    }
}

impl PointKind for DVec3 {
    type Coordinate = f64;
    type Ray = Ray64;
    type Triangle = Triangle64;

    fn at_the_point(self) -> [Ray64; 3] {
        DVec3::AXES.map(|axis| Ray64::new(self, axis).with_interval(0.0, 0.0))
    }

    fn to_the_outside(self) -> Ray64 {
        Ray64::new(self, DVec3::X)
    }
}

/// A triangle whose distance from points of a kind is decided exactly: a [`Triangle`] for a `Vec3`, a
/// [`Triangle64`] or a [`PlacedTriangle`](crate::PlacedTriangle) for a `DVec3`.
pub trait PointTest<V: PointKind = Vec3>: Copy {
    /// The id of a triangle. Ties in the distance go to the lowest id.
    type Id: Copy + Ord + Debug + Send + Sync;

    /// A distance.
    type Length: Length;

    /// The answer that callers see.
    type ClosestAnswer: Copy + Debug + PartialEq + Send + Sync;

    /// A point, prepared for measuring distances.
    #[doc(hidden)]
    type Prepared: Measure<Id = Self::Id, Measured = Self, Answer = Self::ClosestAnswer, Length = Self::Length>;

    /// Prepares a point if it is finite.
    #[doc(hidden)]
    fn prepare(point: V) -> Option<Self::Prepared>;

    /// Returns the point that was prepared.
    #[doc(hidden)]
    fn of(prepared: &Self::Prepared) -> V;
}

impl PointTest for Triangle {
    type Id = PrimId;
    type Length = f32;
    type ClosestAnswer = ClosestPoint;
    type Prepared = PreparedPoint;

    #[inline(always)]
    fn prepare(point: Vec3) -> Option<PreparedPoint> {
        PreparedPoint::new(point)
    }

    #[inline(always)]
    fn of(prepared: &PreparedPoint) -> Vec3 {
        prepared.point()
    }
}

impl PointTest<DVec3> for Triangle64 {
    type Id = PrimId;
    type Length = f64;
    type ClosestAnswer = ClosestPoint<f64>;
    type Prepared = WidePoint;

    #[inline(always)]
    fn prepare(point: DVec3) -> Option<WidePoint> {
        WidePoint::new(point)
    }

    #[inline(always)]
    fn of(prepared: &WidePoint) -> DVec3 {
        prepared.point().into()
    }
}

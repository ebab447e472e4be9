//! Regions as the numbers that define them, which the oracle reads and engines are given shapes of.

use estoc_core::glam::{DVec3, Mat4, Vec3};
use estoc_core::{
    Aabb, Coordinate, Frustum, HalfSpace, Obb, Plane, Region, Sphere, Triangle, Triangle64,
};

/// The numbers of a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaneCase<C: Coordinate = f32> {
    /// A point and a normal.
    Through(C::Point, C::Point),
    /// A normal, and its scalar product with all points.
    Offset(C::Point, C),
}

/// The numbers of a region, of which a shape can be made.
#[derive(Clone, Debug, PartialEq)]
pub enum RegionCase {
    /// The least and the greatest corner.
    Box(Vec3, Vec3),
    /// The box without points.
    EmptyBox,
    /// The centre and the radius.
    Ball(Vec3, f32),
    /// The centre, the axes and the half sizes.
    Oriented(Vec3, [Vec3; 3], Vec3),
    /// The image of a box from a least to a greatest corner.
    Image(Vec3, Vec3, Mat4),
    /// What lies in front of all.
    Frustum(Vec<PlaneCase>),
    /// What lies in front of a plane.
    HalfSpace(PlaneCase),
    /// What lies on a plane.
    Plane(PlaneCase),
    /// A triangle.
    Triangle(Triangle),
    /// The least and the greatest corner in `f64`.
    Box64([DVec3; 2]),
    /// What lies on a plane in `f64`.
    Plane64(PlaneCase<f64>),
    /// A triangle in `f64`.
    Triangle64(Triangle64),
}

impl PlaneCase {
    /// Returns the plane; `None` if the numbers define none.
    pub fn plane(&self) -> Option<Plane> {
        match *self {
            PlaneCase::Through(point, normal) => Plane::through(point, normal).ok(),
            PlaneCase::Offset(normal, offset) => Plane::from_offset(normal, offset).ok(),
        }
    }
}

impl PlaneCase<f64> {
    /// Returns the plane; `None` if the numbers define none.
    pub fn plane(&self) -> Option<Plane<f64>> {
        match *self {
            PlaneCase::Through(point, normal) => Plane::through_f64(point, normal).ok(),
            PlaneCase::Offset(normal, offset) => Plane::from_offset_f64(normal, offset).ok(),
        }
    }
}

impl RegionCase {
    /// Returns the region; `None` if the numbers define none.
    pub fn region(&self) -> Option<Box<dyn Region>> {
        Some(match self {
            RegionCase::Box(min, max) => Box::new(Aabb::try_new(*min, *max).ok()?),
            RegionCase::EmptyBox => Box::new(Aabb::EMPTY),
            RegionCase::Ball(center, radius) => Box::new(Sphere::try_new(*center, *radius).ok()?),
            RegionCase::Oriented(center, axes, half_sizes) => {
                Box::new(Obb::try_new(*center, *axes, *half_sizes).ok()?)
            }
            RegionCase::Image(min, max, model) => {
                Box::new(Obb::from_model(&Aabb::try_new(*min, *max).ok()?, model).ok()?)
            }
            RegionCase::Frustum(planes) => {
                let planes: Option<Vec<Plane>> =
                    planes.iter().map(PlaneCase::<f32>::plane).collect();
                Box::new(Frustum::try_new(&planes?).ok()?)
            }
            RegionCase::HalfSpace(plane) => Box::new(HalfSpace(plane.plane()?)),
            RegionCase::Plane(plane) => Box::new(plane.plane()?),
            RegionCase::Triangle(triangle) => Box::new(*triangle),
            RegionCase::Box64(corners) => Box::new(*corners),
            RegionCase::Plane64(plane) => Box::new(plane.plane()?),
            RegionCase::Triangle64(triangle) => Box::new(*triangle),
        })
    }
}

//! Regions: closed sets of points that triangles may have points in.
//!
//! A region decides three things: a box around it, where a box lies (conservatively, for engines),
//! and whether a triangle has a point in it (exactly). Polyhedra are intersections of half spaces
//! (`clipping.rs`); spheres compare the distance of the closest point with the radius
//! ([`proximity`](crate::proximity)); triangles compare orientations ([`pair`](crate::pair)).

mod aabb;
mod clipping;
mod frustum;
mod half_space;
mod obb;
mod sphere;
mod triangle;

pub use frustum::{Frustum, FrustumError};
pub use half_space::HalfSpace;

use crate::shapes::Aabb;
use glam::{DVec3, Vec3};

/// A closed set of points, which [`RegionQuery::overlaps`](crate::RegionQuery::overlaps) asks which
/// triangles have a point in.
///
/// [`Aabb`], [`Obb`](crate::Obb), [`Sphere`](crate::Sphere), [`Frustum`], [`HalfSpace`],
/// [`Plane`](crate::Plane) and [`Triangle`](crate::Triangle) are regions, and so are, in `f64`, the box between two
/// corners, `[DVec3; 2]`, the plane and the triangle. All but planes and triangles are
/// solid: what is inside counts as well as the surface. Their answers are those of exact arithmetic.
///
/// The trait may be implemented for other sets; then their answers are as exact as
/// [`has_point_in`](Region::has_point_in).
pub trait Region: Sync {
    /// Returns the least and the greatest corner of a box that contains the region, infinities of the wrong signs
    /// for a region without points; `None` where there is no such box.
    fn bounds(&self) -> Option<[DVec3; 2]>;

    /// Returns where the box from `min` to `max` lies. It may always answer
    /// [`BoxPosition::Crossing`]; the other answers must be certain.
    ///
    /// Corners may be infinite.
    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition;

    /// Returns whether the closed triangle between three corners, which is finite and has area, has a point in the
    /// region. Those of a mesh in `f32` are given as the same numbers.
    fn has_point_in(&self, corners: [DVec3; 3]) -> bool;
}

/// Returns a box in `f32` as one in `f64`.
fn wide_bounds(bounds: &Aabb) -> [DVec3; 2] {
    [bounds.min(), bounds.max()].map(Vec3::as_dvec3)
}

/// Where a box lies relative to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxPosition {
    /// No point of the box is in the region.
    Outside,
    /// Some points may be in the region and some not.
    Crossing,
    /// All points of the box are in the region.
    Inside,
}

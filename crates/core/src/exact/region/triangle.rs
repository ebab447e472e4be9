//! Triangles as regions.

use super::{BoxPosition, Region};
use crate::exact::pair::intersect;
use crate::shapes::{Aabb, Triangle};
use glam::{DVec3, Vec3};

impl Region for Triangle {
    /// Returns the box of the corners; [`Aabb::EMPTY`] for a triangle without area, which has no
    /// points.
    fn bounds(&self) -> Option<Aabb> {
        Some(match self.is_degenerate() {
            true => Aabb::EMPTY,
            false => Aabb::of_triangle(self),
        })
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        let [a, b, c] = self.corners().map(Vec3::as_dvec3);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        match min.cmpgt(high).any() || max.cmplt(low).any() {
            true => BoxPosition::Outside,
            false => BoxPosition::Crossing,
        }
    }

    fn has_point_in(&self, triangle: &Triangle) -> bool {
        let corners = triangle.corners();
        let shares_corner = self.corners().iter().any(|corner| corners.contains(corner));
        !self.is_degenerate() && (shares_corner || intersect(self, triangle).is_some())
    }
}

//! Triangles as regions.

use super::{BoxPosition, Region};
use crate::exact::pair::intersect;
use crate::shapes::{Aabb, Triangle, Triangle64};
use glam::DVec3;

impl Region for Triangle64 {
    /// Returns the box of the corners; that of no points for a triangle without area, which has none.
    fn bounds(&self) -> Option<[DVec3; 2]> {
        let [a, b, c] = self.corners();
        Some(match self.is_degenerate() {
            true => super::wide_bounds(&Aabb::EMPTY),
            false => [a.min(b).min(c), a.max(b).max(c)],
        })
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        let [a, b, c] = self.corners();
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        match min.cmpgt(high).any() || max.cmplt(low).any() {
            true => BoxPosition::Outside,
            false => BoxPosition::Crossing,
        }
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        let [p0, p1, p2] = corners;
        let shares_corner = self.corners().iter().any(|corner| corners.contains(corner));
        let meets = || intersect(self, &Triangle64 { p0, p1, p2 }).is_some();
        !self.is_degenerate() && (shares_corner || meets())
    }
}

impl Region for Triangle {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        Triangle64::from(*self).bounds()
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        Triangle64::from(*self).place_box(min, max)
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        Triangle64::from(*self).has_point_in(corners)
    }
}

//! Axis-aligned boxes as regions.

use super::clipping::{LinearFunction, has_point_in_all};
use super::{BoxPosition, Region};
use crate::arithmetic::{Bounded, Dyadic, V3, widen};
use crate::shapes::{Aabb, Triangle};
use glam::DVec3;

/// The distance from a face of a box, positive inside.
struct AabbFace {
    axis: usize,
    bound: f64,
    is_max: bool,
}

impl LinearFunction for AabbFace {
    fn value(&self, point: V3) -> Bounded {
        // Rounded once, so its sign is right, and where it is 0 so is its error.
        let above = Bounded::rounded(point[self.axis] - self.bound);
        if self.is_max { above.negated() } else { above }
    }

    fn exact_value(&self, point: V3) -> Dyadic {
        let above = Dyadic::difference(point[self.axis], self.bound);
        if self.is_max { above.neg() } else { above }
    }

    fn gradient(&self) -> V3 {
        let mut gradient = [0.0; 3];
        gradient[self.axis] = if self.is_max { -1.0 } else { 1.0 };
        gradient
    }
}

impl Region for Aabb {
    fn bounds(&self) -> Option<Aabb> {
        Some(*self)
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        let (low, high) = (self.min().as_dvec3(), self.max().as_dvec3());
        if min.cmpgt(high).any() || max.cmplt(low).any() {
            BoxPosition::Outside
        } else if low.cmple(min).all() && max.cmple(high).all() {
            BoxPosition::Inside
        } else {
            BoxPosition::Crossing
        }
    }

    fn has_point_in(&self, triangle: &Triangle) -> bool {
        if self.is_empty() {
            return false;
        }
        let corners = triangle.corners();
        if corners.iter().any(|&corner| self.contains(corner)) {
            return true;
        }
        let faces = [0, 1, 2, 3, 4, 5].map(|place| {
            let (axis, is_max) = (place % 3, place >= 3);
            let corner = if is_max { self.max() } else { self.min() };
            AabbFace {
                axis,
                bound: corner[axis].into(),
                is_max,
            }
        });
        has_point_in_all(&faces, corners.map(widen))
    }
}

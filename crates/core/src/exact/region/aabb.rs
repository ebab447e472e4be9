//! Axis-aligned boxes as regions.

use super::clipping::{LinearFunction, has_point_in_all};
use super::{BoxPosition, Region, wide_bounds};
use crate::arithmetic::{Bounded, Dyadic, V3};
use crate::shapes::Aabb;
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
    fn bounds(&self) -> Option<[DVec3; 2]> {
        Some(wide_bounds(self))
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        wide_bounds(self).place_box(min, max)
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        wide_bounds(self).has_point_in(corners)
    }
}

/// The box from the least to the greatest corner; without points where one is above the other, or NaN.
impl Region for [DVec3; 2] {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        let [low, high] = *self;
        Some(match low.cmple(high).all() {
            true => *self,
            false => wide_bounds(&Aabb::EMPTY),
        })
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        let [low, high] = *self;
        if min.cmpgt(high).any() || max.cmplt(low).any() {
            BoxPosition::Outside
        } else if low.cmple(min).all() && max.cmple(high).all() {
            BoxPosition::Inside
        } else {
            BoxPosition::Crossing
        }
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        let [low, high] = *self;
        let is_reached = low.cmplt(DVec3::INFINITY).all() && high.cmpgt(DVec3::NEG_INFINITY).all();
        if !(is_reached && low.cmple(high).all()) {
            return false;
        }
        let contains = |p: DVec3| low.cmple(p).all() && p.cmple(high).all();
        if corners.into_iter().any(contains) {
            return true;
        }
        let faces = [0, 1, 2, 3, 4, 5].map(|place| {
            let (axis, is_max) = (place % 3, place >= 3);
            let corner = if is_max { high } else { low };
            AabbFace {
                axis,
                // No point is beyond the greatest number.
                bound: corner[axis].clamp(-f64::MAX, f64::MAX),
                is_max,
            }
        });
        has_point_in_all(&faces, corners)
    }
}

//! Oriented boxes as regions.

use super::clipping::{LinearFunction, has_point_in_all, place_box};
use super::{BoxPosition, Region, wide_bounds};
use crate::arithmetic::{Bounded, Dyadic, V3};
use crate::shapes::Obb;
use glam::DVec3;

/// The height above a face of an oriented box, positive inside.
struct ObbFace<'a> {
    obb: &'a Obb,
    axis: usize,
    is_max: bool,
}

impl LinearFunction for ObbFace<'_> {
    fn value(&self, point: V3) -> Bounded {
        self.obb.height_inside(self.axis, self.is_max, point)
    }

    fn exact_value(&self, point: V3) -> Dyadic {
        self.obb.exact_height_inside(self.axis, self.is_max, point)
    }

    fn gradient(&self) -> V3 {
        self.obb.inward(self.axis, self.is_max)
    }
}

fn faces(obb: &Obb) -> [ObbFace<'_>; 6] {
    [0, 1, 2, 3, 4, 5].map(|place| ObbFace {
        obb,
        axis: place % 3,
        is_max: place >= 3,
    })
}

impl Region for Obb {
    /// Returns the exact bounds, rounded outward.
    fn bounds(&self) -> Option<[DVec3; 2]> {
        Some(wide_bounds(&Obb::bounds(self)))
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        place_box(&faces(self), min, max)
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        has_point_in_all(&faces(self), corners)
    }
}

//! Balls as regions.

use super::{BoxPosition, Region, wide_bounds};
use crate::exact::proximity::{Measure, WidePoint};
use crate::shapes::{Aabb, PrimId, Sphere, Triangle64};
use core::cmp::Ordering;
use glam::DVec3;

impl Region for Sphere {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        let (center, radius) = (self.center(), self.radius());
        // Rounded to nearest, so the next number outward is beyond the exact bound.
        let min = (center - radius).map(|x| x.next_down().max(f32::MIN));
        let max = (center + radius).map(|x| x.next_up().min(f32::MAX));
        Some(wide_bounds(&Aabb::of_points([min, max])))
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        let center = self.center().as_dvec3();
        // Rounded once each; the squares of these are off by 5 * 2^-53 of their sum at most, and
        // 16 * 2^-53 are granted. The square of the radius is exact.
        const SLACK: f64 = 8.0 * f64::EPSILON;
        let gap = (min - center).max(center - max).max(DVec3::ZERO);
        let reach = (center - min).abs().max((max - center).abs());
        let square = f64::from(self.radius()) * f64::from(self.radius());
        if gap.length_squared() * (1.0 - SLACK) > square {
            BoxPosition::Outside
        } else if reach.length_squared() * (1.0 + SLACK) < square {
            BoxPosition::Inside
        } else {
            BoxPosition::Crossing
        }
    }

    fn has_point_in(&self, [p0, p1, p2]: [DVec3; 3]) -> bool {
        let Some(center) = WidePoint::new(self.center().as_dvec3()) else {
            return false; // not so: spheres are finite
        };
        let radius = f64::from(self.radius());
        // Distances do not depend on the name.
        let found = center.measure(PrimId::MAX, &Triangle64 { p0, p1, p2 }, radius * radius);
        found.is_some_and(|found| center.order_radius(&found, radius) != Ordering::Greater)
    }
}

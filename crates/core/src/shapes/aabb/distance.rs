//! The distance of a point from a box.

use super::Aabb;
use crate::arithmetic::{Dyadic, Ratio, round};
use glam::{DVec3, Vec3};

impl Aabb {
    /// Returns the distance of the point to the closed box, 0 inside: the `f32` nearest to the
    /// exact value, ties to even.
    ///
    /// Overflow is infinite, as are the distance of a point with an infinite coordinate and the
    /// distance to the empty box. NaN when a coordinate of the point is NaN.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Aabb;
    /// let unit = Aabb::try_new([0.0; 3], [1.0; 3]).unwrap();
    /// assert_eq!(unit.distance([4.0, 0.5, 5.0]), 5.0);
    /// assert_eq!(unit.distance([1.0, 0.5, 0.0]), 0.0);
    /// ```
    pub fn distance(&self, point: impl Into<Vec3>) -> f32 {
        match self.gap(point.into()) {
            Ok(gap) => gap.length(),
            Err(answer) => answer,
        }
    }

    /// Returns the square of [`distance`](Aabb::distance), rounded once as well: it may overflow or
    /// underflow where the distance does not.
    pub fn distance_squared(&self, point: impl Into<Vec3>) -> f32 {
        match self.gap(point.into()) {
            Ok(gap) => gap.length_squared(),
            Err(answer) => answer,
        }
    }

    /// Returns the point of the closed box that is nearest to this one: the point itself when it is
    /// inside. Exact, since its coordinates are the point's or the box's. `None` for the empty box,
    /// and for a point with a NaN coordinate.
    pub fn closest_point(&self, point: impl Into<Vec3>) -> Option<Vec3> {
        let point = point.into();
        if self.is_empty() || point.is_nan() {
            None
        } else {
            Some(point.max(self.min).min(self.max))
        }
    }

    /// Returns the vector to the closest point, or the answer where there is none.
    fn gap(&self, point: Vec3) -> Result<Gap, f32> {
        if point.is_nan() {
            return Err(f32::NAN);
        }
        match self.closest_point(point) {
            Some(closest) if point.is_finite() => Ok(Gap { point, closest }),
            _ => Err(f32::INFINITY),
        }
    }
}

/// Two finite points.
struct Gap {
    point: Vec3,
    closest: Vec3,
}

impl Gap {
    // The differences are rounded once (u = 2^-53), their squares three times, and the sum of
    // these, all positive, twice more: 5u, and 3.5u for the root. 8u cover both. Squares lie in
    // 2^-298 ..= 2^258, so nothing underflows or overflows.
    const SLACK: f64 = 4.0 * f64::EPSILON;

    fn length(&self) -> f32 {
        let length = self.difference().length();
        around(length).unwrap_or_else(|| self.exact_square().root_to_f32())
    }

    fn length_squared(&self) -> f32 {
        around(self.difference().length_squared()).unwrap_or_else(|| self.exact_square().to_f32())
    }

    fn difference(&self) -> DVec3 {
        self.point.as_dvec3() - self.closest.as_dvec3()
    }

    fn exact_square(&self) -> Ratio {
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let side = Dyadic::difference(self.point[axis].into(), self.closest[axis].into());
            side.square()
        });
        Ratio::new(x.add(&y).add(&z), Dyadic::from_f64(1.0))
    }
}

fn around(value: f64) -> Option<f32> {
    let error = value * Gap::SLACK;
    round((value - error, value + error))
}

//! Origins of rays that leave a sphere and never hit it again.

use super::Sphere;
use crate::arithmetic::{minus, widen};
use glam::Vec3;

impl Sphere {
    /// Returns the point itself if it lies strictly outside, otherwise the nearest such point along
    /// one axis. A ray that starts there and does not head inward never hits the ball.
    ///
    /// A point computed with rounding lies slightly inside as often as outside, and a ray from
    /// inside hits the surface once more. This method moves one coordinate, the one that is
    /// farthest from the centre's, away from the centre, to the first `f32` that is outside: for a
    /// point computed to lie on the surface that is about the size of its rounding error. Whether a
    /// point is outside is decided exactly, so the guarantee is exact too: from a point p returned,
    /// a ray with `(p - center) . dir >= 0` and `t_min >= 0` misses.
    ///
    /// `None` when the point is not finite, or when no finite `f32` in that direction is outside (a
    /// sphere that extends beyond `f32::MAX`).
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Ray, Sphere};
    /// let sphere = Sphere::try_new([0.1, 0.2, 0.3], 0.7).unwrap();
    /// let ray = Ray::new([2.0, 1.0, 0.0], [-1.9, -0.8, 0.3]);
    /// let point = ray.at(sphere.enter_surface(&ray).unwrap());
    /// let start = sphere.point_outside(point).unwrap();
    /// let normal = sphere.normal_at(start).unwrap();
    /// assert_eq!(sphere.chord(&Ray::new(start, normal)), None);
    /// assert!((start - point).length() < 1e-6);
    /// ```
    pub fn point_outside(&self, point: impl Into<Vec3>) -> Option<Vec3> {
        let point = point.into();
        if !point.is_finite() || !self.contains(point) {
            return point.is_finite().then_some(point);
        }
        // In f64, where no difference overflows; the centre itself moves along x.
        let offset = minus(widen(point), widen(self.center));
        let axis = (1..3).fold(0, |best, axis| {
            if offset[axis].abs() > offset[best].abs() {
                axis
            } else {
                best
            }
        });
        let away = if offset[axis] < 0.0 { -1 } else { 1 };
        let moved = |ulps: i64| {
            let mut moved = point;
            moved[axis] = float(index(point[axis]) + away * ulps);
            moved
        };
        // Along the axis the distance only grows, so bisection finds the first one outside.
        let most = index(f32::MAX) - away * index(point[axis]);
        let mut outside = 1;
        while outside < most && self.contains(moved(outside)) {
            outside = (2 * outside).min(most);
        }
        let mut inside = outside / 2;
        if outside > most || self.contains(moved(outside)) {
            return None;
        }
        while outside - inside > 1 {
            let middle = inside + (outside - inside) / 2;
            if self.contains(moved(middle)) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        Some(moved(outside))
    }
}

/// Maps the finite `f32`s to integers in the same order, both zeros to 0.
fn index(x: f32) -> i64 {
    let size = i64::from(x.abs().to_bits());
    if x < 0.0 { -size } else { size }
}

/// Returns the `f32` of that integer.
fn float(index: i64) -> f32 {
    let size = f32::from_bits(index.unsigned_abs() as u32);
    if index < 0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_numbered_in_order() {
        for x in [0.0, f32::from_bits(1), 1.0, 1e30, f32::MAX.next_down()] {
            assert_eq!(float(index(x) + 1), x.next_up());
            assert_eq!(float(index(-x) - 1), (-x).next_down());
            assert_eq!(float(index(-x)), -x);
        }
    }
}

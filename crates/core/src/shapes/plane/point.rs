//! Sides and distances of points.

use super::Plane;
use crate::arithmetic::{over_root, quotient, round, widen};
use glam::Vec3;

/// The position of a point relative to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaneSide {
    /// On the side that the normal points to.
    Front,
    /// On the plane, exactly.
    On,
    /// On the other side.
    Back,
}

impl Plane {
    /// Returns the side that the point is on, decided exactly; `None` for a point that is not
    /// finite.
    pub fn side_of(&self, point: impl Into<Vec3>) -> Option<PlaneSide> {
        let point = point.into();
        if !point.is_finite() {
            return None;
        }
        let height = self.height(widen(point)).sign();
        Some(
            match height.unwrap_or_else(|| self.exact_height(widen(point)).sign()) {
                1 => PlaneSide::Front,
                0 => PlaneSide::On,
                _ => PlaneSide::Back,
            },
        )
    }

    /// Returns the distance of the point from the plane, positive in front and negative behind: the
    /// nearest `f32` to the exact value, ties to even, for a normal of any length. Zero is +0, and
    /// overflow is infinite. `None` for a point that is not finite.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Plane;
    /// let floor = Plane::from_offset([0.0, 2.0, 0.0], 6.0).unwrap();
    /// assert_eq!(floor.signed_distance([9.0, 1.0, 9.0]), Some(-2.0));
    /// ```
    pub fn signed_distance(&self, point: impl Into<Vec3>) -> Option<f32> {
        let point = point.into();
        if !point.is_finite() {
            return None;
        }
        let interval = quotient(self.height(widen(point)), self.length());
        Some(round(interval).unwrap_or_else(|| self.exact_distance(point)))
    }

    fn exact_distance(&self, point: Vec3) -> f32 {
        over_root(&self.exact_height(widen(point)), &self.exact_square())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_stages_agree() {
        let mut state = 1u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        for _ in 0..2000 {
            let [point, on, normal] = core::array::from_fn(|_| [number(), number(), number()]);
            let plane = Plane::through(on, normal).unwrap();
            let distance = plane.signed_distance(point).unwrap();
            assert_eq!(plane.exact_distance(point.into()), distance);
            assert_eq!(plane.flipped().exact_distance(point.into()), -distance);
        }
    }

    #[test]
    fn zero_is_positive() {
        let plane = Plane::through([1.0; 3], [-1.0, 0.0, 0.0]).unwrap();
        let zero = plane.signed_distance([1.0, 5.0, 5.0]).unwrap();
        assert_eq!(zero.to_bits(), 0);
    }
}

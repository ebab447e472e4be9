//! The triangle in `f64`.

use super::{Side, Triangle};
use crate::arithmetic::{ExactV3, V3, exact, exact_cross, exact_dot, exact_minus, exact_unit};
use glam::{DVec3, Vec3};

/// A triangle whose corners are in `f64`, as those of a [`Triangle`] are in `f32`: hit, missed and ordered
/// exactly, for the numbers given. One without area or with a corner that is not finite is never hit.
///
/// It is the [`Primitive`](crate::Primitive) of trees over meshes in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle64 {
    /// First corner.
    pub p0: DVec3,
    /// Second corner, weighted by `u`.
    pub p1: DVec3,
    /// Third corner, weighted by `v`.
    pub p2: DVec3,
}

impl Triangle64 {
    /// Returns the triangle with these corners.
    pub fn new(p0: impl Into<DVec3>, p1: impl Into<DVec3>, p2: impl Into<DVec3>) -> Self {
        Triangle64 {
            p0: p0.into(),
            p1: p1.into(),
            p2: p2.into(),
        }
    }

    /// Returns whether all coordinates are finite.
    pub fn is_finite(&self) -> bool {
        self.p0.is_finite() && self.p1.is_finite() && self.p2.is_finite()
    }

    /// Returns the corners, in order.
    #[inline]
    pub fn corners(&self) -> [DVec3; 3] {
        [self.p0, self.p1, self.p2]
    }

    /// Returns the unit normal, each coordinate the nearest `f32`, as [`Triangle::normal`] does; `None` for a
    /// triangle without area or with a corner that is not finite.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Triangle64;
    /// let thin = Triangle64::new([5.2e6, 0.0, 0.0], [5.2e6 + 1e-9, 0.0, 0.0], [5.2e6, 1e300, 0.0]);
    /// assert_eq!(thin.normal(), Some([0.0, 0.0, 1.0].into()));
    /// ```
    pub fn normal(&self) -> Option<Vec3> {
        let normal = self.is_finite().then(|| exact_unit(&self.exact_normal()))?;
        (normal != Vec3::ZERO).then_some(normal)
    }

    /// Returns the side that a ray of this direction comes from, as [`Triangle::side`] does.
    pub fn side(&self, dir: impl Into<DVec3>) -> Option<Side> {
        let dir = dir.into();
        let is_finite = self.is_finite() && dir.is_finite();
        let along = is_finite.then(|| exact_dot(&exact(dir.to_array()), &self.exact_normal()))?;
        match along.sign() {
            -1 => Some(Side::Front),
            1 => Some(Side::Back),
            _ => None,
        }
    }

    /// Returns the cross product of the edges at the first corner; the corners must be finite.
    fn exact_normal(&self) -> ExactV3 {
        let [p0, p1, p2] = self.coordinates();
        exact_cross(&exact_minus(p1, p0), &exact_minus(p2, p0))
    }

    /// Returns the coordinates of the corners, in order.
    #[inline]
    pub(crate) fn coordinates(&self) -> [V3; 3] {
        [self.p0.to_array(), self.p1.to_array(), self.p2.to_array()]
    }
}

/// The same triangle.
impl From<Triangle> for Triangle64 {
    fn from(triangle: Triangle) -> Self {
        let [p0, p1, p2] = triangle.corners();
        Triangle64::new(p0, p1, p2)
    }
}

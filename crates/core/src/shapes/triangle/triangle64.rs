//! The triangle in `f64`.

use super::Triangle;
use crate::arithmetic::V3;
use glam::DVec3;

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

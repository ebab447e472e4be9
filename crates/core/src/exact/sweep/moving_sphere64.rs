//! A moving sphere in `f64`.

use super::MovingSphere;
use crate::shapes::QueryItem;
use glam::DVec3;

/// A sphere that moves, as a [`MovingSphere`], of `f64` numbers. All questions about moving spheres take it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovingSphere64 {
    /// The centre at `t = 0`.
    pub center: DVec3,
    /// The velocity, and the unit of `t`.
    pub velocity: DVec3,
    /// The radius; 0 for a moving point.
    pub radius: f64,
    /// The greatest time that counts.
    pub t_max: f64,
}

impl MovingSphere64 {
    /// Returns a sphere that moves without end. Nothing is checked.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, FirstContact, MovingSphere64, RayQuery, Triangle};
    /// let floor = Triangle::new([-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]);
    /// let ball = MovingSphere64::new([0.0, 3.0, 0.0], [0.0, -4.0, 0.0], 1.0);
    /// assert_eq!(BruteForce::new([floor]).ask(FirstContact, &ball).unwrap().t, 0.5);
    /// ```
    pub fn new(center: impl Into<DVec3>, velocity: impl Into<DVec3>, radius: f64) -> Self {
        MovingSphere64 {
            center: center.into(),
            velocity: velocity.into(),
            radius,
            t_max: f64::INFINITY,
        }
    }

    /// Returns the same sphere with another greatest time.
    #[must_use]
    pub fn with_t_max(self, t_max: f64) -> Self {
        MovingSphere64 { t_max, ..self }
    }

    /// Returns whether the centre and the velocity are finite and neither the radius nor `t_max` is
    /// negative or NaN.
    pub fn is_defined(&self) -> bool {
        self.center.is_finite()
            && self.velocity.is_finite()
            && self.radius >= 0.0
            && self.t_max >= 0.0
    }
}

impl From<MovingSphere> for MovingSphere64 {
    fn from(sphere: MovingSphere) -> Self {
        MovingSphere64 {
            center: sphere.center.as_dvec3(),
            velocity: sphere.velocity.as_dvec3(),
            radius: sphere.radius.into(),
            t_max: sphere.t_max.into(),
        }
    }
}

impl QueryItem for MovingSphere64 {
    const IS_POSITION: bool = <MovingSphere as QueryItem>::IS_POSITION;

    fn is_defined(&self) -> bool {
        MovingSphere64::is_defined(self)
    }
}

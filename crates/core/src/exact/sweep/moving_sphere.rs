//! A moving sphere, as users give it.

use crate::shapes::QueryItem;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// A sphere that moves: its centre is at `center + t velocity` at the times `0 <= t <= t_max`.
///
/// The velocity is used as given and may be zero: every `t` is in units of it. The fields are public
/// and may hold any value. A sphere for which [`is_defined`](MovingSphere::is_defined) returns
/// `false` touches nothing.
///
/// In memory a moving sphere is eight `f32`: centre, velocity, radius, `t_max`. Arrays and files of
/// rows of eight numbers can therefore be used as moving spheres directly (`bytemuck::cast_slice`).
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
/// use estoc::{BruteForce, RayQuery, Triangle, query::{FirstContact, MovingSphere}};
/// let floor = Triangle::new([-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]);
/// let engine = BruteForce::new([floor]);
/// let ball = MovingSphere::new([0.0, 3.0, 0.0], [0.0, -4.0, 0.0], 1.0);
/// assert_eq!(engine.ask(FirstContact, &ball).unwrap().t, 0.5);
/// assert!(engine.ask(FirstContact, &ball.with_t_max(0.25)).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
#[doc(alias = "sphere_cast")]
#[doc(alias = "shape_cast")]
pub struct MovingSphere {
    /// The centre at `t = 0`.
    pub center: Vec3,
    /// The velocity, and the unit of `t`.
    pub velocity: Vec3,
    /// The radius; 0 for a moving point.
    pub radius: f32,
    /// The greatest time that counts.
    pub t_max: f32,
}

// Eight adjacent numbers, as documented.
const _: () = assert!(size_of::<MovingSphere>() == 32);
const _: () = assert!(align_of::<MovingSphere>() == align_of::<f32>());

impl MovingSphere {
    /// Returns a sphere that moves without end. Nothing is checked.
    #[inline]
    pub fn new(center: impl Into<Vec3>, velocity: impl Into<Vec3>, radius: f32) -> Self {
        MovingSphere {
            center: center.into(),
            velocity: velocity.into(),
            radius,
            t_max: f32::INFINITY,
        }
    }

    /// Returns the same sphere with another greatest time.
    #[must_use]
    #[inline]
    pub fn with_t_max(self, t_max: f32) -> Self {
        MovingSphere { t_max, ..self }
    }

    /// Returns whether the centre and the velocity are finite and neither the radius nor `t_max` is
    /// negative or NaN.
    #[inline]
    pub fn is_defined(&self) -> bool {
        self.center.is_finite()
            && self.velocity.is_finite()
            && self.radius >= 0.0
            && self.t_max >= 0.0
    }
}

impl QueryItem for MovingSphere {
    /// Sorting gains at most a tenth: a movement crosses much of the tree.
    const IS_POSITION: bool = false;

    fn is_defined(&self) -> bool {
        MovingSphere::is_defined(self)
    }
}

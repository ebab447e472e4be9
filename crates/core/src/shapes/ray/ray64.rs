//! The ray in `f64`.

use super::{Ray, RayError, RayKind};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// A ray whose origin and direction are in `f64`, for scenes far from the origin: the points
/// `origin + t * dir` with `t_min <= t <= t_max`, both ends included.
///
/// Scenes answer about it what they answer about a [`Ray`] ([`RayQuery`](crate::RayQuery)), exactly for
/// the numbers given. Parameters are in units of `dir`'s length, as those of a [`Ray`]; those of hits are the
/// nearest `f32`s (at triangles in `f64`, `f64`s), so that a bound may lie between one and the
/// exact parameter.
///
/// The fields are public and may hold any value. A ray for which [`Ray64::check`] returns an error hits
/// nothing, in every query.
///
/// In memory a ray is eight `f64`: origin, direction, `t_min`, `t_max`, as those of a [`Ray`].
///
/// ```
/// # mod estoc { pub mod scene { pub use estoc_core::*; } pub use estoc_core::glam; }
/// use estoc::{glam::DVec3, scene::Ray64};
/// let ray = Ray64::new([500_000.25, 5_200_000.75, 900.0], [0.0, 0.0, -1.0]);
/// assert_eq!(ray.at(100.0), DVec3::new(500_000.25, 5_200_000.75, 800.0));
/// assert!(Ray64::new([0.0; 3], [0.0; 3]).check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Ray64 {
    /// The point at `t = 0`.
    pub origin: DVec3,
    /// The direction of the ray, and the unit of `t`.
    pub dir: DVec3,
    /// The least parameter that counts; may be `-inf`.
    pub t_min: f64,
    /// The greatest parameter that counts; may be `+inf`.
    pub t_max: f64,
}

impl Ray64 {
    /// Returns a ray that starts at its origin and has no end: `0 <= t <= +inf`. Nothing is checked.
    #[inline]
    pub fn new(origin: impl Into<DVec3>, dir: impl Into<DVec3>) -> Self {
        Ray64 {
            origin: origin.into(),
            dir: dir.into(),
            t_min: 0.0,
            t_max: f64::INFINITY,
        }
    }

    /// Returns the segment from `a` to `b`: `0 <= t <= 1`, with both ends, or without them by
    /// [`QueryOptions::open_ends`](crate::QueryOptions::open_ends). Undefined as
    /// [`Ray::between`](super::Ray::between) is.
    ///
    /// Each coordinate of the direction is the nearest `f64` to that of `b - a`: the difference itself for
    /// two `f32`s of which neither is more than 2^29 times the other, and for equal ones or 0.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Ray64;
    /// assert_eq!(Ray64::between([0.1, 0.0, 0.0], [0.1, 0.0, 2.5]).dir, [0.0, 0.0, 2.5].into());
    /// ```
    #[must_use]
    pub fn between(a: impl Into<DVec3>, b: impl Into<DVec3>) -> Self {
        let a = a.into();
        Ray64::new(a, b.into() - a).with_interval(0.0, 1.0)
    }

    /// Returns the same ray with another interval.
    #[must_use]
    #[inline]
    pub fn with_interval(self, t_min: f64, t_max: f64) -> Self {
        Ray64 {
            t_min,
            t_max,
            ..self
        }
    }

    /// Returns an error if the ray is undefined, so that it hits nothing.
    ///
    /// # Errors
    /// The same as for [`Ray::check`].
    pub fn check(&self) -> Result<(), Ray64Error> {
        RayError::find(self, (self.origin, self.dir), (self.t_min, self.t_max))
    }

    /// Returns the point `origin + t * dir`, computed in `f64`.
    #[inline]
    pub fn at(&self, t: f32) -> DVec3 {
        self.origin + f64::from(t) * self.dir
    }

    /// Returns the ray with each number rounded to the nearest `f32`, which is another ray: far from the
    /// origin it may miss what this one hits.
    #[inline]
    pub fn to_ray(&self) -> Ray {
        Ray::new(self.origin.as_vec3(), self.dir.as_vec3())
            .with_interval(self.t_min as f32, self.t_max as f32)
    }
}

/// The same ray.
impl From<Ray> for Ray64 {
    fn from(ray: Ray) -> Self {
        let [t_min, t_max] = ray.interval();
        Ray64::new(ray.origin.as_dvec3(), ray.dir.as_dvec3()).with_interval(t_min, t_max)
    }
}

/// The reason why a [`Ray64`] is undefined and hits nothing.
pub type Ray64Error = RayError<DVec3>;

//! The ray.

mod error;
mod ray64;
mod ray_kind;
mod scaled_ray;
mod transform;

pub use error::RayError;
pub use ray_kind::RayKind;
pub use ray64::{Ray64, Ray64Error};
pub use scaled_ray::ScaledRay;

pub(crate) use transform::Line;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// A ray: the points `origin + t * dir` with `t_min <= t <= t_max`, both ends included.
///
/// The direction is used as given and need not have length 1: every `t` that this library takes or
/// returns is in units of `dir`'s length. `t_min` may be negative or `-inf` and `t_max` may be
/// `+inf`.
///
/// The fields are public and may hold any value. A ray for which [`Ray::check`] returns an error
/// hits nothing, in every query. [`Ray::try_new`] returns the error instead of such a ray.
///
/// In memory a ray is eight `f32`: origin, direction, `t_min`, `t_max`. Arrays and files of rows of
/// eight numbers can therefore be used as rays directly (`bytemuck::cast_slice`).
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Ray {
    /// The point at `t = 0`.
    pub origin: Vec3,
    /// The direction of the ray, and the unit of `t`.
    pub dir: Vec3,
    /// The least parameter that counts.
    #[doc(alias = "tnear")]
    pub t_min: f32,
    /// The greatest parameter that counts.
    #[doc(alias = "tfar")]
    pub t_max: f32,
}

// Eight adjacent numbers, as documented.
const _: () = assert!(size_of::<Ray>() == 32 && align_of::<Ray>() == align_of::<f32>());

impl Ray {
    /// Returns a ray that starts at its origin and has no end: `0 <= t <= +inf`.
    ///
    /// Nothing is checked; see [`Ray`] for the meaning of an undefined ray.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Ray;
    /// let ray = Ray::new([0.0, 0.0, -1.0], [0.0, 0.0, 2.0]);
    /// assert_eq!(ray.at(0.5), [0.0, 0.0, 0.0].into());
    /// ```
    #[inline]
    pub fn new(origin: impl Into<Vec3>, dir: impl Into<Vec3>) -> Self {
        Ray {
            origin: origin.into(),
            dir: dir.into(),
            t_min: 0.0,
            t_max: f32::INFINITY,
        }
    }

    /// Returns the segment from `a` to `b`: `0 <= t <= 1`, with both ends, or without them by
    /// [`QueryOptions::open_ends`](crate::QueryOptions::open_ends).
    ///
    /// Each coordinate of the direction is the nearest `f32` to that of `b - a`. So the end is exactly `b`
    /// where the differences are `f32`s, as on a grid, and else near it. [`Ray64::between`] has the exact
    /// differences of most `f32`s; scenes take it, and so does a mesh as a scene of it alone. With `a == b`,
    /// and where a difference overflows or a coordinate is not finite, the segment is undefined and hits
    /// nothing.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, QueryOptions, Ray, RayQuery, Triangle, query::Any};
    /// let floor = BruteForce::new([Triangle::new([0.0; 3], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0])]);
    /// let open = QueryOptions::new().open_ends(true);
    /// // From a point on the floor, and from just above it, to a lamp below.
    /// for (height, is_blocked) in [(0.0, false), (1e-30, true)] {
    ///     let sight = Ray::between([1.0, 1.0, height], [2.0, 3.0, -5.0]);
    ///     assert_eq!(floor.ask_with(Any, &sight, &open)?, is_blocked);
    /// }
    /// # Ok::<(), estoc::QueryError>(())
    /// ```
    #[must_use]
    pub fn between(a: impl Into<Vec3>, b: impl Into<Vec3>) -> Self {
        let a = a.into();
        Ray::new(a, b.into() - a).with_interval(0.0, 1.0)
    }

    /// Returns the same ray with another interval.
    #[must_use]
    #[inline]
    pub fn with_interval(self, t_min: f32, t_max: f32) -> Self {
        Ray {
            t_min,
            t_max,
            ..self
        }
    }

    /// Returns the ray of [`Ray::new`], or the reason why it is undefined.
    ///
    /// # Errors
    /// The same as for [`Ray::check`].
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Ray, shapes::RayError};
    /// assert!(Ray::try_new([0.0; 3], [0.0, 0.0, 1.0]).is_ok());
    /// assert_eq!(Ray::try_new([0.0; 3], [0.0; 3]), Err(RayError::ZeroDirection));
    /// ```
    pub fn try_new(origin: impl Into<Vec3>, dir: impl Into<Vec3>) -> Result<Self, RayError> {
        let ray = Ray::new(origin, dir);
        ray.check()?;
        Ok(ray)
    }

    /// Returns the same ray with another interval, or the reason why it is undefined.
    ///
    /// # Errors
    /// The same as for [`Ray::check`].
    pub fn try_with_interval(self, t_min: f32, t_max: f32) -> Result<Self, RayError> {
        let ray = self.with_interval(t_min, t_max);
        ray.check()?;
        Ok(ray)
    }

    /// Returns an error if the ray is undefined, so that it hits nothing.
    ///
    /// # Errors
    /// - [`RayError::Origin`]: a coordinate of the origin is NaN or infinite.
    /// - [`RayError::Direction`]: a coordinate of the direction is NaN or infinite.
    /// - [`RayError::ZeroDirection`]: the direction has no length.
    /// - [`RayError::Interval`]: a bound is NaN, or `t_min > t_max`.
    pub fn check(&self) -> Result<(), RayError> {
        RayError::find(self, (self.origin, self.dir), (self.t_min, self.t_max))
    }

    /// Returns the ray's numbers: origin, direction, `t_min`, `t_max`.
    #[inline(always)]
    pub fn as_array(&self) -> &[f32; 8] {
        bytemuck::cast_ref(self)
    }

    /// Returns the point `origin + t * dir`, computed in `f32`.
    #[inline]
    pub fn at(&self, t: f32) -> Vec3 {
        self.origin + t * self.dir
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_rays_are_named() {
        let (o, d, inf) = ([0.0; 3], [0.0, 0.0, 1.0], f32::INFINITY);
        assert!(Ray::new(o, d).try_with_interval(-inf, inf).is_ok());
        assert!(Ray::new(o, d).try_with_interval(2.0, 2.0).is_ok());
        assert!(
            Ray::new(o, [0.0, -0.0, 1e-45])
                .try_with_interval(0.0, 0.0)
                .is_ok()
        );
        assert!(matches!(
            Ray::new([f32::NAN, 0.0, 0.0], d).try_with_interval(0.0, 1.0),
            Err(RayError::Origin(_))
        ));
        assert!(matches!(
            Ray::new(o, [0.0, inf, 0.0]).try_with_interval(0.0, 1.0),
            Err(RayError::Direction(_))
        ));
        assert_eq!(
            Ray::new(o, [0.0, -0.0, 0.0]).try_with_interval(0.0, 1.0),
            Err(RayError::ZeroDirection)
        );
        for (t_min, t_max) in [(1.0, 0.0), (f32::NAN, 1.0), (0.0, f32::NAN)] {
            assert!(matches!(
                Ray::new(o, d).try_with_interval(t_min, t_max),
                Err(RayError::Interval { .. })
            ));
        }
    }
}

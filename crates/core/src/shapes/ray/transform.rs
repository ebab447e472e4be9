//! Rays with another unit of `t`, or in another space.

use crate::arithmetic::affine::{AffineInverse, TransformError};
use crate::shapes::Ray;
use glam::{DVec3, Mat4};

impl Ray {
    /// Returns the same points with a direction of length 1, so that `t` is a distance.
    ///
    /// Computed in `f64` and rounded once per number, for directions of any size. Every component
    /// is within half a unit in the last place (plus 2^-50 of its size) of the exact one, so the
    /// direction turns by at most 6e-8 rad and its length is 1 to within 6e-8. The interval is
    /// multiplied by the old length: an infinite bound stays infinite, a zero bound stays 0, and a
    /// finite one is rounded to nearest, to infinity when it exceeds `f32`. An undefined ray
    /// ([`Ray::check`]) is returned unchanged.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Ray;
    /// let ray = Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, -4.0]).with_interval(0.5, f32::INFINITY);
    /// let unit = ray.normalized();
    /// assert_eq!(unit, Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, -1.0]).with_interval(2.0, f32::INFINITY));
    /// ```
    #[must_use]
    pub fn normalized(&self) -> Ray {
        if self.check().is_err() {
            return *self;
        }
        let dir = self.dir.as_dvec3();
        let length = dir.length();
        let scaled = |t: f32| (f64::from(t) * length) as f32;
        Ray {
            origin: self.origin,
            dir: (dir / length).as_vec3(),
            t_min: scaled(self.t_min),
            t_max: scaled(self.t_max),
        }
    }

    /// Returns the ray in the space of an object, given the affine model matrix that maps the
    /// object's space to the ray's. Transforming one ray to an object is cheaper than transforming
    /// the object.
    ///
    /// A hit has the same `t` in both spaces, for any scale: the direction is not normalised and
    /// the interval is unchanged. Use [`Ray::normalized`] on the result where `t` is to be a
    /// distance in the object's space.
    ///
    /// Computed in `f64` and rounded once per number. Let `inverse` be the exact inverse of the
    /// matrix's 3x3 part and `v` the direction, or the vector from the object's origin to the
    /// ray's. Then component `i` is within half a unit in the last place, plus 2^-49 times the sum
    /// over `j` of `|inverse[i][j] * v[j]|`, of the exact one. When the axes are at right angles,
    /// with any scales, that sum is at most the length of `v` over the scale of axis `i`. An
    /// undefined ray is returned unchanged.
    ///
    /// # Errors
    /// - [`TransformError::Entry`]: the matrix is not finite or not affine.
    /// - [`TransformError::Singular`]: it has no inverse, which is decided exactly.
    /// - [`TransformError::OutOfRange`]: a number of the result exceeds `f32`, or its
    ///   direction is so small that `f32` would lose bits of it.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle, glam::{Mat4, Vec3}};
    /// // An object twice as large, 10 away.
    /// let model = Mat4::from_translation(Vec3::new(0.0, 0.0, 10.0)) * Mat4::from_scale(Vec3::splat(2.0));
    /// let object = BruteForce::new(vec![Triangle::new([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    /// let hit = object.closest_hit(&ray.to_local(&model)?).unwrap();
    /// assert_eq!(hit.t, 10.0); // as in the ray's own space
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_local(&self, model: &Mat4) -> Result<Ray, TransformError> {
        let inverse = AffineInverse::try_new(model)?;
        if self.check().is_err() {
            return Ok(*self);
        }
        let line = Line {
            origin: self.origin.as_dvec3(),
            dir: self.dir.as_dvec3(),
        };
        let local = line.to_local(&inverse).try_rounded()?;
        Ok(local.with_interval(self.t_min, self.t_max))
    }
}

/// A ray before its numbers are rounded to `f32`.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub(crate) origin: DVec3,
    pub(crate) dir: DVec3,
}

impl Line {
    pub(crate) fn to_local(self, inverse: &AffineInverse) -> Line {
        Line {
            origin: inverse.point(self.origin),
            dir: inverse.vector(self.dir),
        }
    }

    pub(crate) fn normalized(self) -> Line {
        Line {
            dir: self.dir / self.dir.length(),
            ..self
        }
    }

    /// Rounds each number to the nearest `f32`; the ray is undefined when one does not fit.
    pub(crate) fn rounded(self) -> Ray {
        Ray::new(self.origin.as_vec3(), self.dir.as_vec3())
    }

    /// Does the same, but returns an error when `f32` cannot hold a ray that is defined in `f64`.
    pub(crate) fn try_rounded(self) -> Result<Ray, TransformError> {
        let ray = self.rounded();
        // A NaN in the input, say from a pixel, is not a matter of range.
        let came_undefined = self.origin.is_nan() || self.dir.is_nan();
        // A subnormal direction that is not exact has lost bits.
        let faint =
            ray.dir.abs().max_element() < f32::MIN_POSITIVE && ray.dir.as_dvec3() != self.dir;
        if !came_undefined && (faint || ray.check().is_err()) {
            return Err(TransformError::OutOfRange {
                origin: self.origin,
                dir: self.dir,
            });
        }
        Ok(ray)
    }
}

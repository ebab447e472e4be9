//! The sphere.
//!
//! [`Sphere::chord`], [`Sphere::enter_solid`] and [`Sphere::enter_surface`] test rays;
//! [`Sphere::point_outside`] returns origins for rays that leave; [`Sphere::bounding`] encloses
//! points.

mod bounding;
mod chord;
mod outside;
mod roots;
mod smallest;

use crate::arithmetic::{Bounded, Dyadic, exact_dot, exact_minus, minus, unit, widen};
use crate::shapes::coordinates::Coordinates;
use glam::Vec3;

/// A ball: all points not farther from the centre than the radius. Its surface is the sphere.
///
/// The radius may be 0, for a point. All decisions (hit or miss, tangent, inside or outside, the
/// order of parameters) are those of exact arithmetic on the numbers given, for distant centres,
/// tiny radii and huge ones alike.
///
/// # Accuracy
/// With `a = d.d`, `b = d.v`, `c = v.v - r^2`, `v = center - origin`, the sign of `b^2 - a c`
/// decides between hit, tangent (entry = exit) and miss, and a number is compared with a root by
/// the sign of the polynomial at that number.
///
/// - [`chord`](Sphere::chord): both roots are the `f32` nearest to the exact ones, at any distance
///   and radius.
/// - [`contains`](Sphere::contains) is exact, [`normal_at`](Sphere::normal_at) nearest.
/// - A ray from [`point_outside`](Sphere::point_outside) that does not head inward misses.
/// - [`bounding`](Sphere::bounding): every point is inside, exactly. The radius is the least `f32`
///   for its centre, and at most `R (1 + 2^-22) + e` rounded up: R is that of the smallest sphere,
///   e the distance by which rounding to `f32` moves the centre. Repeated, collinear and
///   cospherical points are allowed. Without points there is no sphere.
///
/// Negative radii are an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    center: Vec3,
    radius: f32,
}

impl Sphere {
    /// Returns the sphere with this centre and radius. A radius of -0 is 0.
    ///
    /// # Errors
    /// [`SphereError`] when a number is NaN or infinite, or the radius is negative.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Sphere, shapes::SphereError};
    /// assert!(Sphere::try_new([1.0, 2.0, 3.0], 0.0).is_ok());
    /// assert_eq!(Sphere::try_new([0.0; 3], -1.0), Err(SphereError::NegativeRadius(-1.0)));
    /// ```
    pub fn try_new(center: impl Into<Vec3>, radius: f32) -> Result<Self, SphereError> {
        let center = center.into();
        if !center.is_finite() {
            Err(SphereError::Center(center))
        } else if !radius.is_finite() {
            Err(SphereError::Radius(radius))
        } else if radius < 0.0 {
            Err(SphereError::NegativeRadius(radius))
        } else {
            let radius = radius + 0.0; // turns -0 into +0
            Ok(Sphere { center, radius })
        }
    }

    /// Returns the centre.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Returns the radius: finite, not negative, never -0.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns whether the point is in the ball or on its surface, decided exactly; `false` for a
    /// point that is not finite.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Sphere;
    /// let sphere = Sphere::try_new([1e6, 0.0, 0.0], 5.0).unwrap();
    /// assert!(sphere.contains([1e6, 3.0, 4.0]));
    /// assert!(!sphere.contains([1e6, 3.0, 4.000_000_5]));
    /// ```
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let radius = f64::from(self.radius);
        let [x, y, z] = minus(widen(point), widen(self.center));
        let (square, reach) = (x * x + y * y + z * z, radius * radius);
        // Each component of the difference is rounded once, so the sum of squares is within
        // 5v of the true one (v = 2^-53); the square of the radius is exact.
        let error = square * (4.0 * f64::EPSILON);
        if square + error < reach {
            true
        } else if square - error > reach || !point.is_finite() {
            false
        } else {
            let from_center = exact_minus(widen(point), widen(self.center));
            let reach = Dyadic::from_f64(reach);
            exact_dot(&from_center, &from_center).sub(&reach).sign() <= 0
        }
    }

    /// Returns the outward unit normal in the direction of a point: `(point - center)`, scaled to
    /// length 1, each coordinate the nearest `f32`.
    ///
    /// The point need not lie on the surface. `None` at the centre itself, and for a point that is
    /// not finite.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Sphere;
    /// let sphere = Sphere::try_new([0.0; 3], 5.0).unwrap();
    /// assert_eq!(sphere.normal_at([3.0, 0.0, 4.0]), Some([0.6, 0.0, 0.8].into()));
    /// assert_eq!(sphere.normal_at([0.0; 3]), None);
    /// ```
    pub fn normal_at(&self, point: impl Into<Vec3>) -> Option<Vec3> {
        let point = point.into();
        if !point.is_finite() || point == self.center {
            return None;
        }
        let (point, center) = (widen(point), widen(self.center));
        let away = minus(point, center).map(Bounded::rounded);
        Some(unit(away, || exact_minus(point, center)))
    }
}

/// The reason why a centre and a radius do not define a sphere.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SphereError {
    /// A coordinate of the centre is NaN or infinite.
    #[error("the sphere's centre {} must be finite", Coordinates(*.0))]
    Center(Vec3),
    /// The radius is NaN or infinite.
    #[error("the sphere's radius {0} must be finite")]
    Radius(f32),
    /// The radius is negative.
    #[error("the sphere's radius {0} must not be negative: pass its absolute value")]
    NegativeRadius(f32),
}

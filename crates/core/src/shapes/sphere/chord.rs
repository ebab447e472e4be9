//! The exact ray tests of a sphere.

use super::Sphere;
use super::roots::SphereRoots;
use crate::shapes::{Ray, Span, span::ExactSpan};

impl Sphere {
    /// Returns where the ray's line enters and leaves the closed ball, if they meet in the ray's
    /// interval; decided as in exact arithmetic. `None` when the line misses the ball, and when the
    /// ray ends before the ball or starts behind it. Undefined rays miss
    /// ([`Ray::check`](crate::Ray::check)).
    ///
    /// The direction may have any length.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Ray, Sphere, shapes::Span};
    /// let unit = Sphere::try_new([0.0; 3], 1.0).unwrap();
    /// let inside = Ray::new([0.0; 3], [0.0, 2.0, 0.0]);
    /// assert_eq!(unit.chord(&inside), Some(Span { entry: -0.5, exit: 0.5 }));
    /// let tangent = Ray::new([1.0, -3.0, 0.0], [0.0, 2.0, 0.0]);
    /// assert_eq!(unit.chord(&tangent), Some(Span { entry: 1.5, exit: 1.5 }));
    /// ```
    #[inline]
    pub fn chord(&self, ray: &Ray) -> Option<Span> {
        self.meet(ray).map(|roots| roots.rounded())
    }

    /// Returns the first parameter in the ray's interval at which it is in the closed ball: where
    /// it enters, or `t_min` when it starts inside. From inside a ray with `t_min` 0 that is 0.
    #[inline]
    pub fn enter_solid(&self, ray: &Ray) -> Option<f32> {
        self.meet(ray).map(|roots| roots.enter_solid(ray))
    }

    /// Returns the first parameter in the ray's interval at which it is on the surface: where it
    /// enters, or where it leaves when it starts inside. This is the usual rule of the least root
    /// in the interval.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Ray, Sphere};
    /// let unit = Sphere::try_new([0.0; 3], 1.0).unwrap();
    /// let inside = Ray::new([0.5, 0.0, 0.0], [1.0, 0.0, 0.0]);
    /// assert_eq!(unit.enter_solid(&inside), Some(0.0));
    /// assert_eq!(unit.enter_surface(&inside), Some(0.5));
    /// ```
    #[inline]
    pub fn enter_surface(&self, ray: &Ray) -> Option<f32> {
        self.meet(ray)?.enter_surface(ray)
    }

    /// Returns the roots of the ray's line, if they and its interval have a parameter in common.
    #[inline]
    fn meet<'a>(&'a self, ray: &'a Ray) -> Option<SphereRoots<'a>> {
        // The rest of the ray is checked in `SphereRoots`, and only when necessary.
        if ray.t_min <= ray.t_max {
            SphereRoots::new(self, ray).filter(|roots| roots.overlaps(ray))
        } else {
            None
        }
    }
}

//! Ray against sphere, exactly.

use super::Sphere;
use super::roots::Roots;
use crate::span::ExactSpan;
use crate::{Ray, Span};

impl Sphere {
    /// Where the ray meets the closed ball, if its interval does: both decided as in exact
    /// arithmetic. `None` when it passes by, and when it ends before or starts behind the
    /// ball. Undefined rays miss ([`Ray::check`](crate::Ray::check)).
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

    /// The first parameter in the ray's interval at which it is in the closed ball: where it
    /// enters, or `t_min` when it starts inside. From inside a ray with `t_min` 0 that is 0.
    #[inline]
    pub fn enter_solid(&self, ray: &Ray) -> Option<f32> {
        self.meet(ray).map(|roots| roots.enter_solid(ray))
    }

    /// The first parameter in the ray's interval at which it is on the surface: where it
    /// enters, or where it leaves when it starts inside. The classic rule of the lesser root
    /// that counts.
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

    /// The roots of the ray's line, if they and its interval have a parameter in common.
    #[inline]
    fn meet<'a>(&'a self, ray: &'a Ray) -> Option<Roots<'a>> {
        // Roots check the rest of the ray, and only when they need to.
        if ray.t_min <= ray.t_max {
            Roots::new(self, ray).filter(|roots| roots.overlaps(ray))
        } else {
            None
        }
    }
}

//! Ray against sphere, exactly.

use super::Sphere;
use super::roots::{End, Roots};
use crate::Ray;
use core::cmp::Ordering;

/// Where the ray's line enters and leaves a ball, to the nearest `f32`, ties to even, in
/// units of the direction's length.
///
/// `entry` is negative when the line enters behind the origin, as it does from inside; it is
/// not clamped to the ray's interval. A tangent enters and leaves in one point. Overflow is
/// infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chord {
    /// Parameter of the point where the line enters.
    pub entry: f32,
    /// Parameter of the point where the line leaves.
    pub exit: f32,
}

impl Sphere {
    /// Where the ray meets the closed ball, if its interval does: both decided as in exact
    /// arithmetic. `None` when it passes by, and when it ends before or starts behind the
    /// ball. Undefined rays miss ([`Ray::check`](crate::Ray::check)).
    ///
    /// The direction may have any length.
    ///
    /// ```
    /// use estoc_core::{Chord, Ray, Sphere};
    /// let unit = Sphere::try_new([0.0; 3], 1.0).unwrap();
    /// let inside = Ray::new([0.0; 3], [0.0, 2.0, 0.0]);
    /// assert_eq!(unit.chord(&inside), Some(Chord { entry: -0.5, exit: 0.5 }));
    /// let tangent = Ray::new([1.0, -3.0, 0.0], [0.0, 2.0, 0.0]);
    /// assert_eq!(unit.chord(&tangent), Some(Chord { entry: 1.5, exit: 1.5 }));
    /// ```
    #[inline]
    pub fn chord(&self, ray: &Ray) -> Option<Chord> {
        let roots = self.meet(ray)?;
        Some(Chord {
            entry: roots.to_f32(End::Entry),
            exit: roots.to_f32(End::Exit),
        })
    }

    /// The first parameter in the ray's interval at which it is in the closed ball: where it
    /// enters, or `t_min` when it starts inside. From inside a ray with `t_min` 0 that is 0.
    #[inline]
    pub fn enter_solid(&self, ray: &Ray) -> Option<f32> {
        let roots = self.meet(ray)?;
        match roots.cmp(End::Entry, ray.t_min.into()) {
            Ordering::Less => Some(ray.t_min + 0.0), // turns -0 into +0
            _ => Some(roots.to_f32(End::Entry)),
        }
    }

    /// The first parameter in the ray's interval at which it is on the surface: where it
    /// enters, or where it leaves when it starts inside. The classic rule of the lesser root
    /// that counts.
    ///
    /// ```
    /// use estoc_core::{Ray, Sphere};
    /// let unit = Sphere::try_new([0.0; 3], 1.0).unwrap();
    /// let inside = Ray::new([0.5, 0.0, 0.0], [1.0, 0.0, 0.0]);
    /// assert_eq!(unit.enter_solid(&inside), Some(0.0));
    /// assert_eq!(unit.enter_surface(&inside), Some(0.5));
    /// ```
    #[inline]
    pub fn enter_surface(&self, ray: &Ray) -> Option<f32> {
        let roots = self.meet(ray)?;
        if roots.cmp(End::Entry, ray.t_min.into()) != Ordering::Less {
            Some(roots.to_f32(End::Entry))
        } else if roots.cmp(End::Exit, ray.t_max.into()) != Ordering::Greater {
            Some(roots.to_f32(End::Exit))
        } else {
            None // the interval ends inside
        }
    }

    /// The roots of the ray's line, if they and its interval have a parameter in common.
    #[inline]
    fn meet<'a>(&'a self, ray: &'a Ray) -> Option<Roots<'a>> {
        // An interval at infinity holds no parameter.
        let holds_some =
            ray.t_min <= ray.t_max && ray.t_min < f32::INFINITY && ray.t_max > f32::NEG_INFINITY;
        if !holds_some {
            return None;
        }
        let roots = Roots::new(self, ray)?;
        let meets = roots.cmp(End::Entry, ray.t_max.into()) != Ordering::Greater
            && roots.cmp(End::Exit, ray.t_min.into()) != Ordering::Less;
        meets.then_some(roots)
    }
}

//! The exact ray test of a plane.

use super::Plane;
use crate::arithmetic::{Ratio, quotient, round, widen};
use crate::shapes::{Ray, Side};
use core::cell::LazyCell;
use core::cmp::Ordering;

/// The point at which a ray crosses a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneHit {
    /// The parameter along the ray, in units of the direction's length: the nearest `f32` to the
    /// exact one, ties to even; zero is +0. Infinite on overflow, which is still a hit.
    pub t: f32,
    /// The side that the ray comes from: `Front` when it runs against the normal.
    pub side: Side,
}

/// All cases of a ray and a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaneMeet {
    /// The ray crosses the plane within its interval.
    Hit(PlaneHit),
    /// The ray's line crosses the plane, but not within the ray's interval.
    Beyond,
    /// The ray is parallel to the plane and not in it.
    Parallel,
    /// The ray lies in the plane.
    Contained,
    /// The ray is undefined ([`Ray::check`]).
    Undefined,
}

impl Plane {
    /// Returns where the ray crosses the plane, from either side, decided as in exact arithmetic.
    ///
    /// A parallel ray does not hit, even when it lies in the plane ([`Plane::meet`] tells them
    /// apart); a nearly parallel one does, however far away. Undefined rays miss.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Plane, Ray, Side, shapes::PlaneHit};
    /// let floor = Plane::through([0.0, 1.0, 0.0], [0.0, 5.0, 0.0]).unwrap();
    /// let ray = Ray::new([7.0, 4.0, 7.0], [1.0, -2.0, 0.0]);
    /// assert_eq!(floor.hit(&ray), Some(PlaneHit { t: 1.5, side: Side::Front }));
    /// ```
    pub fn hit(&self, ray: &Ray) -> Option<PlaneHit> {
        match self.meet(ray) {
            PlaneMeet::Hit(hit) => Some(hit),
            _ => None,
        }
    }

    /// Does the same, but returns the reason when there is no hit.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Plane, Ray, shapes::PlaneMeet};
    /// let floor = Plane::from_offset([0.0, 1.0, 0.0], 0.0).unwrap();
    /// let along = |height| floor.meet(&Ray::new([0.0, height, 0.0], [1.0, 0.0, 0.0]));
    /// assert_eq!(along(1e-45), PlaneMeet::Parallel);
    /// assert_eq!(along(0.0), PlaneMeet::Contained);
    /// ```
    pub fn meet(&self, ray: &Ray) -> PlaneMeet {
        if ray.check().is_err() {
            return PlaneMeet::Undefined;
        }
        let (origin, dir) = (widen(ray.origin), widen(ray.dir));
        let (height, slope) = (self.height(origin), self.slope(dir));
        let way = slope.sign().unwrap_or_else(|| self.exact_slope(dir).sign());
        if way == 0 {
            let above = height
                .sign()
                .unwrap_or_else(|| self.exact_height(origin).sign());
            return if above == 0 {
                PlaneMeet::Contained
            } else {
                PlaneMeet::Parallel
            };
        }
        let (low, high) = quotient(height.negated(), slope);
        let exact =
            LazyCell::new(|| Ratio::new(self.exact_height(origin).neg(), self.exact_slope(dir)));
        let (t_min, t_max) = (f64::from(ray.t_min), f64::from(ray.t_max));
        let started = low >= t_min || (high >= t_min && exact.cmp_f64(t_min) != Ordering::Less);
        let ended = high > t_max && (low > t_max || exact.cmp_f64(t_max) == Ordering::Greater);
        // An interval at infinity contains no parameter.
        if !started || ended || t_min == f64::INFINITY || t_max == f64::NEG_INFINITY {
            return PlaneMeet::Beyond;
        }
        PlaneMeet::Hit(PlaneHit {
            t: round((low, high)).unwrap_or_else(|| exact.to_f32()),
            side: Side::facing(way < 0),
        })
    }
}

//! Moving spheres and planes.

use super::Plane;
use super::sphere_position::{Standing, size};
use crate::arithmetic::{Bounded, Surd, V3, quotient, round, widen};
use crate::shapes::Sphere;
use core::cmp::Ordering;
use glam::Vec3;

/// The result of moving a sphere relative to a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SphereSweep {
    /// The ball touches or intersects the plane at the start.
    Touching,
    /// The first contact is within the time allowed.
    Contact {
        /// The time of contact: the nearest `f32` to the exact time, ties to even, in units of the
        /// direction's length. Overflow is infinite.
        t: f32,
        /// The point of the plane that is touched: `center + t dir - radius n`, with n the unit
        /// normal on the sphere's side and the unrounded t. Each coordinate is within half a unit
        /// in the last place, plus `2^-42 (|center| + t |dir| + radius)`, of the exact one.
        point: Vec3,
    },
    /// It would touch the plane, but only after the time allowed.
    TooFar,
    /// It moves away from the plane.
    MovingAway,
    /// Its distance is constant: it moves along the plane, or not at all.
    Parallel,
    /// The direction is not finite, or the time allowed is NaN or negative.
    Undefined,
}

/// A sphere that approaches a plane.
struct Approach<'a> {
    plane: &'a Plane,
    sphere: &'a Sphere,
    dir: V3,
    standing: Standing,
    /// The decrease of the gap per unit of time.
    speed: Bounded,
}

impl Plane {
    /// Returns when and where a sphere that moves by `t dir` first touches the plane,
    /// `0 <= t <= t_max`; `t_max` may be infinite. Decided as in exact arithmetic, for normals and
    /// directions of any length.
    ///
    /// The sphere may come from either side. The point of contact on the sphere is always
    /// `center - radius n`, so this is the ray test of that point and the plane.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Plane, Sphere, shapes::SphereSweep};
    /// let floor = Plane::from_offset([0.0, 1.0, 0.0], 0.0).unwrap();
    /// let ball = Sphere::try_new([0.0, 5.0, 0.0], 1.0).unwrap();
    /// let contact = SphereSweep::Contact { t: 2.0, point: [6.0, 0.0, 0.0].into() };
    /// assert_eq!(floor.sweep(&ball, [3.0, -2.0, 0.0], 2.0), contact);
    /// assert_eq!(floor.sweep(&ball, [3.0, -2.0, 0.0], 1.9), SphereSweep::TooFar);
    /// ```
    pub fn sweep(&self, sphere: &Sphere, dir: impl Into<Vec3>, t_max: f32) -> SphereSweep {
        let dir = dir.into();
        if !dir.is_finite() || t_max.is_nan() || t_max < 0.0 {
            return SphereSweep::Undefined;
        }
        let standing = self.standing(sphere);
        if standing.order != Ordering::Greater {
            return SphereSweep::Touching;
        }
        let dir = widen(dir);
        let slope = self.slope(dir);
        let way = slope.sign().unwrap_or_else(|| self.exact_slope(dir).sign());
        if way == 0 {
            return SphereSweep::Parallel;
        } else if way == standing.side {
            return SphereSweep::MovingAway;
        }
        let speed = Bounded {
            value: slope.value.abs(),
            ..slope
        };
        let approach = Approach {
            plane: self,
            sphere,
            dir,
            standing,
            speed,
        };
        approach.contact(t_max)
    }
}

impl Approach<'_> {
    fn contact(&self, t_max: f32) -> SphereSweep {
        let (low, high) = quotient(self.standing.gap, self.speed);
        let limit = f64::from(t_max);
        if low > limit || (high > limit && self.exact_time().cmp_f64(limit) == Ordering::Greater) {
            return SphereSweep::TooFar;
        }
        // The point is not decided exactly: 2^-44 leaves room for its own roundings. Where the
        // speed cancels, the range is the whole line, which is not narrow: infinity is not below
        // itself.
        let narrow = high - low < low.abs() * (256.0 * f64::EPSILON);
        let time = if narrow {
            low + (high - low) / 2.0
        } else {
            self.exact_time().estimate()
        };
        let t = round((low, high)).unwrap_or_else(|| self.exact_time().to_f32());
        SphereSweep::Contact {
            t,
            point: self.point(time),
        }
    }

    /// Returns the time of contact, `(|height| - reach) / speed`, where the reach is a root.
    #[cold]
    fn exact_time(&self) -> Surd {
        Surd::lesser(
            size(self.plane.exact_height(widen(self.sphere.center()))),
            self.plane.exact_reach(self.sphere),
            size(self.plane.exact_slope(self.dir)),
        )
    }

    fn point(&self, time: f64) -> Vec3 {
        let (center, normal) = (widen(self.sphere.center()), widen(self.plane.normal()));
        let inward = f64::from(self.standing.side) * f64::from(self.sphere.radius())
            / self.plane.length().value;
        let at = |i: usize| center[i] + time * self.dir[i] - inward * normal[i];
        Vec3::from_array(core::array::from_fn(|i| at(i) as f32))
    }
}

//! The kinds of rays.

use super::{Ray, Ray64};
use crate::arithmetic::widen;
use crate::shapes::QueryItem;
use glam::{DVec3, Vec3};

/// A kind of ray: [`Ray`] or [`Ray64`]. Questions about rays are the same for both.
pub trait RayKind: QueryItem {
    /// Returns the origin's coordinates.
    fn wide_origin(&self) -> [f64; 3];

    /// Returns the direction's coordinates.
    fn wide_dir(&self) -> [f64; 3];

    /// Returns the least and the greatest parameter that count.
    fn interval(&self) -> [f64; 2];

    /// Returns the ray at its least and at its greatest parameter alone.
    fn ends(&self) -> [Self; 2];
}

impl RayKind for Ray {
    #[inline(always)]
    fn wide_origin(&self) -> [f64; 3] {
        widen(self.origin)
    }

    #[inline(always)]
    fn wide_dir(&self) -> [f64; 3] {
        widen(self.dir)
    }

    #[inline(always)]
    fn interval(&self) -> [f64; 2] {
        [self.t_min.into(), self.t_max.into()]
    }

    fn ends(&self) -> [Self; 2] {
        [self.t_min, self.t_max].map(|t| self.with_interval(t, t))
    }
}

impl QueryItem for Ray {
    const IS_TRACED_TOGETHER: bool = true;

    /// The same condition as in [`Ray::check`], which also returns the reason.
    #[inline(always)]
    fn is_defined(&self) -> bool {
        let magnitude = |x: f32| x.to_bits() & !(1 << 31);
        let all = |v: Vec3| [magnitude(v.x), magnitude(v.y), magnitude(v.z)];
        let ([ox, oy, oz], [dx, dy, dz]) = (all(self.origin), all(self.dir));
        let largest = ox.max(oy).max(oz).max(dx.max(dy).max(dz));
        largest < f32::INFINITY.to_bits() && dx | dy | dz != 0 && self.t_min <= self.t_max
    }
}

impl RayKind for Ray64 {
    #[inline(always)]
    fn wide_origin(&self) -> [f64; 3] {
        self.origin.to_array()
    }

    #[inline(always)]
    fn wide_dir(&self) -> [f64; 3] {
        self.dir.to_array()
    }

    #[inline(always)]
    fn interval(&self) -> [f64; 2] {
        [self.t_min, self.t_max]
    }

    fn ends(&self) -> [Self; 2] {
        [self.t_min, self.t_max].map(|t| self.with_interval(t, t))
    }
}

impl QueryItem for Ray64 {
    /// The same condition as in [`Ray64::check`], which also returns the reason.
    #[inline(always)]
    fn is_defined(&self) -> bool {
        let magnitude = |x: f64| x.to_bits() & !(1 << 63);
        let all = |v: DVec3| [magnitude(v.x), magnitude(v.y), magnitude(v.z)];
        let ([ox, oy, oz], [dx, dy, dz]) = (all(self.origin), all(self.dir));
        let largest = ox.max(oy).max(oz).max(dx.max(dy).max(dz));
        largest < f64::INFINITY.to_bits() && dx | dy | dz != 0 && self.t_min <= self.t_max
    }
}

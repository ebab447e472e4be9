//! The intersection of a ray and a box, in rationals.

use super::decimal::{self, nearest};
use super::is_defined;
use estoc_core::{Aabb, Ray};
use num_rational::BigRational;

/// The section of a ray's line in a closed box, if the ray's interval overlaps it.
pub struct ExactSlab {
    entry: BigRational,
    exit: BigRational,
    ray: Ray,
}

impl ExactSlab {
    /// Returns `None` if no finite parameter in the ray's interval lies in the closed box, the box
    /// is empty, or the ray is undefined.
    pub fn new(bounds: &Aabb, ray: &Ray) -> Option<Self> {
        if !is_defined(ray) || bounds.is_empty() {
            return None;
        }
        let (mut entries, mut exits) = (Vec::new(), Vec::new());
        for axis in 0..3 {
            let [origin, dir] = [ray.origin[axis], ray.dir[axis]].map(rational);
            let [min, max] = [bounds.min()[axis], bounds.max()[axis]].map(rational);
            if ray.dir[axis] == 0.0 {
                if origin < min || max < origin {
                    return None;
                }
                continue;
            }
            let first = (min - &origin) / &dir;
            let second = (max - &origin) / &dir;
            entries.push(first.clone().min(second.clone()));
            exits.push(first.max(second));
        }
        let entry = entries.into_iter().max()?;
        let exit = exits.into_iter().min()?;
        let starts_before_end = match ray.t_min {
            f32::NEG_INFINITY => true,
            f32::INFINITY => false,
            t_min => rational(t_min) <= exit,
        };
        let ends_after_start = match ray.t_max {
            f32::NEG_INFINITY => false,
            f32::INFINITY => true,
            t_max => entry <= rational(t_max),
        };
        (entry <= exit && starts_before_end && ends_after_start).then_some(ExactSlab {
            entry,
            exit,
            ray: *ray,
        })
    }

    /// Returns the parameter at which the line enters, rounded to the nearest `f32`.
    pub fn entry(&self) -> f32 {
        nearest(&self.entry)
    }

    /// Returns the parameter at which the line leaves, rounded to the nearest `f32`.
    pub fn exit(&self) -> f32 {
        nearest(&self.exit)
    }

    /// Returns the first parameter of the interval in the box; zero is +0, as in every answer.
    pub fn enter_solid(&self) -> f32 {
        if self.starts_inside() {
            self.ray.t_min + 0.0 // a zero t is +0
        } else {
            self.entry()
        }
    }

    /// Returns the first of the line's two intersections with the box's surface in the interval.
    pub fn enter_surface(&self) -> Option<f32> {
        if !self.starts_inside() {
            Some(self.entry())
        } else if self.ray.t_max == f32::INFINITY || self.exit <= rational(self.ray.t_max) {
            Some(self.exit())
        } else {
            None
        }
    }

    fn starts_inside(&self) -> bool {
        self.ray.t_min != f32::NEG_INFINITY && self.entry < rational(self.ray.t_min)
    }
}

fn rational(x: f32) -> BigRational {
    decimal::rational(x.into())
}

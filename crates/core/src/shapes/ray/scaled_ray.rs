//! Rays whose directions are too long or too short for kernels, scaled by powers of two.
//!
//! With another length of the direction the line and what it meets are the same, and parameters are
//! divided by the factor. All numbers of the scaled ray are exact, else there is none; so whatever
//! exact arithmetic decides about it holds for the ray.

use super::Ray;
use crate::arithmetic::InlineMap;

/// A ray with a direction whose longest coordinate lies from 1 up to 2.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ScaledRay {
    pub ray: Ray,
    /// What a parameter of the scaled ray is multiplied by to get that of the given ray: a power of
    /// two.
    factor: f32,
}

impl ScaledRay {
    /// Returns the scaled ray if the longest coordinate of the direction is more than `spread`, which is
    /// at least 2, or less than its inverse, and if scaling is exact.
    pub fn of(ray: &Ray, spread: f32) -> Option<Self> {
        debug_assert!(spread >= 2.0, "else a scaled ray would be scaled again");
        let longest = ray.dir.abs().max_element();
        let is_usual = (1.0 / spread..=spread).contains(&longest);
        let is_normal = longest.is_normal() && longest < 1.0 / f32::MIN_POSITIVE;
        if is_usual || !is_normal {
            return None;
        }
        // Without its digits: a power of two, whose inverse is normal, too.
        let length = f32::from_bits(longest.to_bits() & f32::INFINITY.to_bits());
        let factor = 1.0 / length;
        let scale = |number: f32, by: f32, back: f32| {
            let scaled = number * by;
            (scaled * back == number).then_some(scaled)
        };
        let [x, y, z] = ray.dir.to_array().inline_map(|x| scale(x, factor, length));
        let [t_min, t_max] = [ray.t_min, ray.t_max].inline_map(|t| scale(t, length, factor));
        Some(ScaledRay {
            ray: Ray::new(ray.origin, [x?, y?, z?]).with_interval(t_min?, t_max?),
            factor,
        })
    }

    /// Returns the parameter of a hit on the given ray from that on the scaled ray, both rounded once;
    /// `None` if one of them may have lost digits: it is 0, infinite, or no larger than the least
    /// normal number, which less precise numbers below are rounded to. What is rounded to 0 stays so where
    /// it becomes smaller, and to infinity where larger.
    pub fn own_parameter(&self, t: f32) -> Option<f32> {
        let own = t * self.factor;
        let stays = t == 0.0 && self.factor <= 1.0 || t.is_infinite() && self.factor >= 1.0;
        let is_precise = |t: f32| t.is_finite() && t.abs() > f32::MIN_POSITIVE;
        (stays || is_precise(t) && is_precise(own)).then_some(own)
    }
}

//! The units of the kernel: powers of two, so that nothing is rounded.

use crate::gpu_engine::RayWords;
use estoc_bvh::Bvh;
use estoc_core::{QueryItem, Ray};

/// The greatest coordinate of an origin that the kernel takes.
const FARTHEST: f32 = 1024.0;
/// Every parameter of a hit is less; those beyond do not change an answer, and are replaced by it.
const LONGEST: f32 = 4096.0;

/// By which powers of two the coordinates of a mesh are multiplied: none is above 1 then, and one is above 1/2.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    exponent: i32,
    /// The corners of the box around all triangles, in the kernel's units.
    pub(crate) bounds: [[f32; 3]; 2],
}

/// The number of words of the kernel's parameters.
pub const PARAM_WORDS: usize = 12;

impl Frame {
    pub(crate) fn of(bvh: &Bvh) -> Self {
        let bounds = bvh.bounds();
        let greatest = match bvh.triangle_count() {
            0 => 0.0,
            _ => bounds.min().abs().max(bounds.max().abs()).max_element(),
        };
        Frame {
            exponent: -exponent_above(greatest),
            bounds: [[0.0; 3]; 2],
        }
    }

    /// Returns the parameters of the kernel for some rays, with `answer_words` words for each answer, and triangles in
    /// buffers of two to the `part`.
    pub fn params(&self, rays: &RayWords, answer_words: usize, part: u32) -> [u32; PARAM_WORDS] {
        let [[x, y, z], [to_x, to_y, to_z]] = self.bounds.map(|p| p.map(f32::to_bits));
        let (count, ray_words) = (rays.rays() as u32, rays.ray_words as u32);
        [
            x,
            y,
            z,
            count,
            to_x,
            to_y,
            to_z,
            rays.wanted as u32,
            ray_words,
            answer_words as u32,
            part,
            0,
        ]
    }

    /// Returns a number of the mesh in the kernel's units; where that is too small for an `f32`, the nearest one.
    pub(crate) fn scaled(self, x: f64) -> f32 {
        (x * power_of_two(self.exponent)) as f32
    }

    /// Returns the numbers of a ray in the kernel's units. One that does not fit has the direction zero, by which the
    /// kernel knows it.
    #[inline]
    pub(crate) fn ray(self, ray: &Ray) -> [f32; 8] {
        let none = [0.0; 8];
        let greatest = ray.dir.abs().max_element();
        if !ray.is_defined() {
            return none;
        }
        let stretch = 1 - exponent_above(greatest);
        let (scale, stretch_by) = (power_of_two(self.exponent), power_of_two(stretch));
        let origin = ray.origin.to_array().map(|x| (f64::from(x) * scale) as f32);
        let dir = ray
            .dir
            .to_array()
            .map(|x| (f64::from(x) * stretch_by) as f32);
        // As many units of the kernel's direction as `t` units of the ray's.
        let per_t = power_of_two(self.exponent - stretch);
        let end =
            |t: f32| (f64::from(t) * per_t).clamp(-f64::from(LONGEST), f64::from(LONGEST)) as f32;
        let [x, y, z] = origin;
        if !(x.abs() <= FARTHEST && y.abs() <= FARTHEST && z.abs() <= FARTHEST) {
            return none;
        }
        let [dx, dy, dz] = dir;
        [x, y, z, dx, dy, dz, end(ray.t_min), end(ray.t_max)]
    }
}

/// Returns the least e so that the number is at most 2^e; 0 for zero.
fn exponent_above(x: f32) -> i32 {
    let bits = f64::from(x).to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    match bits << 12 {
        _ if x == 0.0 => 0,
        0 => exponent,
        _ => exponent + 1,
    }
}

/// Returns 2^e, which is a normal `f64` for differences of exponents of `f32`s.
fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_exact() {
        for e in -500..500 {
            assert_eq!(power_of_two(e), 2f64.powi(e));
        }
        let cases = [
            (1.0, 0),
            (1.5, 1),
            (2.0, 1),
            (0.75, 0),
            (f32::MAX, 128),
            (1e-45, -149),
            (0.0, 0),
        ];
        for (x, exponent) in cases {
            assert_eq!(exponent_above(x), exponent, "{x}");
        }
    }

    #[test]
    fn rays_are_scaled_exactly_or_left_out() {
        let frame = Frame {
            exponent: -3,
            bounds: [[0.0; 3]; 2],
        };
        let ray = Ray::new([8.0, -4.0, 0.0], [0.0, 0.25, -0.125]).with_interval(1.0, f32::INFINITY);
        // 2^3 times the direction; a unit of t is 2^-3 2^-3 units.
        assert_eq!(
            frame.ray(&ray),
            [1.0, -0.5, 0.0, 0.0, 2.0, -1.0, 1.0 / 64.0, 4096.0]
        );
        let far = Ray::new([8192.5, 0.0, 0.0], [1.0, 0.0, 0.0]);
        assert_eq!(frame.ray(&far), [0.0; 8]);
        assert_eq!(frame.ray(&Ray::new([0.0; 3], [0.0; 3])), [0.0; 8]);
        assert_eq!(frame.ray(&Ray::new([f32::NAN; 3], [1.0; 3])), [0.0; 8]);
        let tiny = frame.ray(&Ray::new([0.0; 3], [1e-45, 0.0, 0.0]));
        assert_eq!(tiny[3], 2.0);
    }
}

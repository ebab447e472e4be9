//! A ray of a world in the numbers that its maps to meshes need.

use crate::traverse::kernel_ray::largest;
use crate::wide::Measures;
use estoc_core::{InlineMap, Ray};
use fearless_simd::{Simd, SimdBase, f64x4};

/// A plain ray of a world.
pub(super) struct WorldRay<S: Simd> {
    pub(super) origin: f64x4<S>,
    pub(super) dir: f64x4<S>,
    pub(super) wide_dir: [f64; 3],
    pub(super) t_min: f32,
    pub(super) t_max: f32,
    /// 1.1 times the sum of the largest coordinates of the origin and of the world's boxes.
    pub(super) size: f32,
    /// The largest coordinate of the direction.
    pub(super) dir_size: f32,
}

impl<S: Simd> WorldRay<S> {
    #[inline(always)]
    pub(super) fn of(simd: S, ray: &Ray, t_min: f32, measures: &Measures) -> Self {
        let (origin, dir) = (ray.origin.to_array(), ray.dir.to_array());
        let [x, y, z] = origin.inline_map(f64::from);
        let wide_dir = dir.inline_map(f64::from);
        let [dx, dy, dz] = wide_dir;
        WorldRay {
            origin: f64x4::load_array_ref(simd, &[x, y, z, 0.0]),
            dir: f64x4::load_array_ref(simd, &[dx, dy, dz, 0.0]),
            wide_dir,
            t_min,
            t_max: ray.t_max,
            size: 1.1 * (largest(origin) + measures.reach),
            dir_size: largest(dir),
        }
    }
}

//! A ray of a world in the numbers that its maps to what is placed there need.

use super::inverse_map::{ObjectRay, WideRay};
use crate::traverse::kernel_ray::{U, largest};
use crate::traverse::mapped::longest;
use crate::wide::Measures;
use estoc_core::{InlineMap, Ray, Ray64};
use fearless_simd::{Simd, SimdBase, SimdNarrow, SimdSplit, f32x4, f64x4};

/// A ray whose numbers are those of a plain ray of a world, or of a world that is placed in another.
#[derive(Clone, Copy)]
pub(super) struct WorldRay<S: Simd> {
    pub(super) origin: f64x4<S>,
    pub(super) dir: f64x4<S>,
    pub(super) wide_dir: [f64; 3],
    pub(super) t_min: f32,
    /// The end, or less: up to there hits may be certain.
    pub(super) t_max: f32,
    /// 1.1 times the sum of the largest coordinates of the origin and of the world's boxes.
    pub(super) size: f32,
    /// The largest coordinate of the direction.
    pub(super) dir_size: f32,
    /// Bound the errors of each coordinate of the origin and of the direction: 0 unless the ray was mapped.
    pub(super) origin_error: f32,
    pub(super) dir_error: f32,
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
            origin_error: 0.0,
            dir_error: 0.0,
        }
    }

    /// Returns a ray in `f64`; what bounds its sizes is rounded up.
    #[inline(always)]
    pub(super) fn of_64(simd: S, ray: &Ray64, measures: &Measures) -> Self {
        let ([x, y, z], [dx, dy, dz]) = (ray.origin.to_array(), ray.dir.to_array());
        let rounded_up = |x: f64| x as f32 * (1.0 + 2.0 * U);
        WorldRay {
            origin: f64x4::load_array_ref(simd, &[x, y, z, 0.0]),
            dir: f64x4::load_array_ref(simd, &[dx, dy, dz, 0.0]),
            wide_dir: [dx, dy, dz],
            t_min: rounded_down(ray.t_min),
            t_max: rounded_down(ray.t_max),
            size: 1.1 * (rounded_up(longest([x, y, z])) + measures.reach),
            dir_size: rounded_up(longest([dx, dy, dz])),
            origin_error: 0.0,
            dir_error: 0.0,
        }
    }

    /// Returns a mapped ray as one of the world that it was mapped to. Its parameters are those of the kernels.
    #[inline(always)]
    pub(super) fn of_object(
        (object, wide): (&ObjectRay<S>, &WideRay<S>),
        measures: &Measures,
    ) -> Self {
        let (origin, dir) = (wide.origin, wide.dir);
        let [dx, dy, dz, _] = dir.to_array();
        let narrow: (f32x4<S>, f32x4<S>) = origin.narrow(dir).split();
        let first = |v: f32x4<S>| {
            let [x, y, z, _] = v.to_array();
            largest([x, y, z])
        };
        WorldRay {
            origin,
            dir,
            wide_dir: [dx, dy, dz],
            t_min: object.ray.t_min,
            t_max: object.ray.t_max,
            size: 1.1 * (first(narrow.0) + measures.reach),
            dir_size: first(narrow.1),
            origin_error: wide.origin_error,
            dir_error: wide.dir_error,
        }
    }
}

/// Returns the greatest `f32` that is not above a number.
pub(super) fn rounded_down(x: f64) -> f32 {
    match x as f32 {
        near if f64::from(near) > x => near.next_down(),
        near => near,
    }
}

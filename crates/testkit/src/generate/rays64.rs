//! Rays in `f64`.

use super::Rng;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Ray, Ray64};

/// Returns a ray in `f64` after one in `f32`: that itself, one that `f32` cannot tell from it, or one
/// through a point of interest, with the interval and now and then with numbers that are undefined. All
/// coordinates are multiples of `2^-300`.
pub fn ray_64(ray: &Ray, points: &[DVec3], rng: &mut Rng) -> Ray64 {
    let same = Ray64::from(*ray);
    let finer = |v: Vec3, rng: &mut Rng| {
        let step = |x: f32, rng: &mut Rng| {
            let steps = f64::from(rng.int(-1 << 20, 1 << 20));
            f64::from(x) * (1.0 + steps * f64::EPSILON)
        };
        DVec3::new(step(v.x, rng), step(v.y, rng), step(v.z, rng))
    };
    match rng.below(4) {
        0 => same,
        1 => Ray64 {
            origin: finer(ray.origin, rng),
            dir: finer(ray.dir, rng),
            ..same
        },
        _ if points.is_empty() => same,
        _ => {
            // Through the point exactly, unless a sum is rounded.
            let dir = rng.grid_point(1 << 12).as_dvec3();
            let point = points[rng.below(points.len())];
            let size = point.abs().max_element().max(1e-60);
            let exponent = (size.log2() as i32 - rng.int(8, 24)).clamp(-240, 900);
            let dir = dir * 2f64.powi(exponent);
            Ray64 {
                origin: on_grid(point) - dir * f64::from(rng.int(0, 3)),
                dir,
                ..same
            }
        }
    }
}

/// Returns a point that is a multiple of `2^-300`.
pub(super) fn on_grid(point: DVec3) -> DVec3 {
    let coarse = |x: f64| if x.abs() < 2f64.powi(-240) { 0.0 } else { x };
    DVec3::from(point.to_array().map(coarse))
}

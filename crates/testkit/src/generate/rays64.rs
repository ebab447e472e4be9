//! Rays in `f64`.

use super::Rng;
use estoc_core::glam::DVec3;
use estoc_core::{Ray, Ray64};

/// Returns a ray in `f64` after one in `f32`: that itself, one that `f32` cannot tell from it, or one
/// through a point of interest, with the interval, one that `f32` cannot tell from it, or one that ends at or
/// next to the point, and now and then with numbers that are undefined. All coordinates are multiples of
/// `2^-300`.
pub fn ray_64(ray: &Ray, points: &[DVec3], rng: &mut Rng) -> Ray64 {
    let same = Ray64::from(*ray);
    let step = |x: f64, rng: &mut Rng| {
        let steps = f64::from(rng.int(-1 << 20, 1 << 20));
        x * (1.0 + steps * f64::EPSILON)
    };
    let finer =
        |v: DVec3, rng: &mut Rng| DVec3::new(step(v.x, rng), step(v.y, rng), step(v.z, rng));
    let same = match rng.one_in(4) {
        true => same.with_interval(step(same.t_min, rng), step(same.t_max, rng)),
        false => same,
    };
    match rng.below(4) {
        0 => same,
        1 => Ray64 {
            origin: finer(same.origin, rng),
            dir: finer(same.dir, rng),
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
            let steps = f64::from(rng.int(0, 3));
            let beside = rng.pick(&[steps, steps.next_up(), steps.next_down()]);
            let [t_min, t_max] =
                rng.pick(&[[same.t_min, same.t_max], [beside, 9.0], [0.0, beside]]);
            Ray64 {
                origin: on_grid(point) - dir * steps,
                dir,
                t_min,
                t_max,
            }
        }
    }
}

/// Returns a point that is a multiple of `2^-300`.
pub(super) fn on_grid(point: DVec3) -> DVec3 {
    let coarse = |x: f64| if x.abs() < 2f64.powi(-240) { 0.0 } else { x };
    DVec3::from(point.to_array().map(coarse))
}

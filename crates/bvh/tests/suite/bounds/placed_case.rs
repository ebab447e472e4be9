//! Triangles of hostile cases that are placed in a world.

use super::leaf_scene::Scene;
use super::violation_search::Case;
use estoc_core::glam::{DAffine3, DMat3, DQuat, DVec3};
use estoc_core::{PlacementMatrix, Ray, Triangle};
use estoc_testkit::generate::Rng;

/// Triangles, how they are placed, and a ray near them in the world, with parameters of hits.
pub(super) struct PlacedCase {
    pub(super) scene: Scene,
    pub(super) matrix: PlacementMatrix,
    pub(super) ray: Ray,
    pub(super) at: Vec<f32>,
}

impl PlacedCase {
    /// Places the triangles of a case.
    pub(super) fn of(rng: &mut Rng, case: &Case) -> Option<Self> {
        let (mut triangles, mut at) = (case.triangles, case.at.clone());
        let linear = linear(rng);
        let is_far = rng.one_in(3);
        let moved = match rng.below(3) {
            _ if is_far => {
                // From far away to near the origin, where terms cancel.
                let away = rng.point() * 2f32.powi(rng.int(0, 24));
                for p in triangles
                    .iter_mut()
                    .flat_map(|t| [&mut t.p0, &mut t.p1, &mut t.p2])
                {
                    *p += away;
                }
                -(linear * away.as_dvec3())
            }
            0 => DVec3::ZERO,
            1 => rng.point().as_dvec3(),
            _ => rng.point().as_dvec3() * 2f64.powi(rng.int(0, 12)),
        };
        let map = DAffine3 {
            matrix3: linear,
            translation: moved,
        };
        let mut ray = case.ray;
        ray.dir = (linear * ray.dir.as_dvec3()).as_vec3();
        ray.origin = match is_far {
            true => (linear * ray.origin.as_dvec3()).as_vec3(),
            false => map.transform_point3(ray.origin.as_dvec3()).as_vec3(),
        };
        if is_far || !rng.one_in(12) {
            let triangle = rng.pick(&triangles);
            let start = if is_far { 0.5 } else { 0.0 };
            let edge = triangle
                .p0
                .lerp(triangle.p1, rng.pick(&[start, 0.5, 0.25, 0.25]));
            // At a corner, on an edge, or inside.
            let point = edge.lerp(triangle.p2, rng.pick(&[0.0, 0.1, 0.25, 0.4]));
            let point = map.transform_point3(point.as_dvec3());
            (ray.dir, at) = ((point - ray.origin.as_dvec3()).as_vec3(), vec![1.0]);
        }
        let is_sound = ray.check().is_ok() && triangles.iter().all(Triangle::is_finite);
        Some(PlacedCase {
            matrix: PlacementMatrix::try_new(&map).ok().filter(|_| is_sound)?,
            scene: Scene::of(triangles),
            ray,
            at,
        })
    }
}

/// Returns the linear part of a matrix.
fn linear(rng: &mut Rng) -> DMat3 {
    let power = |rng: &mut Rng| 2f64.powi(rng.int(-6, 6)) * rng.pick(&[-1.0, 1.0]);
    let scale = match rng.below(3) {
        0 => DVec3::splat(power(rng)),
        _ => DVec3::new(power(rng), power(rng), power(rng)),
    };
    let mut linear = DMat3::from_diagonal(scale);
    match rng.below(4) {
        // This keeps rays that go through edges there, but for roundings; the others do so exactly.
        0 => {
            let axis = rng.point().as_dvec3();
            linear = DMat3::from_quat(DQuat::from_scaled_axis(3.0 * axis)) * linear;
        }
        1 => linear = DMat3::from_cols(linear.y_axis, linear.z_axis, linear.x_axis),
        _ => {}
    }
    if rng.one_in(8) {
        linear.y_axis += linear.x_axis * f64::from(rng.signed());
    }
    linear
}

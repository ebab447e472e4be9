//! Ambient occlusion: how much of the sky a point sees, up to a distance.
//!
//! Rays leave the point as densely as their light counts, by the cosine. The sky is a little
//! brighter above, so that open surfaces show their shape too.

use super::survey::{Survey, quantile};
use super::{Look, Scene, Shader, backdrop, facing_normal};
use estoc::RayQuery;
use estoc::glam::Vec3;

/// Rays of one look.
const RAYS: u64 = 4;
/// How far an obstacle may be to count, as a share of the middle distance of what is seen.
const REACH: f32 = 0.3;
const CLAY: Vec3 = Vec3::new(0.86, 0.85, 0.83);

pub(super) struct Ambient {
    reach: f32,
}

impl Ambient {
    pub(super) fn new(survey: &Survey) -> Self {
        Ambient {
            reach: REACH * quantile(&survey.distances, 0.5),
        }
    }
}

impl Shader for Ambient {
    fn light(&self, scene: &Scene<'_>, look: &Look) -> Vec3 {
        let Some(hit) = look.hit else {
            return backdrop(look);
        };
        let Some(triangle) = scene.mesh.triangle(hit.prim) else {
            return CLAY;
        };
        let (normal, _) = facing_normal(scene, &look.ray, &hit);
        let mut sum = 0.0;
        for k in 0..RAYS {
            let dir = (normal + on_sphere(look.number * RAYS + k)).normalize_or(normal);
            let (ray, options) = hit.spawn_ray(&triangle, dir);
            let ray = ray.with_interval(ray.t_min, self.reach);
            if let Ok(false) = scene.bvh.any_hit_with(&ray, &options) {
                sum += 0.72 + 0.28 * dir.y;
            }
        }
        scene.count(RAYS as usize);
        CLAY * (sum / RAYS as f32)
    }
}

/// Points that fill the sphere evenly, however many of them are taken in a row: a Kronecker
/// sequence by the plastic number (Roberts 2018, "The Unreasonable Effectiveness of
/// Quasirandom Sequences").
fn on_sphere(number: u64) -> Vec3 {
    // The fractions of 1 / p and 1 / p^2 in 64 bits, p = 1.324717957244746.
    let share = |step: u64| (number.wrapping_mul(step) >> 40) as f32 / (1u64 << 24) as f32;
    let height = 1.0 - 2.0 * share(0xc13f_a9a9_02a6_328f);
    let turn = std::f32::consts::TAU * share(0x91e1_0da5_c79e_7b1d);
    let radius = (1.0 - height * height).max(0.0).sqrt();
    Vec3::new(radius * libm::cosf(turn), height, radius * libm::sinf(turn))
}

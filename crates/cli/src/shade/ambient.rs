//! Ambient occlusion: how much of the sky a point sees, up to a distance.
//!
//! Rays leave the point as densely as their light counts, by the cosine. The sky is a little
//! brighter above, so that open surfaces show their shape too.

use super::survey::Survey;
use super::{Look, Scene, Shader, backdrop, facing_normal};
use crate::picture::colour::scattered;
use estoc::RayQuery;
use estoc::glam::Vec3;

/// Rays of one look.
const RAYS: u64 = 4;
/// How far an obstacle may be to count, as a share of the middle distance of what is seen.
const REACH: f32 = 0.3;
const CLAY: Vec3 = Vec3::new(0.96, 0.95, 0.935);

pub(super) struct Ambient {
    reach: f32,
    up: Vec3,
}

impl Ambient {
    pub(super) fn new(distances: &Survey, up: Vec3) -> Self {
        Ambient {
            up,
            reach: REACH * distances.quantile(0.5),
        }
    }
}

impl Shader for Ambient {
    fn light(&self, scene: &Scene<'_>, look: &Look) -> Vec3 {
        let Some(hit) = look.hit(scene) else {
            return backdrop(look).map(f32::sqrt);
        };
        let Some(triangle) = scene.model.triangle(hit.prim) else {
            return CLAY;
        };
        let (normal, _) = facing_normal(scene, &look.ray, &hit);
        let mut open = 0.0;
        for k in 0..RAYS {
            let on_sphere = on_sphere(look.pixel, look.sample * RAYS + k);
            let dir = (normal + on_sphere).normalize_or(normal);
            let (ray, options) = hit.spawn_ray(&triangle, dir);
            let ray = ray.with_interval(ray.t_min, self.reach);
            if scene.bvh.any_hit_with(&ray, &options) == Ok(false) {
                open += 0.7 + 0.3 * dir.dot(self.up);
            }
        }
        scene.count(RAYS as usize);
        open / RAYS as f32 * CLAY
    }

    /// Looks add up shares of the sky; the eye takes the square of one for about that share.
    fn develop(&self, share: Vec3) -> Vec3 {
        share * share
    }
}

/// Points that fill the sphere evenly, however many of them are taken in a row: a Kronecker
/// sequence by the plastic number (Roberts 2018, "The Unreasonable Effectiveness of
/// Quasirandom Sequences"), which begins elsewhere for each pixel.
fn on_sphere(pixel: u64, number: u64) -> Vec3 {
    let begin = scattered(pixel);
    let share = |begin: u64, step: u64| {
        let place = begin.wrapping_add(number.wrapping_mul(step));
        (place >> 40) as f32 / (1u64 << 24) as f32
    };
    // The fractions of 1 / p and 1 / p^2 in 64 bits, with p = 1.3247179572447460.
    let height = 1.0 - 2.0 * share(begin, 0xc13f_a9a9_02a6_328f);
    let turn = std::f32::consts::TAU * share(scattered(begin), 0x91e1_0da5_c79e_7b1d);
    let radius = (1.0 - height * height).max(0.0).sqrt();
    Vec3::new(radius * libm::cosf(turn), height, radius * libm::sinf(turn))
}

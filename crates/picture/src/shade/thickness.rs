//! Shading by the thickness of what lies behind the surface: the length of a ray that goes straight
//! in, up to where it meets the mesh again.

use super::survey::Survey;
use super::{CountedTarget, Look, Shader, SkyRay, dark_backdrop, facing_normal};
use crate::picture::colour::Ramp;
use crate::picture::legend::Legend;
use crate::short_number::short_number;
use estoc::glam::Vec3;
use estoc::query::Closest;
use estoc::scene::SceneHit;
use estoc::{Camera, Ray, RayQuery};

/// The colour where the ray that goes in meets nothing.
const ENDLESS: Vec3 = Vec3::new(0.18, 0.18, 0.18);

pub(super) struct ThicknessShader {
    ramp: Ramp,
    thin: f32,
    thick: f32,
}

impl ThicknessShader {
    pub(super) fn new(scene: &CountedTarget<'_>, camera: &Camera) -> Self {
        let thickness = Survey::of(scene, camera, |ray| {
            thickness(scene, ray, &scene.target.world().closest_hit(ray)?)
        });
        ThicknessShader {
            // Thin parts are bright.
            ramp: Ramp::new(colorous::PLASMA, [1.0, 0.0]),
            thin: thickness.quantile(0.002),
            thick: thickness.quantile(0.998),
        }
    }
}

/// Returns how thick the mesh is behind a hit, as seen from this side; `None` where the ray that goes
/// in meets nothing.
fn thickness(scene: &CountedTarget<'_>, ray: &Ray, hit: &SceneHit) -> Option<f32> {
    let bvh = scene.target.bvh()?;
    let triangle = scene.target.triangle(hit)?;
    let (normal, _) = facing_normal(scene, ray, hit);
    let (inward, options) = hit.hit().spawn_ray(&triangle, -normal);
    // These options do not fail.
    let exit = bvh.ask_with(Closest, &inward, &options).ok()?;
    // The normal has length 1, as nearly as `f32` allows.
    exit.map(|exit| exit.t)
}

impl Shader for ThicknessShader {
    fn light(
        &self,
        scene: &CountedTarget<'_>,
        look: &Look,
        hit: Option<&SceneHit>,
        _: &[SkyRay],
    ) -> Vec3 {
        let Some(hit) = hit else {
            return dark_backdrop(look);
        };
        scene.count(1);
        match thickness(scene, &look.ray, hit) {
            None => ENDLESS,
            Some(thickness) => {
                let range = (self.thick - self.thin).max(f32::MIN_POSITIVE);
                self.ramp.at((thickness - self.thin) / range)
            }
        }
    }

    fn legend(&self) -> Option<Legend<'_>> {
        Some(Legend {
            ramp: &self.ramp,
            caption: "thickness",
            low: short_number(self.thin),
            high: short_number(self.thick),
        })
    }
}

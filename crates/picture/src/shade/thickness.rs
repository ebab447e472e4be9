//! Shading by the thickness of what lies behind the surface: the length of a ray that goes straight
//! in, up to where it meets the mesh again, or the diameter of the largest sphere that fits in.

use super::survey::Survey;
use super::{CountedTarget, Shader, Sight, SkyRay, facing_normal};
use crate::picture::colour::Ramp;
use crate::picture::legend::Legend;
use crate::short_number::short_number;
use estoc::glam::Vec3;
use estoc::query::Closest;
use estoc::scene::{Ray64, SceneHit, SphereThickness};
use estoc::{Camera, QueryOptions, Ray, RayQuery};

/// How thick what is behind a hit is, as seen from this side; `None` where it has no other side.
type Thickness = fn(&CountedTarget<'_>, &Ray, &SceneHit) -> Option<f32>;

/// The colour where the ray that goes in meets nothing.
const ENDLESS: Vec3 = Vec3::new(0.18, 0.18, 0.18);

pub(super) struct ThicknessShader {
    thickness: Thickness,
    ramp: Ramp,
    thin: f32,
    thick: f32,
}

impl ThicknessShader {
    pub(super) fn new(scene: &CountedTarget<'_>, camera: &Camera, thickness: Thickness) -> Self {
        let survey = Survey::of(scene, camera, |ray| {
            thickness(scene, ray, &scene.target.world().closest_hit(ray)?)
        });
        ThicknessShader {
            thickness,
            // Thin parts are bright.
            ramp: Ramp::new(colorous::PLASMA, [1.0, 0.0]),
            thin: survey.quantile(0.002),
            thick: survey.quantile(0.998),
        }
    }
}

/// The length of the ray that goes straight in.
pub(super) fn along_a_ray(scene: &CountedTarget<'_>, ray: &Ray, hit: &SceneHit) -> Option<f32> {
    let (normal, _) = facing_normal(scene, ray, hit);
    let inward = scene.target.leave(ray, hit, -normal)?;
    let options = QueryOptions::default().skip(Some(hit.id()));
    // These options do not fail.
    let exit = { scene.target.world() }.ask_with(Closest, &inward, &options);
    let exit = exit.ok()?;
    // The normal has length 1, as nearly as `f32` allows.
    exit.map(|exit| exit.t)
}

/// The diameter of the largest sphere that touches the surface at the hit from inside.
pub(super) fn of_a_sphere(scene: &CountedTarget<'_>, ray: &Ray, hit: &SceneHit) -> Option<f32> {
    // A sphere or a box has no triangle.
    let triangle = (hit.end.is_none()).then(|| scene.target.triangle(hit))??;
    let (normal, _) = facing_normal(scene, ray, hit);
    let [a, b, c] = triangle.corners().map(Vec3::as_dvec3);
    let [u, v] = [hit.u, hit.v].map(f64::from);
    let point = a + u * (b - a) + v * (c - a);
    let inward = Ray64::new(point, -normal.as_dvec3());
    let diameter = scene
        .target
        .world()
        .ask(SphereThickness::default(), &inward)?;
    diameter.is_finite().then_some(diameter as f32)
}

impl Shader for ThicknessShader {
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let hit = seen.hit?;
        seen.scene.count(1);
        Some(match (self.thickness)(seen.scene, &seen.look.ray, hit) {
            None => ENDLESS,
            Some(thickness) => {
                let range = (self.thick - self.thin).max(f32::MIN_POSITIVE);
                self.ramp.at((thickness - self.thin) / range)
            }
        })
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

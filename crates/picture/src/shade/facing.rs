//! Shading by the angle and the side from which the surface is seen.

use super::{CountedTarget, Look, Shader, SkyRay, backdrop, facing_normal, headlight};
use estoc::glam::Vec3;
use estoc::scene::SceneHit;

const FRONT: Vec3 = Vec3::new(0.70, 0.74, 0.80);
const BACK: Vec3 = Vec3::new(0.90, 0.28, 0.05);

pub(super) struct FacingShader;

impl Shader for FacingShader {
    fn light(
        &self,
        scene: &CountedTarget<'_>,
        look: &Look,
        hit: Option<&SceneHit>,
        _: &[SkyRay],
    ) -> Vec3 {
        let Some(hit) = hit else {
            return backdrop(look);
        };
        let (normal, front) = facing_normal(scene, &look.ray, hit);
        let colour = if front { FRONT } else { BACK };
        colour * headlight(&look.ray, normal)
    }
}

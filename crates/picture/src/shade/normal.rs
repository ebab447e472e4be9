//! Shading by the normal of the surface.

use super::{CountedTarget, Look, Shader, SkyRay, dark_backdrop, facing_normal};
use crate::picture::colour::light;
use estoc::glam::Vec3;
use estoc::scene::SceneHit;

pub(super) struct NormalShader;

impl Shader for NormalShader {
    /// Maps -1 to 1 on each axis to dark to bright in a channel.
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
        let (normal, _) = facing_normal(scene, &look.ray, hit);
        let channels = normal.to_array().map(|x| (127.5 * (x + 1.0) + 0.5) as u8);
        light(channels)
    }
}

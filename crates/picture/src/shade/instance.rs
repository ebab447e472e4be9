//! Shading by the placement of a scene.

use super::{CountedTarget, Look, Shader, SkyRay, dark_backdrop, facing_normal, headlight};
use crate::picture::colour::{of_number, scattered};
use estoc::glam::Vec3;
use estoc::scene::SceneHit;

/// Colours what belongs to one path of placements alike.
pub(super) struct InstanceShader;

impl Shader for InstanceShader {
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
        let numbers = hit.path.numbers().iter();
        let path = numbers.fold(0, |path, &number| scattered(path ^ u64::from(number)));
        of_number(path, 0.6) * headlight(&look.ray, normal)
    }
}

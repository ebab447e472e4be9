//! Which triangle is seen.

use super::{Look, Scene, Shader, dark_backdrop, facing_normal, headlight};
use crate::picture::colour::of_number;
use estoc::glam::Vec3;

pub(super) struct Id;

impl Shader for Id {
    fn light(&self, scene: &Scene<'_>, look: &Look) -> Vec3 {
        let Some(hit) = look.hit(scene) else {
            return dark_backdrop(look);
        };
        let (normal, _) = facing_normal(scene, &look.ray, &hit);
        of_number(hit.prim.get().into(), 0.6) * headlight(&look.ray, normal)
    }
}

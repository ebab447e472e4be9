//! Shading by the angle and the side from which the surface is seen.

use super::{Look, Shader, Sight, SkyRay, backdrop, headlight};
use estoc::glam::Vec3;

const FRONT: Vec3 = Vec3::new(0.70, 0.74, 0.80);
const BACK: Vec3 = Vec3::new(0.90, 0.28, 0.05);

pub(super) struct FacingShader;

impl Shader for FacingShader {
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let (normal, front) = seen.facing_normal()?;
        let colour = if front { FRONT } else { BACK };
        Some(colour * headlight(&seen.look.ray, normal))
    }

    fn backdrop(&self, look: &Look) -> Vec3 {
        backdrop(look)
    }
}

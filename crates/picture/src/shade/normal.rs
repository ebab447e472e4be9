//! Shading by the normal of the surface.

use super::{Shader, Sight, SkyRay};
use crate::picture::colour::light;
use estoc::glam::Vec3;

pub(super) struct NormalShader;

impl Shader for NormalShader {
    /// Maps -1 to 1 on each axis to dark to bright in a channel.
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let (normal, _) = seen.facing_normal()?;
        let channels = normal.to_array().map(|x| (127.5 * (x + 1.0) + 0.5) as u8);
        Some(light(channels))
    }
}

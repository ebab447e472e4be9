//! Shading by the placement of a scene.

use super::{Shader, Sight, SkyRay};
use crate::picture::colour::{of_number, scattered};
use estoc::glam::Vec3;

/// Colours what belongs to one path of placements alike.
pub(super) struct InstanceShader;

impl Shader for InstanceShader {
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let numbers = seen.hit?.path.numbers().iter();
        let path = numbers.fold(0, |path, &number| scattered(path ^ u64::from(number)));
        seen.lit(of_number(path, 0.6))
    }
}

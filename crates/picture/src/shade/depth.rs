//! Shading by the distance of the surface.

use super::survey::Survey;
use super::{Look, Scene, Shader, SkyRay, dark_backdrop};
use crate::picture::colour::Ramp;
use crate::picture::legend::Legend;
use crate::short_number::short_number;
use estoc::glam::Vec3;
use estoc::scene::SceneHit;

pub(super) struct Depth {
    ramp: Ramp,
    near: f32,
    far: f32,
}

impl Depth {
    pub(super) fn new(distances: &Survey) -> Self {
        Depth {
            // Without its dark end, since the backdrop is as dark.
            ramp: Ramp::new(colorous::MAGMA, [1.0, 0.28]),
            near: distances.quantile(0.002),
            far: distances.quantile(0.998),
        }
    }
}

impl Shader for Depth {
    /// Maps equal ratios of distance to equal steps of colour, near distances to bright ones.
    fn light(&self, _: &Scene<'_>, look: &Look, hit: Option<&SceneHit>, _: &[SkyRay]) -> Vec3 {
        let Some(hit) = hit else {
            return dark_backdrop(look);
        };
        let log = |x: f32| libm::logf(x.max(f32::MIN_POSITIVE));
        let range = (log(self.far) - log(self.near)).max(1e-3);
        self.ramp.at((log(hit.t) - log(self.near)) / range)
    }

    fn legend(&self) -> Option<Legend<'_>> {
        Some(Legend {
            ramp: &self.ramp,
            caption: "distance",
            low: short_number(self.near),
            high: short_number(self.far),
        })
    }
}

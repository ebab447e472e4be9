//! Shading by the distance of the surface.

use super::survey::Survey;
use super::{Shader, Sight, SkyRay};
use crate::picture::colour::Ramp;
use crate::picture::legend::Legend;
use crate::short_number::short_number;
use estoc::glam::Vec3;

pub(super) struct DepthShader {
    ramp: Ramp,
    near: f32,
    far: f32,
    /// The logarithm of the near distance, and that of the ratio of both.
    log_near: f32,
    range: f32,
}

fn log(distance: f32) -> f32 {
    libm::logf(distance.max(f32::MIN_POSITIVE))
}

impl DepthShader {
    pub(super) fn new(distances: &Survey) -> Self {
        let (near, far) = (distances.quantile(0.002), distances.quantile(0.998));
        DepthShader {
            // Without its dark end, since the backdrop is as dark.
            ramp: Ramp::new(colorous::MAGMA, [1.0, 0.28]),
            near,
            far,
            log_near: log(near),
            range: (log(far) - log(near)).max(1e-3),
        }
    }
}

impl Shader for DepthShader {
    /// Maps equal ratios of distance to equal steps of colour, near distances to bright ones.
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let distance = seen.hit?.t;
        let share = (log(distance) - self.log_near) / self.range;
        Some(self.ramp.at(share))
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

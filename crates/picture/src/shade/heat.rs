//! Shading by the cost of each ray: the nodes and leaves that it tests in the tree.

use super::survey::Survey;
use super::{Shader, Sight, SkyRay};
use crate::picture::colour::Ramp;
use crate::picture::legend::Legend;
use estoc::glam::Vec3;

pub(super) struct HeatShader {
    ramp: Ramp,
    most: f32,
}

impl HeatShader {
    pub(super) fn new(steps: &Survey) -> Self {
        HeatShader {
            ramp: Ramp::new(colorous::INFERNO, [0.0, 1.0]),
            most: steps.quantile(0.998).max(1.0),
        }
    }
}

impl Shader for HeatShader {
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let steps = seen.scene.steps(&seen.look.ray);
        Some(self.ramp.at(steps / self.most))
    }

    fn needs_hits(&self) -> bool {
        false
    }

    fn legend(&self) -> Option<Legend<'_>> {
        Some(Legend {
            ramp: &self.ramp,
            caption: "steps per ray",
            low: "0".into(),
            high: format!("{}+", self.most),
        })
    }
}

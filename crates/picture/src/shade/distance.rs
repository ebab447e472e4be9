//! Shading by the distance from another mesh.

use super::survey::Survey;
use super::{CountedTarget, Shader, Sight, SkyRay};
use crate::picture::colour::Ramp;
use crate::picture::legend::Legend;
use crate::short_number::short_number;
use estoc::glam::Vec3;
use estoc::scene::{SceneHit, SceneSnapshot};
use estoc::{Camera, PointQuery, RayQuery};

pub(super) struct DistanceShader<'a> {
    other: &'a SceneSnapshot,
    ramp: Ramp,
    most: f32,
}

impl<'a> DistanceShader<'a> {
    pub(super) fn new(
        scene: &CountedTarget<'_>,
        other: &'a SceneSnapshot,
        camera: &Camera,
    ) -> Self {
        let distances = Survey::of(scene, camera, |ray| {
            let hit = scene.target.world().closest_hit(ray)?;
            distance(scene, other, &hit)
        });
        DistanceShader {
            other,
            // Without its dark end, since the backdrop is as dark.
            ramp: Ramp::new(colorous::VIRIDIS, [0.12, 1.0]),
            most: distances.quantile(0.998),
        }
    }
}

/// Returns the distance of what is hit from the other mesh; `None` if that has no area anywhere.
fn distance(scene: &CountedTarget<'_>, other: &SceneSnapshot, hit: &SceneHit) -> Option<f32> {
    let triangle = scene.target.triangle(hit)?;
    other.distance(hit.hit().point(&triangle))
}

impl Shader for DistanceShader<'_> {
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let distance = distance(seen.scene, self.other, seen.hit?)?;
        Some(self.ramp.at(distance / self.most.max(f32::MIN_POSITIVE)))
    }

    fn legend(&self) -> Option<Legend<'_>> {
        Some(Legend {
            ramp: &self.ramp,
            caption: "distance",
            low: "0".into(),
            high: short_number(self.most),
        })
    }
}

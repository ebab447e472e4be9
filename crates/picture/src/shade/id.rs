//! Shading by triangle.

use super::{CountedTarget, Look, Shader, SkyRay, dark_backdrop, facing_normal, headlight};
use crate::picture::colour::{of_number, scattered};
use estoc::glam::Vec3;
use estoc::scene::SceneHit;

/// The largest number of triangles that each have their own hue.
const OWN_HUES: usize = 50_000;
/// Number of hues in larger meshes, each shared by a run of triangles.
const RUNS: usize = 500;

/// Colours triangles by id. Triangles smaller than a pixel would mix to grey, so consecutive
/// triangles of large meshes share a hue and differ in brightness.
pub(super) struct IdShader {
    /// Number of consecutive triangles that share a hue.
    run: u64,
}

impl IdShader {
    pub(super) fn of(triangles: usize) -> Self {
        let run = match triangles > OWN_HUES {
            true => triangles.div_ceil(RUNS),
            false => 1,
        };
        IdShader { run: run as u64 }
    }
}

impl Shader for IdShader {
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
        let prim = u64::from(hit.prim.get());
        let colour = of_number(prim / self.run, 0.6);
        let own = match self.run {
            1 => 1.0,
            _ => 0.75 + (scattered(prim) >> 56) as f32 / 1024.0,
        };
        colour * own * headlight(&look.ray, normal)
    }
}

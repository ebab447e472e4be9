//! Shading by triangle.

use super::{Shader, Sight, SkyRay};
use crate::picture::colour::{of_number, scattered};
use estoc::glam::Vec3;

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
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let prim = u64::from(seen.hit?.prim.get());
        let colour = of_number(prim / self.run, 0.6);
        let own = match self.run {
            1 => 1.0,
            _ => 0.75 + (scattered(prim) >> 56) as f32 / 1024.0,
        };
        seen.lit(colour * own)
    }
}

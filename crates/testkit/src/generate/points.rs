//! Points for containment queries.

use super::target::{Target, nudged};
use super::{Rng, Scene};
use estoc_core::glam::Vec3;

/// Generates points for containment queries: inside, outside, on the surface and one ulp beside it.
pub fn points(scene: &Scene, rng: &mut Rng, n: usize) -> Vec<Vec3> {
    let target = Target::new(&scene.triangles);
    (0..n)
        .map(|_| match rng.below(8) {
            0 => target.vertex(rng),
            1 | 2 => target.point(rng),
            3 => {
                let point = target.point(rng);
                nudged(point, rng)
            }
            4 => {
                let bad = rng.pick(&[f32::NAN, f32::INFINITY, f32::MAX]);
                let mut point = target.point(rng);
                if rng.one_in(4) {
                    point[rng.below(3)] = bad;
                }
                point
            }
            5 => Vec3::new(
                target.vertex(rng).x,
                target.vertex(rng).y,
                target.vertex(rng).z,
            ),
            _ => target.around(rng, 0.6),
        })
        .collect()
}

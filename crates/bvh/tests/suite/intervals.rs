//! Rays whose interval begins at or below zero, with every instruction set.

use crate::common::{Rng, Shape};
use estoc_bvh::{Bvh, SimdLevel};
use estoc_core::{BruteForce, Ray, RayQuery};

const INF: f32 = f32::INFINITY;

fn same_answers(tree: &Bvh, brute: &BruteForce, ray: &Ray) {
    let context = format!("{}: {ray:?}", tree.simd_level());
    assert_eq!(tree.closest_hit(ray), brute.closest_hit(ray), "{context}");
    assert_eq!(tree.any_hit(ray), brute.any_hit(ray), "{context}");
    assert_eq!(tree.count_hits(ray), brute.count_hits(ray), "{context}");
}

#[test]
fn minus_zero_and_rays_with_a_past_from_the_boundary() {
    let mut rng = Rng::new(4);
    let mesh = Shape::random(1_000, 0.1, &mut rng).mesh();
    let brute = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
    let (min, max) = (mesh.bounds().min(), mesh.bounds().max());
    for level in SimdLevel::available() {
        let tree = Bvh::build(&mesh).with_simd_level(level);
        for _ in 0..200 {
            let (from, dir) = (rng.vec(-1.0, 1.0), rng.vec(-1.0, 1.0));
            same_answers(&tree, &brute, &Ray::new(from, dir).with_interval(-0.0, INF));
            // The ray enters the tree's box exactly at its origin, and has an interval behind it.
            for (x, way) in [(min.x, 1.0), (max.x, -1.0)] {
                let from = [x, from[1], from[2]];
                let dir = [way, 0.1 * dir[1], 0.1 * dir[2]];
                same_answers(&tree, &brute, &Ray::new(from, dir).with_interval(-1.0, INF));
            }
        }
    }
}

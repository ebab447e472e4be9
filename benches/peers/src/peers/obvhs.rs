//! obvhs: its binary tree and its compressed 8-wide tree, each from three of its presets.

use crate::engine::{Builder, Built, Engine, Queries};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use estoc::glam::Vec3A;
use obvhs::BvhBuildParams;
use obvhs::bvh2::{Bvh2, builder::build_bvh2_from_tris};
use obvhs::cwbvh::{CwBvh, builder::build_cwbvh_from_tris};
use obvhs::ray::RayHit;
use obvhs::rt_triangle::RtTriangle;
use obvhs::triangle::Triangle;
use std::time::Duration;

pub(super) fn builders() -> Vec<Builder> {
    let presets = [
        ("fastest", BvhBuildParams::fastest_build(), usize::MAX),
        ("medium", BvhBuildParams::medium_build(), usize::MAX),
        ("very-slow", BvhBuildParams::very_slow_build(), 3_000_000),
    ];
    let trees: [(&str, Build); 2] = [
        ("obvhs-bvh2", Ordered::<Bvh2>::build),
        ("obvhs-cwbvh", Ordered::<CwBvh>::build),
    ];
    let mut all = Vec::new();
    for (preset, params, most_triangles) in presets {
        for (tree, build) in trees {
            let name = format!("{tree}-{preset}");
            let names = vec![name.clone()];
            let builder = Builder::new(tree, preset, names, move |scene, _| {
                Ok(build(&name, &triangles(scene), params))
            });
            all.push(builder.up_to(most_triangles));
        }
    }
    all
}

/// Builds a tree with one engine of this name.
type Build = fn(&str, &[Triangle], BvhBuildParams) -> Built;

/// A tree with its triangles. Leaves refer to positions in the tree's own order, so triangles are
/// put in that order.
struct Ordered<T> {
    tree: T,
    triangles: Vec<RtTriangle>,
}

/// Converts the mesh to obvhs's triangles.
pub(super) fn triangles(scene: &Scene) -> Vec<Triangle> {
    let triangle = |corners: [estoc::glam::Vec3; 3]| {
        let [v0, v1, v2] = corners.map(Vec3A::from);
        Triangle { v0, v1, v2 }
    };
    scene.corners().map(triangle).collect()
}

pub(super) fn theirs(ray: &Ray) -> obvhs::ray::Ray {
    obvhs::ray::Ray::new(ray.origin.into(), ray.dir.into(), 0.0, ray.t_max)
}

/// Returns the number of distinct triangles: triangles that were split are found several times.
fn distinct(mut prims: Vec<u32>) -> usize {
    prims.sort_unstable();
    prims.dedup();
    prims.len()
}

/// Implements building and the queries of both trees, which have the same methods but no common
/// trait.
macro_rules! ask_like_obvhs {
    ($tree:ty, $build:path) => {
        impl Ordered<$tree> {
            fn build(name: &str, triangles: &[Triangle], params: BvhBuildParams) -> Built {
                let mut core_time = Duration::ZERO;
                let tree = $build(triangles, params, &mut core_time);
                let triangle = |&prim: &u32| (&triangles[prim as usize]).into();
                let triangles: Vec<RtTriangle> =
                    tree.primitive_indices.iter().map(triangle).collect();
                let numbers = size_of::<u32>() * triangles.len();
                Built {
                    bytes: Some(
                        size_of_val(&tree.nodes[..]) + size_of_val(&triangles[..]) + numbers,
                    ),
                    engines: vec![Engine::single(name, Ordered { tree, triangles })],
                }
            }
        }

        impl Queries for Ordered<$tree> {
            fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
                for (ray, hit) in rays.iter().zip(hits) {
                    let mut found = RayHit::none();
                    let test = |ray: &obvhs::ray::Ray, id: usize| self.triangles[id].intersect(ray);
                    let any = self.tree.ray_traverse(theirs(ray), &mut found, test);
                    *hit = Hit::MISS;
                    if any {
                        let prim = self.tree.primitive_indices[found.primitive_id as usize];
                        *hit = Hit { t: found.t, prim };
                    }
                }
            }

            fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
                for (ray, hit) in rays.iter().zip(hits) {
                    let test = |ray: &obvhs::ray::Ray, id: usize| self.triangles[id].intersect(ray);
                    *hit = !self.tree.ray_traverse_miss(theirs(ray), test);
                }
            }

            fn count_surfaces(&self, rays: &[Ray]) -> Option<Vec<usize>> {
                let count = |ray: &Ray| {
                    let mut prims = Vec::new();
                    self.tree.ray_traverse_anyhit(theirs(ray), |ray, id| {
                        if self.triangles[id].intersect(ray) < f32::INFINITY {
                            prims.push(self.tree.primitive_indices[id]);
                        }
                    });
                    distinct(prims)
                };
                Some(rays.iter().map(count).collect())
            }
        }
    };
}

ask_like_obvhs!(Bvh2, build_bvh2_from_tris);
ask_like_obvhs!(CwBvh, build_cwbvh_from_tris);

//! obvhs: its binary tree and its compressed 8-wide tree, each from three of its presets.

use crate::engine::{BuildFailed, Builder, Built, Engine, Mode};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use estoc::glam::Vec3A;
use obvhs::BvhBuildParams;
use obvhs::bvh2::{Bvh2, builder::build_bvh2_from_tris};
use obvhs::cwbvh::{CwBvh, builder::build_cwbvh_from_tris};
use obvhs::ray::RayHit;
use obvhs::rt_triangle::RtTriangle;
use obvhs::triangle::Triangle;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn builders() -> Vec<Box<dyn Builder>> {
    let presets = [
        ("fastest", BvhBuildParams::fastest_build()),
        ("medium", BvhBuildParams::medium_build()),
        ("very-slow", BvhBuildParams::very_slow_build()),
    ];
    let mut all: Vec<Box<dyn Builder>> = Vec::new();
    for (preset, params) in presets {
        for tree in [Tree::Binary, Tree::Wide] {
            all.push(Box::new(Preset {
                tree,
                preset,
                params,
            }));
        }
    }
    all
}

#[derive(Clone, Copy)]
enum Tree {
    Binary,
    Wide,
}

struct Preset {
    tree: Tree,
    preset: &'static str,
    params: BvhBuildParams,
}

impl Preset {
    fn engine_name(&self) -> String {
        format!("{}-{}", self.name(), self.preset)
    }
}

impl Builder for Preset {
    fn name(&self) -> &str {
        match self.tree {
            Tree::Binary => "obvhs-bvh2",
            Tree::Wide => "obvhs-cwbvh",
        }
    }

    fn preset(&self) -> &str {
        self.preset
    }

    fn engine_names(&self) -> Vec<String> {
        vec![self.engine_name()]
    }

    fn most_triangles(&self) -> usize {
        if self.preset == "very-slow" {
            3_000_000
        } else {
            usize::MAX
        }
    }

    fn build(&self, scene: &Arc<Scene>, _threads: usize) -> Result<Built, BuildFailed> {
        let triangles = triangles(scene);
        let (name, params) = (self.engine_name(), self.params);
        let mut core_time = Duration::ZERO;
        // Leaves refer to positions in the tree's own order, so triangles are put in that order.
        let ordered = |order: &[u32]| -> Vec<RtTriangle> {
            let triangle = |&prim: &u32| (&triangles[prim as usize]).into();
            order.iter().map(triangle).collect()
        };
        Ok(match self.tree {
            Tree::Binary => {
                let tree = build_bvh2_from_tris(&triangles, params, &mut core_time);
                let triangles = ordered(&tree.primitive_indices);
                let nodes = size_of_val(&tree.nodes[..]);
                Built {
                    bytes: Some(nodes + held(&triangles)),
                    engines: vec![Box::new(Binary {
                        name,
                        tree,
                        triangles,
                    })],
                }
            }
            Tree::Wide => {
                let tree = build_cwbvh_from_tris(&triangles, params, &mut core_time);
                let triangles = ordered(&tree.primitive_indices);
                let nodes = size_of_val(&tree.nodes[..]);
                Built {
                    bytes: Some(nodes + held(&triangles)),
                    engines: vec![Box::new(Wide {
                        name,
                        tree,
                        triangles,
                    })],
                }
            }
        })
    }
}

/// Returns the bytes of the triangles and of their numbers.
fn held(triangles: &[RtTriangle]) -> usize {
    size_of_val(triangles) + size_of::<u32>() * triangles.len()
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

struct Binary {
    name: String,
    tree: Bvh2,
    triangles: Vec<RtTriangle>,
}

struct Wide {
    name: String,
    tree: CwBvh,
    triangles: Vec<RtTriangle>,
}

/// Implements the queries of both trees, which have the same methods but no common trait.
macro_rules! ask_like_obvhs {
    ($tree:ident) => {
        impl Engine for $tree {
            fn name(&self) -> &str {
                &self.name
            }

            fn mode(&self) -> Mode {
                Mode::Single
            }

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

ask_like_obvhs!(Binary);
ask_like_obvhs!(Wide);

//! estoc's tree queried in floating point only: the baseline for the cost of exactness.
//!
//! It has estoc's nodes and leaves, and every optimisation that correct answers would forbid: boxes
//! tested without a margin, triangles precomputed and rounded, no certificate of a hit. It answers
//! wrongly at some edges, and the tables say how often.

mod any;
mod child;
mod closest;
mod leaf;
mod node;
mod order;
mod ray;
mod stack;
mod tree;

use crate::engine::{Builder, Built, Engine, Queries};
use crate::ray::{Hit, Ray};
use estoc::Bvh;
use tree::Arrays;

const NAME: &str = "estoc-float";

/// Returns the builder, if the machine has the instructions.
pub(super) fn builders() -> Vec<Builder> {
    if !has_avx2() {
        eprintln!("skipped {NAME}: this machine does not have AVX2 and FMA");
        return Vec::new();
    }
    vec![Builder::new(
        NAME,
        "balanced",
        vec![NAME.to_owned()],
        |scene, _| {
            let arrays = Arrays::twin(&Bvh::build(&scene.mesh), &scene.mesh)?;
            Ok(Built {
                bytes: Some(arrays.bytes()),
                engines: vec![Engine::single(NAME, OneByOne(arrays))],
            })
        },
    )]
}

/// Returns whether the machine has all instructions that the functions here are compiled for.
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

struct OneByOne(Arrays);

impl Queries for OneByOne {
    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        let tree = self.0.tree();
        let closest_hit = match self.0.bytes() >= tree::LARGE {
            true => closest::closest_hit::<true>,
            false => closest::closest_hit::<false>,
        };
        for (ray, hit) in rays.iter().zip(hits) {
            // SAFETY: `builders` returns nothing where the instructions are missing.
            *hit = unsafe { closest_hit(&tree, ray) };
        }
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        let tree = self.0.tree();
        for (ray, hit) in rays.iter().zip(hits) {
            // SAFETY: as above.
            *hit = unsafe { any::any_hit(&tree, ray) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::{Agreement, Judge};
    use crate::answers::Answers;
    use estoc::Mesh;
    use estoc::glam::Vec3;
    use estoc::{Quality, RayQuery};
    use estoc_demo::SingleRandom;

    /// Returns triangles of many sizes anywhere in a cube, some of them without an area.
    fn soup(count: u32, random: &mut SingleRandom) -> Mesh {
        let mut corners = Vec::new();
        for index in 0..count {
            let (at, size) = (random.cube(), random.unit().powi(3));
            let corner = at + random.cube() * size;
            let last = if index % 50 == 0 {
                corner
            } else {
                at + random.cube() * size
            };
            corners.extend([at, corner, last]);
        }
        let faces = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        Mesh::try_new(corners, faces).expect("finite corners")
    }

    fn rays(count: usize, random: &mut SingleRandom) -> Vec<Ray> {
        let mut ray = |index: usize| {
            let dir = match index % 4 {
                0 => [Vec3::X, Vec3::NEG_Y, Vec3::Z][index / 4 % 3],
                _ => random.direction(),
            };
            let t_max = if index.is_multiple_of(3) {
                random.unit()
            } else {
                f32::INFINITY
            };
            Ray {
                origin: (random.cube() * 1.5).to_array(),
                t_max,
                dir: dir.to_array(),
            }
        };
        (0..count).map(&mut ray).collect()
    }

    #[test]
    fn floats_are_nearly_right() {
        if !has_avx2() {
            return;
        }
        let mut random = SingleRandom::new(77);
        for (triangles, quality) in [
            (0, Quality::Balanced),
            (1, Quality::Balanced),
            (9, Quality::Fast),
            (3000, Quality::Fast),
            (3000, Quality::Balanced),
            (3000, Quality::Best),
        ] {
            let mesh = soup(triangles, &mut random);
            let bvh = Bvh::builder()
                .quality(quality)
                .build(&mesh)
                .expect("not cancelled");
            let twin = OneByOne(Arrays::twin(&bvh, &mesh).expect("a small tree"));
            let rays = rays(20_000, &mut random);
            let first_hit = |ray: &Ray| {
                let ray = estoc::Ray::new(ray.origin, ray.dir).with_interval(0.0, ray.t_max);
                bvh.closest_hit(&ray).map_or(Hit::MISS, |hit| Hit {
                    t: hit.t,
                    prim: hit.prim.get(),
                })
            };
            let exact: Vec<Hit> = rays.iter().map(first_hit).collect();
            let mut hits = vec![Hit::MISS; rays.len()];
            twin.closest_hits(&rays, &mut hits);
            for (ray, &hit) in rays.iter().zip(&hits) {
                // SAFETY: the instructions are there.
                let prefetched = unsafe { closest::closest_hit::<true>(&twin.0.tree(), ray) };
                assert_eq!(prefetched, hit, "{ray:?}");
            }
            let of = |answers| Agreement::of(Judge::Triangles, &rays, &exact, &answers).row(0);
            let closest = of(Answers::Closest(hits));
            let mut hits = vec![false; rays.len()];
            twin.any_hits(&rays, &mut hits);
            let any = of(Answers::Any(hits));
            // Each triangle has edges, so some rays may be decided wrongly.
            assert!(
                closest.wrong() <= 5 && any.wrong() <= 5,
                "{closest:?} {any:?}"
            );
            assert_eq!(closest.hits > Some(5000), triangles == 3000, "{closest:?}");
        }
    }
}

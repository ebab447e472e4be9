//! Rays that are hard for trees.

use crate::SplitMix64;
use estoc_core::glam::Vec3;
use estoc_core::{Aabb, PrimId, Ray, Triangle};
use estoc_mesh::Mesh;

/// Draws rays that are hard for trees from a mesh. Equal seeds give equal rays.
///
/// There are nine kinds in turn: from outside, from inside, along axes, aimed at corners and edges,
/// exactly through corners and edges, from a corner, and with a finite interval.
#[derive(Clone, Debug)]
pub struct RaySampler<'a> {
    mesh: &'a Mesh,
    bounds: Aabb,
    rng: SplitMix64,
    drawn: usize,
}

impl<'a> RaySampler<'a> {
    /// Returns the sampler for this mesh and seed.
    pub fn new(mesh: &'a Mesh, seed: u64) -> Self {
        // For a mesh without extent the rays are drawn around the origin.
        let unit = || Aabb::of_points([Vec3::NEG_ONE, Vec3::ONE]);
        let bounds = Some(mesh.bounds())
            .filter(|b| !b.is_empty())
            .unwrap_or_else(unit);
        RaySampler {
            mesh,
            bounds,
            rng: SplitMix64::new(seed),
            drawn: 0,
        }
    }

    /// Returns the next `count` rays, of all kinds in turn.
    pub fn take(&mut self, count: usize) -> Vec<Ray> {
        (0..count).map(|_| self.ray()).collect()
    }

    fn ray(&mut self) -> Ray {
        let kind = self.drawn % 9;
        self.drawn += 1;
        match kind {
            // From around the mesh to a point inside its bounds.
            0 => {
                let [origin, target] = [self.point(2.0), self.point(0.5)];
                Ray::new(origin, target - origin)
            }
            1 => {
                let origin = self.point(0.5);
                Ray::new(origin, self.direction())
            }
            2 => {
                let origin = self.point(0.6);
                Ray::new(origin, self.axis())
            }
            // Aimed at a corner or at the middle of an edge, up to rounding.
            3 | 4 => {
                let target = self.corner_or_middle(kind == 3);
                let origin = self.point(1.5);
                Ray::new(origin, target - origin)
            }
            // Along an axis exactly through a corner or the middle of an edge.
            5 | 6 => {
                let point = self.corner_or_middle(kind == 5);
                self.along_axis_through(point)
            }
            // From a corner towards another one, or in any direction.
            7 => {
                let [a, b] = [self.corner(), self.corner()];
                Ray::new(a, if a == b { self.direction() } else { b - a })
            }
            // From a corner to a point, both ends included.
            _ => {
                let [from, to] = [self.corner(), self.point(0.6)];
                Ray::new(from, to - from).with_interval(0.0, 1.0)
            }
        }
    }

    /// Returns a point of the bounding box scaled by `2 * reach`.
    fn point(&mut self, reach: f64) -> Vec3 {
        let corners = [self.bounds.min(), self.bounds.max()];
        let [low, high] = corners.map(|corner| corner.to_array().map(f64::from));
        let size = (0..3).map(|i| high[i] - low[i]).fold(0.0, f64::max);
        let p: [f64; 3] = std::array::from_fn(|i| {
            // Flat boxes get some thickness, so that rays start on both sides.
            let half = (high[i] - low[i]).max(0.1 * size);
            f64::midpoint(low[i], high[i]) + half * self.rng.between(-reach, reach)
        });
        p.map(|x| x as f32).into()
    }

    fn direction(&mut self) -> Vec3 {
        self.rng.direction().map(|x| x as f32).into()
    }

    /// Returns an axis in either direction, with zeros of either sign.
    fn axis(&mut self) -> Vec3 {
        let along = self.rng.below(3);
        let way = if self.rng.below(2) == 0 { 1.0 } else { -1.0 };
        let zero = if self.rng.below(2) == 0 { 0.0 } else { -0.0 };
        Vec3::from_array(std::array::from_fn(|i| if i == along { way } else { zero }))
    }

    /// Returns a ray along an axis exactly through `point`, whose two other coordinates are not
    /// rounded.
    fn along_axis_through(&mut self, point: Vec3) -> Ray {
        let axis = self.axis();
        let start = self.point(1.0);
        let origin = Vec3::select(axis.cmpeq(Vec3::ZERO), point, start);
        Ray::new(origin, axis)
    }

    fn corner(&mut self) -> Vec3 {
        self.corner_or_middle(true)
    }

    /// Returns a corner, or the middle of an edge.
    fn corner_or_middle(&mut self, is_corner: bool) -> Vec3 {
        let first = self.rng.below(3);
        let corners = self.triangle().corners();
        match is_corner {
            true => corners[first],
            false => corners[first].midpoint(corners[(first + 1) % 3]),
        }
    }

    fn triangle(&mut self) -> Triangle {
        let index = self.rng.below(self.mesh.triangle_count());
        let triangle = PrimId::from_index(index).and_then(|prim| self.mesh.triangle(prim));
        triangle.unwrap_or_else(|| Triangle::new(Vec3::ZERO, Vec3::X, Vec3::Y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DemoSpec;
    use estoc_core::{BruteForce, RayQuery};

    #[test]
    fn every_kind_hits_now_and_then_and_the_seed_decides() {
        let spec: DemoSpec = "sphere?n=200".parse().unwrap();
        let mesh = spec.mesh();
        let engine = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
        let rays = RaySampler::new(&mesh, 1).take(900);
        for kind in 0..9 {
            let hits = rays
                .iter()
                .skip(kind)
                .step_by(9)
                .filter(|r| engine.any_hit(r));
            assert!(hits.count() > 20, "kind {kind}");
        }
        // Exactly through corners and edges, along axes: several triangles at the same parameter.
        for kind in [5, 6] {
            let touched = rays.iter().skip(kind).step_by(9);
            let shared = touched.filter(|r| engine.count_hits(r) > engine.count_crossings(r));
            assert!(shared.count() > 20, "kind {kind}");
        }
        assert_eq!(rays, RaySampler::new(&mesh, 1).take(900));
        assert_ne!(rays, RaySampler::new(&mesh, 2).take(900));
    }

    #[test]
    fn an_empty_mesh_has_rays_too() {
        let rays = RaySampler::new(&Mesh::default(), 1).take(90);
        assert!(rays.iter().all(|ray| ray.check().is_ok()));
    }
}

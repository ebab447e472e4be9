//! parry3d: its triangle mesh.

use crate::engine::{BuildFailed, Builder, Built, Engine, Mode};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use estoc::glam::Vec3;
use parry3d::math::Vector;
use parry3d::query::{PointQueryWithLocation, RayCast};
use parry3d::shape::{CompositeShapeRef, TriMesh};
use std::sync::Arc;

const NAME: &str = "parry";

pub(super) fn builders() -> Vec<Box<dyn Builder>> {
    vec![Box::new(Default)]
}

struct Default;

impl Builder for Default {
    fn name(&self) -> &str {
        NAME
    }

    fn preset(&self) -> &str {
        "default"
    }

    fn engine_names(&self) -> Vec<String> {
        vec![NAME.to_owned()]
    }

    fn most_triangles(&self) -> usize {
        3_000_000
    }

    fn build(&self, scene: &Arc<Scene>, _threads: usize) -> Result<Built, BuildFailed> {
        let positions = scene.positions().iter();
        let positions = positions.map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let mesh = TriMesh::new(positions, scene.faces().to_vec());
        let mesh = mesh.map_err(|error| BuildFailed(error.to_string()))?;
        Ok(Built {
            bytes: None,
            engines: vec![Box::new(Parry(mesh))],
        })
    }
}

struct Parry(TriMesh);

impl Engine for Parry {
    fn name(&self) -> &str {
        NAME
    }

    fn mode(&self) -> Mode {
        Mode::Single
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        let mesh = CompositeShapeRef(&self.0);
        for (ray, hit) in rays.iter().zip(hits) {
            let found = mesh.cast_local_ray(&theirs(ray), end(ray), false);
            *hit = found.map_or(Hit::MISS, |(prim, t)| Hit { t, prim });
        }
    }

    fn closest_points(&self, points: &[Vec3], found: &mut [Hit]) -> bool {
        for (&point, found) in points.iter().zip(found) {
            let point = Vector::new(point.x, point.y, point.z);
            let (projection, prim) = self.0.project_local_point_and_get_location(point, false);
            *found = Hit {
                t: (projection.point - point).length(),
                prim: prim.0,
            };
        }
        true
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.0.intersects_local_ray(&theirs(ray), end(ray));
        }
    }
}

fn theirs(ray: &Ray) -> parry3d::query::Ray {
    parry3d::query::Ray::new(Vector::from(ray.origin), Vector::from(ray.dir))
}

/// Returns a finite end of the ray, as parry requires.
fn end(ray: &Ray) -> f32 {
    ray.t_max.min(f32::MAX)
}

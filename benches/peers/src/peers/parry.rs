//! parry3d: its triangle mesh.

use crate::engine::{Builder, Built, Engine, Queries};
use crate::ray::{Hit, Ray};
use estoc::glam::Vec3;
use parry3d::math::Vector;
use parry3d::query::{PointQueryWithLocation, RayCast};
use parry3d::shape::{CompositeShapeRef, TriMesh};

const NAME: &str = "parry";

pub(super) fn builders() -> Vec<Builder> {
    let builder = Builder::new(NAME, "default", vec![NAME.to_owned()], |scene, _| {
        let positions = scene.mesh.positions().iter();
        let positions = positions.map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let mesh = TriMesh::new(positions, scene.mesh.indices().to_vec());
        let mesh = mesh.map_err(|error| error.to_string())?;
        Ok(Built {
            bytes: None,
            engines: vec![Engine::single(NAME, Parry(mesh))],
        })
    });
    vec![builder.up_to(3_000_000)]
}

struct Parry(TriMesh);

impl Queries for Parry {
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

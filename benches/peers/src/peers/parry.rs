//! parry3d and parry3d-f64: their triangle mesh.

use crate::engine::Builder;

pub(super) fn builders() -> Vec<Builder> {
    vec![in_f32::builder("parry")]
}

pub(super) fn double_builders() -> Vec<Builder<f64>> {
    vec![in_f64::builder("parry-f64")]
}

/// Makes a module of one of its two crates, which have the same interface.
macro_rules! ask_parry {
    ($module:ident, $parry:ident, $number:ty, $point:ty, $scene:ident => $mesh:expr) => {
        mod $module {
            use crate::engine::{Builder, Built, Engine, Queries};
            use crate::ray::{Hit, Ray};
            use $parry::math::Vector;
            use $parry::query::{PointQueryWithLocation, RayCast};
            use $parry::shape::{CompositeShapeRef, TriMesh};

            pub(super) fn builder(name: &'static str) -> Builder<$number> {
                let build = move |$scene: &std::sync::Arc<crate::scenes::Scene>, _| {
                    let mesh = $mesh;
                    let positions = mesh.positions().iter();
                    let positions = positions.map(|p| Vector::new(p.x, p.y, p.z)).collect();
                    let mesh = TriMesh::new(positions, mesh.indices().to_vec());
                    let mesh = mesh.map_err(|error| error.to_string())?;
                    Ok(Built {
                        bytes: None,
                        engines: vec![Engine::single(name, Parry(mesh))],
                    })
                };
                Builder::new(name, "default", vec![name.to_owned()], build).up_to(3_000_000)
            }

            struct Parry(TriMesh);

            impl Queries<$number> for Parry {
                fn closest_hits(&self, rays: &[Ray<$number>], hits: &mut [Hit<$number>]) {
                    let mesh = CompositeShapeRef(&self.0);
                    for (ray, hit) in rays.iter().zip(hits) {
                        let found = mesh.cast_local_ray(&theirs(ray), end(ray), false);
                        *hit = found.map_or(Hit::MISS, |(prim, t)| Hit { t, prim });
                    }
                }

                fn closest_points(&self, points: &[$point], found: &mut [Hit<$number>]) -> bool {
                    for (&point, found) in points.iter().zip(found) {
                        let point = Vector::new(point.x, point.y, point.z);
                        let (projection, prim) =
                            self.0.project_local_point_and_get_location(point, false);
                        *found = Hit {
                            t: (projection.point - point).length(),
                            prim: prim.0,
                        };
                    }
                    true
                }

                fn any_hits(&self, rays: &[Ray<$number>], hits: &mut [bool]) {
                    for (ray, hit) in rays.iter().zip(hits) {
                        *hit = self.0.intersects_local_ray(&theirs(ray), end(ray));
                    }
                }
            }

            fn theirs(ray: &Ray<$number>) -> $parry::query::Ray {
                $parry::query::Ray::new(Vector::from(ray.origin), Vector::from(ray.dir))
            }

            /// Returns a finite end of the ray, as parry requires.
            fn end(ray: &Ray<$number>) -> $number {
                ray.t_max.min(<$number>::MAX)
            }
        }
    };
}

ask_parry!(in_f32, parry3d, f32, estoc::glam::Vec3, scene => &scene.mesh);
ask_parry!(in_f64, parry3d_f64, f64, estoc::glam::DVec3, scene => scene.doubles());

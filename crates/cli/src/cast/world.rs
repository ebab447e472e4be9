//! Hits in the coordinates of the world.

use super::columns::{Place, Point};
use crate::failure::Failure;
use estoc::glam::DAffine3;
use estoc::scene::{Placement, Ray64, Scene, SceneHit, SceneSnapshot, ShapeSurface};
use estoc::{Bvh, Mesh};
use std::sync::Arc;

/// Returns the scene of a mesh in a local frame, where its file has it.
pub(super) fn in_world(mesh: &Mesh, bvh: Bvh) -> Result<Arc<SceneSnapshot>, Failure> {
    let to_origin = DAffine3::from_translation(mesh.origin());
    let refused = |error: &dyn std::fmt::Display| Failure::Usage(format!("--local-frame: {error}"));
    let placed = Placement::new(bvh, &to_origin).map_err(|error| refused(&error))?;
    let mut scene = Scene::new();
    scene.add(placed).map_err(|error| refused(&error))?;
    scene.try_commit().map_err(|error| refused(&error))
}

/// Returns where a hit is in the world.
pub(super) fn place(world: &SceneSnapshot, ray: &Ray64, hit: &SceneHit) -> Option<Place> {
    if let Some(details) = world.shape_details(ray, hit) {
        let ShapeSurface { point, normal, .. } = details.surface;
        let point = Point::World(point);
        return Some(Place { point, normal });
    }
    let details = world.details(hit)?;
    Some(Place {
        point: Point::World(details.world_point),
        normal: details.normal,
    })
}

//! Hits in the coordinates of the world.

use super::columns::HitPlace;
use crate::frame::Point;
use estoc::scene::{Ray64, SceneHit, SceneSnapshot, ShapeSurface};

/// Returns where a hit is in the world.
pub(super) fn place(world: &SceneSnapshot, ray: &Ray64, hit: &SceneHit) -> Option<HitPlace> {
    if let Some(details) = world.shape_details(ray, hit) {
        let ShapeSurface { point, normal, .. } = details.surface;
        let point = Point::World(point);
        return Some(HitPlace { point, normal });
    }
    let details = world.details(hit)?;
    Some(HitPlace {
        point: Point::World(details.world_point),
        normal: details.normal,
    })
}

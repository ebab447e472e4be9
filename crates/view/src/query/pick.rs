//! What is under a pixel.

use crate::bounds;
use crate::model::Model;
use crate::refusal::Refusal;
use crate::request::{PixelRequest, within};
use estoc::RayQuery;
use estoc::scene::SceneHit;
use estoc_picture::Target;
use serde_json::{Value, json};

/// Returns the hit of the ray through a pixel with all its details, its name, the corners of its
/// triangle, and the command that repeats it.
pub(crate) fn pick(asked: &PixelRequest, model: &dyn Model) -> Result<Value, Refusal> {
    let size = asked.seen.size(bounds::PICTURE_PIXELS)?;
    let pixel = within(asked.pixel, size)?;
    let view = asked.seen.view();
    let ray = view.camera(size)?.ray(pixel);
    let target = model.target();
    let hit = target.world().closest_hit(&ray);
    Ok(json!({
        "ray": { "origin": ray.origin.to_array(), "dir": ray.dir.to_array() },
        "hit": hit.map(|hit| model.describe(&ray, &hit)),
        "name": hit.and_then(|hit| model.object_name(&hit).map(str::to_owned)),
        "corners": hit.and_then(|hit| corners(target, &hit)),
        "command": format!(
            "estoc pick {} --size {size} {} --pixel {},{}",
            model.arguments(),
            model.view_options(&view),
            decimal(pixel.x),
            decimal(pixel.y)
        ),
    }))
}

/// Returns the corners of the triangle that is hit, in the world; `None` for a sphere or a box.
fn corners(target: Target<'_>, hit: &SceneHit) -> Option<[[f32; 3]; 3]> {
    let triangle = target.triangle(hit)?;
    Some(triangle.corners().map(|corner| corner.to_array()))
}

/// Formats a coordinate with a decimal point: without one, it would mean the centre of a pixel.
fn decimal(x: f32) -> String {
    format!("{x:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_a_decimal_point() {
        assert_eq!(
            [0.0, 12.0, 12.5, 0.1].map(decimal),
            ["0.0", "12.0", "12.5", "0.1"]
        );
    }
}

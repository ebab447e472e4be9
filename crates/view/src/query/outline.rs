//! Which pixels show the object under the pointer.

use crate::bounds;
use crate::model::Model;
use crate::refusal::Refusal;
use crate::request::{OutlineRequest, within};
use estoc::RayQuery;
use estoc::scene::SceneHit;
use estoc_picture::{Size, closest_hits_of};
use serde_json::{Value, json};

/// Returns the name of the object under a pixel, or of the part asked about, and the pixels that show it,
/// on a grid of the picture's shape: the lengths of runs row by row, of others and of its pixels in turn.
pub(crate) fn outline(asked: &OutlineRequest, model: &dyn Model) -> Result<Value, Refusal> {
    let size = asked.seen.size(bounds::PICTURE_PIXELS)?;
    let view = asked.seen.view();
    let target = model.target();
    let ray = match asked.pixel {
        Some(pixel) => Some(view.camera(size)?.ray(within(pixel, size)?)),
        None => None,
    };
    let hit = ray.and_then(|ray| target.world().closest_hit(&ray));
    let part = match (&hit, &asked.part) {
        (Some(hit), _) => OutlinedPart {
            path: path_of(model, hit),
            name: model.object_name(hit),
        },
        (None, Some(part)) if ray.is_none() => OutlinedPart {
            path: part.path.clone(),
            name: part.name.as_deref(),
        },
        _ => return Ok(json!({ "name": null, "outline": null, "distance": null })),
    };
    let grid = grid(size);
    let hits = closest_hits_of(target, &view, grid)?;
    // Many hits after each other are on the same placement.
    let (mut before, mut has_path) = (None, false);
    let is_part = hits.iter().map(|hit| {
        let Some(hit) = hit else { return false };
        if before != Some(hit.path) {
            before = Some(hit.path);
            has_path = path_of(model, hit) == part.path;
        }
        has_path && model.object_name(hit) == part.name
    });
    let runs = runs(is_part);
    let point = ray.zip(hit).map(|(ray, hit)| ray.at(hit.t).to_array());
    Ok(json!({
        "name": part.name,
        "instance": (!part.path.is_empty()).then_some(&part.path),
        "distance": hit.map(|hit| hit.t),
        "point": point,
        "outline": { "width": grid.width(), "height": grid.height(), "runs": runs },
    }))
}

/// What is outlined together.
struct OutlinedPart<'a> {
    path: String,
    name: Option<&'a str>,
}

/// Returns the numbers of the placements, or nothing for a mesh.
fn path_of(model: &dyn Model, hit: &SceneHit) -> String {
    match model.target().is_scene() {
        true => hit.path.to_string(),
        false => String::new(),
    }
}

/// Returns the size of the grid.
fn grid(size: Size) -> Size {
    let longest = size.width().max(size.height());
    let side = |side: usize| match longest > bounds::OUTLINE_SIDE {
        true => (side * bounds::OUTLINE_SIDE).div_ceil(longest),
        false => side,
    };
    Size::try_new(side(size.width()), side(size.height())).unwrap_or(size)
}

/// Returns the lengths of runs of `false` and `true` in turn, the first of `false`.
fn runs(values: impl Iterator<Item = bool>) -> Vec<u32> {
    let mut runs = vec![0];
    let mut of = false;
    for value in values {
        if value != of {
            runs.push(0);
            of = value;
        }
        if let Some(last) = runs.last_mut() {
            *last += 1;
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_begin_with_other_pixels() {
        let of = |text: &str| runs(text.bytes().map(|byte| byte == b'x'));
        assert_eq!(of(""), [0]);
        assert_eq!(of("..xx.x"), [2, 2, 1, 1]);
        assert_eq!(of("xx."), [0, 2, 1]);
    }

    #[test]
    fn grids_have_the_shape_of_the_picture() {
        let grid = |text: &str| grid(text.parse().unwrap()).to_string();
        assert_eq!(grid("640x480"), "320x240");
        assert_eq!(grid("320x1"), "320x1");
        assert_eq!(grid("100x50"), "100x50");
        assert_eq!(grid("8192x1"), "320x1");
        assert_eq!(grid("480x641"), "240x320");
    }
}

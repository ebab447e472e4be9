//! Which pixels show the object under the pointer.

use crate::bounds;
use crate::model::Model;
use crate::refusal::Refusal;
use crate::request::PixelRequest;
use estoc::scene::{SceneHit, ScenePath};
use estoc_picture::{Size, closest_hits_of};
use serde_json::{Value, json};

/// Returns the name of the object under a pixel and the pixels that show it, on a grid of the picture's
/// shape: the lengths of runs row by row, of others and of its pixels in turn.
pub(crate) fn outline(asked: &PixelRequest, model: &dyn Model) -> Result<Value, Refusal> {
    let size = asked.seen.size(bounds::PICTURE_PIXELS)?;
    let pixel = asked.pixel(size)?;
    let view = asked.seen.view();
    let ray = view.camera(size)?.ray(pixel);
    let target = model.target();
    let Some(hit) = target.closest_hit(&ray) else {
        return Ok(json!({ "name": null, "instance": null, "outline": null }));
    };
    let object = Part::of(model, &hit);
    let grid = grid(size);
    let hits = closest_hits_of(target, &view, grid)?;
    let is_object = hits.iter().map(|hit| {
        let part = hit.as_ref().map(|hit| Part::of(model, hit));
        part.as_ref() == Some(&object)
    });
    let path = hit.path;
    Ok(json!({
        "name": object.name,
        "instance": (path != ScenePath::ROOT).then(|| path.to_string()),
        "outline": { "width": grid.width(), "height": grid.height(), "runs": runs(is_object) },
    }))
}

/// What is outlined together.
#[derive(PartialEq)]
struct Part<'a> {
    path: ScenePath,
    name: Option<&'a str>,
}

impl<'a> Part<'a> {
    fn of(model: &'a dyn Model, hit: &SceneHit) -> Self {
        Part {
            path: hit.path,
            name: model.object_name(hit),
        }
    }
}

/// Returns the size of the grid.
fn grid(size: Size) -> Size {
    let longest = size.width().max(size.height());
    let side = |side: usize| match longest > bounds::OUTLINE_SIDE {
        true => (side * bounds::OUTLINE_SIDE).div_ceil(longest),
        false => side,
    };
    Size::new(side(size.width()), side(size.height())).unwrap_or(size)
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

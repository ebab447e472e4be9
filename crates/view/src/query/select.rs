//! What is in a rectangle of the picture.

use crate::bounds;
use crate::model::Model;
use crate::refusal::Refusal;
use crate::request::RectangleRequest;
use estoc::camera::Viewport;
use estoc::scene::{SceneHit, ScenePath};
use estoc::{Hit, RegionQuery};
use estoc_picture::{Size, closest_hits_of};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// The names that are listed.
const LISTED: usize = 20;

/// Returns the bytes that the hits of all pixels take.
///
/// # Errors
/// [`Refusal::Value`] for a picture without pixels, or with too many.
pub(crate) fn bytes_to_select(asked: &RectangleRequest) -> Result<usize, Refusal> {
    let size = asked.seen.size(bounds::SELECT_PIXELS)?;
    Ok(2 * size_of::<Option<SceneHit>>() * size.pixel_count())
}

/// Returns the numbers of triangles with a point in the frustum of a rectangle, of a mesh in `f32`, and of
/// the triangles and instances that the pixels of the rectangle show.
pub(crate) fn select(asked: &RectangleRequest, model: &dyn Model) -> Result<Value, Refusal> {
    let size = asked.seen.size(bounds::SELECT_PIXELS)?;
    let view = asked.seen.view();
    let [x, y, width, height] = asked.rectangle;
    let rectangle = Viewport::new(width, height).at(x, y);
    let frustum = view.camera(size)?.frustum(rectangle)?;
    let target = model.target();
    // Of the objects of a mesh, and of the instances of a scene; without a frustum, of what is seen.
    let mut names = BTreeMap::<String, usize>::new();
    let inside = target.bvh().map(|bvh| {
        let prims = bvh.overlaps(&frustum);
        for &prim in &prims {
            let [t, u, v] = [0.0; 3];
            let hit = SceneHit::triangle(ScenePath::ROOT, Hit { t, u, v, prim });
            count(&mut names, model.object_name(&hit));
        }
        prims.len()
    });
    // What is seen through the centres of pixels.
    let mut seen = HashSet::new();
    let hits = closest_hits_of(target, &view, size)?;
    for (hit, _) in hits.iter().zip(pixels(size)).filter(|(_, pixel)| {
        let [left, top] = [x, y];
        let [column, row] = pixel.map(|place| place as f32 + 0.5);
        left <= column && column < left + width && top <= row && row < top + height
    }) {
        let Some(hit) = hit else { continue };
        if !seen.insert(hit.id()) || inside.is_some() {
            continue;
        }
        let name = model.object_name(hit);
        if target.is_scene() {
            let name = format!("{} {}", hit.path, name.unwrap_or_default());
            count(&mut names, Some(name.trim_end()));
        } else {
            count(&mut names, name);
        }
    }
    Ok(json!({
        "inside": inside,
        "seen": seen.len(),
        "instances": target.is_scene().then_some(names.len()),
        "names": names.iter().take(LISTED).collect::<Vec<_>>(),
        "more_names": names.len().saturating_sub(LISTED),
    }))
}

fn count(names: &mut BTreeMap<String, usize>, name: Option<&str>) {
    let Some(name) = name else { return };
    match names.get_mut(name) {
        Some(count) => *count += 1,
        None => {
            names.insert(name.to_owned(), 1);
        }
    }
}

/// Returns the columns and rows of all pixels, row by row.
fn pixels(size: Size) -> impl Iterator<Item = [usize; 2]> {
    (0..size.height()).flat_map(move |row| (0..size.width()).map(move |column| [column, row]))
}

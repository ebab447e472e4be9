//! What a page learns first: the name, the view, the shades, and the progress of loading.

use crate::bounds;
use crate::model_state::{Loading, ModelState, Shown};
use estoc_picture::{Shade, View, ViewProjection};
use serde_json::{Value, json};

/// Describes the state as an object of schema "estoc.view/1".
pub(crate) fn about(state: &ModelState) -> Value {
    let now = state.now();
    let loading = |loading: &Loading| json!({ "doing": loading.doing, "share": loading.share });
    json!({
        "schema": "estoc.view/1",
        "name": state.name(),
        "watched": state.is_watched(),
        "loading": now.loading.as_ref().map(loading),
        "problem": now.problem,
        "shown": now.shown.as_ref().map(shown),
    })
}

fn shown(shown: &Shown) -> Value {
    let target = shown.model.target();
    let bounds = target.bounds();
    let corners = (!bounds.is_empty()).then(|| [bounds.min(), bounds.max()].map(|p| p.to_array()));
    let is_scene = target.is_scene();
    // The page begins with the first.
    let first = match is_scene {
        true => Shade::Instance,
        false => Shade::Facing,
    };
    let others = Shade::ALL.into_iter().filter(|&shade| {
        // There is no other mesh to measure from.
        shade != first && shade != Shade::Distance && target.lacks(shade).is_none()
    });
    let shades = std::iter::once(first).chain(others);
    let shades = shades.map(|shade| {
        let (name, description) = (shade.name(), shade.description());
        json!({ "name": name, "description": description })
    });
    let View {
        eye,
        at,
        up,
        projection,
    } = shown.view;
    let (fov, ortho) = match projection {
        ViewProjection::Perspective(fov) => (fov, None),
        ViewProjection::Orthographic(height) => (View::DEFAULT_FOV, Some(height)),
    };
    json!({
        "generation": shown.generation,
        "scene": is_scene,
        "bounds": corners,
        "origin": shown.model.origin().to_array(),
        "primitives": target.primitive_count(),
        "shades": shades.collect::<Vec<Value>>(),
        "materials": target.has_materials(),
        "time": shown.model.time(),
        "view": {
            "eye": eye.to_array(), "at": at.to_array(), "up": up.to_array(), "fov": fov,
            "ortho": ortho,
        },
        "limits": { "frame": bounds::FRAME_PIXELS, "picture": bounds::PICTURE_PIXELS },
    })
}

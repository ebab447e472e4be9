//! The facts about a scene.

use super::{bounds, corners_in, names, span};
use crate::failure::Failure;
use crate::frame::{FileFrame, Point};
use crate::mesh_source::MeshSource;
use crate::number::{bytes, counted, grouped, seconds as rounded};
use crate::precise_model::PreciseModel;
use crate::scene_parts::SceneParts;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use estoc::scene::{ObjectSource, SceneObject};
use estoc_picture::Target;
use serde_json::{Value, json};
use std::fmt::Write;

/// Returns the facts about a scene, as text and as an object.
pub(super) fn info(
    source: &MeshSource,
    tree: TreeArgs,
    session: &Session,
) -> Result<(String, Value), Failure> {
    let scene = SceneParts::open(source, tree, session)?;
    let objects = objects(&scene);
    let (rows, objects): (Vec<String>, Vec<Value>) = objects.into_iter().unzip();
    Ok((text(source, &scene, rows), object(source, &scene, objects)))
}

/// Returns each object as the end of a row and as JSON.
fn objects(scene: &SceneParts) -> Vec<(String, Value)> {
    let mut placed = vec![0; scene.loaded.file().objects().len()];
    for placement in scene.loaded.file().placements() {
        placed[placement.object] += 1;
    }
    let objects = scene.loaded.objects().zip(placed);
    let objects = objects.map(|((object, is), placed)| {
        let (triangles, shapes) = match &is {
            SceneObject::Mesh(bvh) => (bvh.triangle_count(), 0),
            SceneObject::Mesh64(bvh) => (bvh.triangle_count(), 0),
            SceneObject::Scene(scene) => (scene.triangle_count(), scene.shape_count()),
            SceneObject::Shapes(shapes) => (0, shapes.len()),
            _ => (0, 0),
        };
        let is_wide = matches!(is, SceneObject::Mesh64(_));
        let source = object.source_name();
        let (what, is_scene) = match &object.source {
            ObjectSource::Shapes(shapes) => (shapes.to_string(), false),
            of => {
                let shapes = match shapes {
                    0 => String::new(),
                    count => format!(", {}", counted(count, "shape")),
                };
                let wide = if is_wide { " in f64" } else { "" };
                let what = format!("{source}, {}{wide}{shapes}", counted(triangles, "triangle"));
                let is_scene =
                    matches!(of, ObjectSource::SceneFile(_) | ObjectSource::DemoScene(_));
                (what, is_scene)
            }
        };
        let row = format!(
            "{}: {what}, placed {}",
            object.name,
            counted(placed, "time")
        );
        let object = json!({
            "name": object.name,
            "source": source,
            "is_scene": is_scene,
            "precision": match &is {
                SceneObject::Mesh(_) => Some("f32"),
                SceneObject::Mesh64(_) => Some("f64"),
                _ => None,
            },
            "triangles": triangles,
            "shapes": shapes,
            "placed": placed,
        });
        (row, object)
    });
    objects.collect()
}

/// Returns the number of triangles of all meshes, and the bytes of the trees over them.
fn stored(scene: &SceneParts) -> (usize, usize) {
    let meshes = scene.meshes.iter().map(PreciseModel::stored);
    meshes.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

fn text(source: &MeshSource, scene: &SceneParts, objects: Vec<String>) -> String {
    let snapshot = scene.loaded.snapshot();
    let mut text = format!("{source}\n");
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<10} {value}");
    };
    let all = scene.loaded.file().objects().iter();
    row("objects", names(all.map(|object| &object.name)));
    row("placements", grouped(snapshot.placement_count()));
    let (triangles, tree_bytes) = stored(scene);
    row(
        "triangles",
        format!(
            "{} placed, {} stored",
            grouped(snapshot.triangle_count()),
            grouped(triangles)
        ),
    );
    if snapshot.shape_count() > 0 {
        let shapes = grouped(snapshot.shape_count());
        row("shapes", format!("{shapes} placed"));
    }
    row("depth", snapshot.depth().to_string());
    row("bounds", span(corners(scene)));
    row(
        "closed",
        match (snapshot.closed_objects(), snapshot.open_objects()) {
            (0, 0) => "undefined (nothing is placed)".into(),
            (_, 0) => "yes".into(),
            (closed, open) => format!(
                "no, {} of {} are open",
                grouped(open),
                counted(closed.saturating_add(open), "placed object")
            ),
        },
    );
    for object in objects {
        row("object", object);
    }
    row(
        "memory",
        format!("{} of trees over meshes", bytes(tree_bytes)),
    );
    row("read in", format!("{:.3} s", scene.taken.as_secs_f64()));
    text
}

fn object(source: &MeshSource, scene: &SceneParts, objects: Vec<Value>) -> Value {
    let snapshot = scene.loaded.snapshot();
    let (triangles, tree_bytes) = stored(scene);
    json!({
        "schema": "estoc.scene-info/1",
        "scene": source.to_string(),
        "placements": snapshot.placement_count(),
        "triangles": snapshot.triangle_count(),
        "stored_triangles": triangles,
        "shapes": snapshot.shape_count(),
        "depth": snapshot.depth(),
        "bounds": bounds(corners(scene)),
        "closed_meshes": snapshot.closed_objects(),
        "open_meshes": snapshot.open_objects(),
        "objects": objects,
        "tree_bytes": tree_bytes,
        "seconds": rounded(scene.taken.as_secs_f64()),
    })
}

/// Returns the corners of the box around all that is placed: as `f32`s, unless a mesh is in `f64`.
fn corners(scene: &SceneParts) -> Option<[Point; 2]> {
    let snapshot = scene.loaded.snapshot();
    match scene.has_f64() {
        true => Some(snapshot.bounds()?.map(Point::World)),
        false => corners_in(&Target::scene(snapshot).bounds(), FileFrame::FILE),
    }
}

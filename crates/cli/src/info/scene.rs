//! The facts about a scene.

use super::{bounds, names, span};
use crate::common::Session;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::mesh_source::MeshSource;
use crate::number::{bytes, counted, grouped, seconds as rounded};
use crate::scene_model::SceneModel;
use crate::tree_args::TreeArgs;
use estoc::scene::{ObjectSource, SceneObject};
use serde_json::{Value, json};
use std::fmt::Write;

/// An object of the scene.
struct Object {
    name: String,
    source: String,
    /// The number of spheres and of boxes, in words, if it is a list of them.
    shapes: Option<String>,
    is_scene: bool,
    triangles: usize,
    shape_count: usize,
    placed: usize,
}

/// Returns the facts about a scene, as text and as an object.
pub(super) fn info(
    source: &MeshSource,
    tree: TreeArgs,
    session: &Session,
) -> Result<(String, Value), Failure> {
    let scene = SceneModel::open(source, tree, session)?;
    let objects = objects(&scene);
    Ok((
        text(source, &scene, &objects),
        object(source, &scene, &objects),
    ))
}

fn objects(scene: &SceneModel) -> Vec<Object> {
    let mut placed = vec![0; scene.loaded.file().objects().len()];
    for placement in scene.loaded.file().placements() {
        placed[placement.object] += 1;
    }
    let objects = scene.loaded.objects().zip(placed);
    let objects = objects.map(|((object, is), placed)| Object {
        name: object.name.clone(),
        source: object.source_name(),
        shapes: match &object.source {
            ObjectSource::Shapes(shapes) => Some(shapes.to_string()),
            _ => None,
        },
        is_scene: matches!(
            object.source,
            ObjectSource::SceneFile(_) | ObjectSource::DemoScene(_)
        ),
        triangles: match &is {
            SceneObject::Mesh(bvh) => bvh.triangle_count(),
            SceneObject::Scene(scene) => scene.triangle_count(),
            _ => 0,
        },
        shape_count: match &is {
            SceneObject::Shapes(shapes) => shapes.len(),
            SceneObject::Scene(scene) => scene.shape_count(),
            _ => 0,
        },
        placed,
    });
    objects.collect()
}

/// Returns the number of triangles of all meshes, and the bytes of the trees over them.
fn stored(scene: &SceneModel) -> (usize, usize) {
    let meshes = scene.meshes.iter().map(|mesh| mesh.model().bvh);
    meshes.fold((0, 0), |(triangles, bytes), bvh| {
        let more = bvh.stats().bytes;
        (triangles + bvh.triangle_count(), bytes + more)
    })
}

fn text(source: &MeshSource, scene: &SceneModel, objects: &[Object]) -> String {
    let snapshot = scene.snapshot();
    let mut text = format!("{source}\n");
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<10} {value}");
    };
    row("objects", names(objects.iter().map(|object| &object.name)));
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
    row("bounds", span(&scene.seen().bounds(), Frame::FILE));
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
        let what = match &object.shapes {
            Some(shapes) => shapes.clone(),
            None => {
                let triangles = counted(object.triangles, "triangle");
                let shapes = match object.shape_count {
                    0 => String::new(),
                    count => format!(", {}", counted(count, "shape")),
                };
                format!("{}, {triangles}{shapes}", object.source)
            }
        };
        let placed = counted(object.placed, "time");
        row(
            "object",
            format!("{}: {what}, placed {placed}", object.name),
        );
    }
    row(
        "memory",
        format!("{} of trees over meshes", bytes(tree_bytes)),
    );
    row("read in", format!("{:.3} s", scene.taken.as_secs_f64()));
    text
}

fn object(source: &MeshSource, scene: &SceneModel, objects: &[Object]) -> Value {
    let snapshot = scene.snapshot();
    let (triangles, tree_bytes) = stored(scene);
    let objects = objects.iter().map(|object| {
        json!({
            "name": object.name,
            "source": object.source,
            "is_scene": object.is_scene,
            "triangles": object.triangles,
            "shapes": object.shape_count,
            "placed": object.placed,
        })
    });
    json!({
        "schema": "estoc.scene-info/1",
        "scene": source.to_string(),
        "placements": snapshot.placement_count(),
        "triangles": snapshot.triangle_count(),
        "stored_triangles": triangles,
        "shapes": snapshot.shape_count(),
        "depth": snapshot.depth(),
        "bounds": bounds(&scene.seen().bounds(), Frame::FILE),
        "closed_meshes": snapshot.closed_objects(),
        "open_meshes": snapshot.open_objects(),
        "objects": objects.collect::<Vec<Value>>(),
        "tree_bytes": tree_bytes,
        "seconds": rounded(scene.taken.as_secs_f64()),
    })
}

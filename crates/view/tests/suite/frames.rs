//! Frames and pictures equal those that `estoc-picture` paints.

use crate::common::{MeshModel, MovingModel, Running};
use estoc::glam::Vec3;
use estoc_picture::{Paint, Picture, Shade, Size, View, ViewProjection};
use estoc_view::Model;
use serde_json::{Value, json};

/// Returns the view of a body.
fn view_of(body: &Value) -> View {
    let point = |name: &str| {
        let number = |i: usize| body[name][i].as_f64().unwrap() as f32;
        Vec3::new(number(0), number(1), number(2))
    };
    View {
        eye: point("eye"),
        at: point("at"),
        up: point("up"),
        projection: match body["ortho"].as_f64() {
            None => ViewProjection::Perspective(body["fov"].as_f64().unwrap() as f32),
            Some(height) => ViewProjection::Orthographic(height as f32),
        },
    }
}

#[test]
fn frames_have_the_pixels_of_pictures_however_they_are_refined() {
    let running = Running::showing(MeshModel::new("solids?n=200"));
    let model = MeshModel::new("solids?n=200");
    let size = Size::try_new(50, 40).unwrap();
    for (shade, samples) in [
        (Shade::Ao, vec![1, 2, 5]),
        (Shade::Depth, vec![1, 4, 2, 2]),
        (Shade::Heat, vec![1]),
    ] {
        for samples in samples {
            let more = json!({ "client": "one", "shade": shade.name(), "samples": samples, "legend": true });
            let body = running.seen([50, 40], &more);
            let answer = running.ask("/frame", Some(&body)).ok();
            assert_eq!(answer.field("estoc-size"), "50x40");
            assert_eq!(answer.field("estoc-samples"), samples.to_string());
            let paint = Paint::new(model.target()).shade(shade).samples(samples);
            let painted = paint.paint(&view_of(&body), size).unwrap();
            assert!(
                answer.body == painted.picture.rgba().unwrap(),
                "{shade} {samples}"
            );
        }
    }
}

#[test]
fn scenes_begin_with_a_colour_for_each_placement_and_meshes_with_the_angle() {
    let first = |running: Running| running.ask("/about", None).object()["shown"]["shades"].clone();
    let names = |shades: Value| -> Vec<String> {
        let shades = shades.as_array().unwrap().iter();
        let name = |shade: &Value| shade["name"].as_str().unwrap().to_owned();
        shades.map(name).collect()
    };
    let mesh = names(first(Running::showing(MeshModel::new("box"))));
    let scene = names(first(Running::showing(MovingModel::new(0.0))));
    assert_eq!(
        mesh,
        [
            "facing",
            "depth",
            "normal",
            "id",
            "material",
            "ao",
            "heat",
            "thickness",
            "sphere-thickness"
        ]
    );
    assert_eq!((&*scene[0], &*scene[1]), ("instance", "depth"));
    assert_eq!(scene.iter().filter(|&name| name == "instance").count(), 1);
}

#[test]
fn pictures_are_those_of_render_with_its_command() {
    let running = Running::showing(MeshModel::new("box"));
    let model = MeshModel::new("box");
    let more = json!({ "client": "one", "shade": "normal", "samples": 3 });
    let body = running.seen([30, 20], &more);
    let answer = running.ask("/picture", Some(&body)).ok();
    let paint = Paint::new(model.target()).shade(Shade::Normal).samples(3);
    let size = Size::try_new(30, 20).unwrap();
    let painted = paint.paint(&view_of(&body), size).unwrap().picture;
    let mut bytes = Vec::new();
    painted.write_png(&mut bytes).unwrap();
    assert!(answer.body == bytes);
    assert_eq!(
        Picture::read_png(std::io::Cursor::new(&answer.body)).unwrap(),
        painted
    );
    let fov = body["fov"].as_f64().unwrap();
    assert_eq!(
        answer.field("estoc-command"),
        format!(
            "estoc render mesh.obj --size 30x20 --fov {fov} --shade normal --samples 3 --out picture.png"
        )
    );
}

#[test]
fn frames_show_scenes_at_their_time() {
    let running = Running::showing(MovingModel::new(1.0));
    let about = running.ask("/about", None).object();
    assert_eq!(about["shown"]["time"], 1.0);
    assert_eq!(about["shown"]["scene"], true);
    let frame = |time: Option<f64>| {
        let more = json!({ "client": "one", "shade": "instance", "samples": 1 });
        let mut body = running.seen([40, 30], &more);
        if let Some(time) = time {
            body["time"] = json!(time);
        }
        running.ask("/frame", Some(&body)).ok().body
    };
    let at_start = frame(None);
    assert!(frame(Some(1.0)) == at_start);
    let later = frame(Some(3.5));
    assert!(later != at_start);
    assert!(frame(Some(3.5)) == later);
}

#[test]
fn orthographic_frames_picks_and_commands_are_those_of_the_view() {
    let running = Running::showing(MeshModel::new("solids?n=200"));
    let model = MeshModel::new("solids?n=200");
    let size = Size::try_new(50, 40).unwrap();
    let more =
        json!({ "client": "one", "shade": "facing", "samples": 1, "legend": false, "ortho": 1.5 });
    let mut body = running.seen([50, 40], &more);
    let frame = running.ask("/frame", Some(&body)).ok();
    let view = view_of(&body);
    assert_eq!(view.projection, ViewProjection::Orthographic(1.5));
    let paint = Paint::new(model.target()).shade(Shade::Facing);
    let paint = paint.samples(1).legend(false);
    let painted = paint.paint(&view, size).unwrap();
    assert!(frame.body == painted.picture.rgba().unwrap());
    // Another height is another frame, and so is a perspective.
    for ortho in [json!(1.25), Value::Null] {
        body["ortho"] = ortho;
        assert!(running.ask("/frame", Some(&body)).ok().body != frame.body);
    }
    body["ortho"] = json!(1.5);
    body["pixel"] = json!([25.0, 20.0]);
    let pick = running.ask("/pick", Some(&body)).object();
    let ray = view.camera(size).unwrap().ray([25.0, 20.0]);
    assert_eq!(pick["ray"]["origin"], json!(ray.origin.to_array()));
    assert_eq!(pick["ray"]["origin"], body["eye"]);
    let command = pick["command"].as_str().unwrap();
    assert!(
        command.contains(" --ortho 1.5 --pixel 25.0,20.0"),
        "{command}"
    );
    body["rectangle"] = json!([0.0, 0.0, 50.0, 40.0]);
    let selected = running.ask("/select", Some(&body)).object();
    assert!(selected["inside"].as_u64() >= selected["seen"].as_u64());
    assert!(selected["seen"].as_u64().unwrap() > 0);
    for bad in [0.0, -1.0] {
        body["ortho"] = json!(bad);
        let refused = running.ask("/frame", Some(&body)).refusal(400);
        assert!(
            refused.contains("of what an orthographic camera sees"),
            "{refused}"
        );
    }
}

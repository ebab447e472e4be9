//! Clicks, outlines, rectangles and sections.

use crate::common::{MeshModel, MovingModel, Running};
use estoc::{Plane, RegionQuery};
use serde_json::{Value, json};

#[test]
fn clicks_answer_what_is_there_and_how_to_repeat_it() {
    let running = Running::showing(MeshModel::new("box"));
    let pick = |x: f32, y: f32| {
        let body = running.seen([64, 48], &json!({ "pixel": [x, y] }));
        running.ask("/pick", Some(&body)).object()
    };
    let middle = pick(32.0, 24.5);
    assert!(middle["hit"]["t"].as_f64().unwrap() > 0.0);
    assert_eq!(middle["corners"].as_array().unwrap().len(), 3);
    let command = middle["command"].as_str().unwrap();
    assert!(
        command.starts_with("estoc pick mesh.obj --size 64x48 "),
        "{command}"
    );
    assert!(command.ends_with(" --pixel 32.0,24.5"), "{command}");
    let beside = pick(0.5, 0.5);
    assert_eq!(
        (&beside["hit"], &beside["corners"]),
        (&Value::Null, &Value::Null)
    );
    assert!(beside["command"].as_str().unwrap().ends_with("0.5,0.5"));
}

#[test]
fn outlines_are_of_the_object_under_the_pixel_or_of_a_part() {
    let running = Running::showing(MovingModel::new(0.0));
    let outline = |more: Value| {
        let body = running.seen([64, 48], &more);
        running.ask("/outline", Some(&body)).object()
    };
    let pixels_of = |answer: &Value| -> u64 {
        let runs = answer["outline"]["runs"].as_array().unwrap();
        let all: u64 = runs.iter().map(|run| run.as_u64().unwrap()).sum();
        assert_eq!(all, 64 * 48);
        runs.iter()
            .skip(1)
            .step_by(2)
            .map(|run| run.as_u64().unwrap())
            .sum()
    };
    let mut names = Vec::new();
    for number in 0..4 {
        let name = ["ground", "teapot", "sphere", "box"][number];
        let part = json!({ "path": number.to_string(), "name": name });
        let answer = outline(json!({ "part": part }));
        if pixels_of(&answer) > 0 {
            names.push(number);
        }
    }
    assert!(names.contains(&0) && names.len() > 1, "{names:?}");
    // Each pixel shows one of them, or the background.
    let mut found = std::collections::BTreeMap::new();
    for y in (0..48).step_by(4) {
        for x in (0..64).step_by(4) {
            let answer = outline(json!({ "pixel": [x as f32 + 0.5, y as f32 + 0.5] }));
            if answer["outline"].is_null() {
                assert_eq!(answer["name"], Value::Null);
                continue;
            }
            let name = answer["name"].as_str().unwrap().to_owned();
            assert!(answer["distance"].as_f64().unwrap() > 0.0);
            let count = pixels_of(&answer);
            assert_eq!(*found.entry(name).or_insert(count), count);
        }
    }
    assert!(found.contains_key("ground") && found.len() > 1, "{found:?}");
    let none = outline(json!({ "part": { "path": "7", "name": null } }));
    assert_eq!(pixels_of(&none), 0);
    let nothing = outline(json!({}));
    assert!(nothing["outline"].is_null());
}

#[test]
fn rectangles_count_triangles_in_their_frustum() {
    let model = MeshModel::new("sphere?n=2000");
    let triangles = model.world.triangle_count();
    let running = Running::showing(model);
    let select = |rectangle: [f32; 4]| {
        let body = running.seen([64, 48], &json!({ "rectangle": rectangle }));
        running.ask("/select", Some(&body)).object()
    };
    let all = select([0.0, 0.0, 64.0, 48.0]);
    assert_eq!(all["inside"], triangles);
    let half = select([0.0, 0.0, 32.0, 48.0]);
    let inside = half["inside"].as_u64().unwrap() as usize;
    assert!(
        triangles / 3 < inside && inside < triangles * 2 / 3,
        "{inside}"
    );
    assert!(0 < half["seen"].as_u64().unwrap() && half["seen"].as_u64() < all["seen"].as_u64());
    let corner = select([0.0, 0.0, 1.0, 1.0]);
    assert_eq!((&corner["inside"], &corner["seen"]), (&json!(0), &json!(0)));

    let running = Running::showing(MovingModel::new(0.0));
    let body = running.seen([64, 48], &json!({ "rectangle": [0, 0, 64, 48] }));
    let scene = running.ask("/select", Some(&body)).object();
    assert_eq!(scene["inside"], Value::Null);
    let instances = scene["instances"].as_u64().unwrap();
    assert!((2..=4).contains(&instances), "{scene}");
    assert_eq!(scene["names"].as_array().unwrap().len() as u64, instances);
}

#[test]
fn sections_are_those_of_the_mesh() {
    let model = MeshModel::new("sphere?n=2000");
    let plane = Plane::from_offset([0.0, 1.0, 0.0], 0.25).unwrap();
    let section = model.bvh().section(&plane);
    let points: usize = section.polylines.iter().map(|line| line.points.len()).sum();
    let running = Running::showing(model);
    let answer = running
        .ask("/section", Some(&json!({ "plane": [0, 1, 0, -0.25] })))
        .object();
    assert_eq!(answer["count"], section.polylines.len());
    assert_eq!(
        (&answer["closed"], &answer["points"]),
        (&json!(true), &json!(points))
    );
    let line = &answer["polylines"][0]["points"];
    assert_eq!(
        line.as_array().unwrap().len(),
        3 * section.polylines[0].points.len()
    );
    // A circle of the radius sqrt(1 - 0.25^2), nearly.
    let length = answer["length"].as_f64().unwrap();
    assert!((length - 6.083).abs() < 0.05, "{length}");
    assert_eq!(
        answer["command"],
        "estoc section mesh.obj --plane 0,1,0,-0.25"
    );
    let running = Running::showing(MovingModel::new(0.0));
    let refused = running.ask("/section", Some(&json!({ "plane": [0, 1, 0, 0] })));
    assert!(refused.refusal(400).contains("scene"));
}

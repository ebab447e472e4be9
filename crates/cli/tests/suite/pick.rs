//! `estoc pick`.

use crate::common::{Folder, assert_has, estoc, run};
use serde_json::Value;

const HALL: &str = "pick data/hall.obj --size=640x400";
const VIEW: &str = "--eye=-1.35,2.05,-1.2 --at=0.75,4.15,-20 --fov=58.5";

fn pick(line: &str) -> Value {
    run(&format!("{line} --json")).ok_json()
}

#[test]
fn what_is_under_a_pixel_is_what_cast_says_of_its_ray() {
    let mut seen = 0;
    for pixel in ["0,0", "320,160", "639,399", "320.25,110.75", "300,200"] {
        let object = pick(&format!("{HALL} {VIEW} --pixel {pixel}"));
        assert_eq!(object["schema"], "estoc.pick/1");
        let numbers = |value: &Value| {
            let numbers = value.as_array().unwrap();
            numbers
                .iter()
                .map(|x| x.as_f64().unwrap() as f32)
                .collect::<Vec<_>>()
        };
        let ray = &object["ray"];
        let ray = [numbers(&ray["origin"]), numbers(&ray["dir"])].concat();
        let ray: Vec<String> = ray.iter().map(f32::to_string).collect();
        let cast = run(&format!("cast data/hall.obj --ray={}", ray.join(","))).ok();
        let row: Vec<&str> = cast.lines().nth(1).unwrap().split(',').collect();
        let hit = &object["hit"];
        if row[1] == "0" {
            assert_eq!(*hit, Value::Null);
            continue;
        }
        seen += 1;
        assert_eq!(hit["prim"].to_string(), row[3]);
        for (name, text) in [("t", row[2]), ("u", row[4]), ("v", row[5])] {
            let found = hit[name].as_f64().unwrap() as f32;
            assert_eq!(found, text.parse::<f32>().unwrap());
        }
        // The point is on the ray, at a distance of t.
        let (eye, point) = (numbers(&object["eye"]), numbers(&hit["point"]));
        let squares = eye.iter().zip(&point).map(|(a, b)| (a - b) * (a - b));
        let distance = squares.sum::<f32>().sqrt();
        assert!((distance / hit["t"].as_f64().unwrap() as f32 - 1.0).abs() < 1e-5);
    }
    assert!(seen >= 3, "{seen} of 5 pixels show something");
}

#[test]
fn the_table_names_things() {
    let table = run(&format!("{HALL} {VIEW} --pixel 320,160")).ok();
    for line in [
        "object          end_wall",
        "group           rose",
        "material        limestone",
        "side            front",
        "normal          0,0,1",
        "shading normal  none",
        "texture         none",
    ] {
        assert!(table.lines().any(|found| found == line), "{line}:\n{table}");
    }
    assert_has(&table, "(line ");
    let away = "--pixel=320,200 --eye=0,1000,0 --at=0,2000,0 --up=0,0,1";
    let line = format!("{HALL} {away}");
    assert_eq!(run(&line).ok(), "no hit\n");
    assert_eq!(pick(&line)["hit"], Value::Null);
}

#[test]
fn a_whole_pixel_is_its_centre() {
    let at = |pixel| {
        pick(&format!(
            "pick demo:sphere?n=200 --size=40x30 --pixel {pixel}"
        ))
    };
    assert_eq!(at("20,15"), at("20.5,15.5"));
    assert_ne!(at("20,15")["ray"], at("20.0,15.0")["ray"]);
    // A demo scene is not a file, so its faces have no lines.
    assert_eq!(at("20,15")["hit"]["line"], Value::Null);
    assert_ne!(at("20,15")["hit"]["face"], Value::Null);
}

#[test]
fn attributes_of_the_file_are_told() {
    let text = "o flag\nv 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 1\n\
                vn 0 0 1\nvn 1 0 1\nf 1/1/1 2/2/1 3/3/2\n";
    let folder = Folder::with(&[("flag.obj", text)]);
    let view = "--size=2x2 --eye=0.5,0.5,3 --at=0.5,0.5,0 --pixel=1.0,1.0";
    let object = folder
        .run(&format!("pick F/flag.obj {view} --json"))
        .ok_json();
    let hit = &object["hit"];
    assert_eq!(hit["point"], serde_json::json!([0.5, 0.5, 0.0]));
    assert_eq!(hit["texcoord"], serde_json::json!([0.25, 0.25]));
    assert_eq!((&hit["object"], &hit["line"]), (&"flag".into(), &10.into()));
    let shading = hit["shading_normal"].as_array().unwrap();
    assert!(shading[0].as_f64().unwrap() > 0.2, "{shading:?}");
}

#[test]
fn pixels_outside_are_refused() {
    let fails = |pixel| estoc(["pick", "demo:soup?n=5", "--size=8x6", "--pixel", pixel]).fails(2);
    for pixel in ["8,0", "-1,2", "3,6.5", "1e9,1"] {
        let told = format!("{pixel} is outside the picture of 8x6, ");
        assert_has(&fails(pixel), &told);
    }
    for pixel in ["3", "a,b", "1,2,3", "nan,1", ""] {
        assert!(fails(pixel).contains("a column and a row"), "{pixel}");
    }
}

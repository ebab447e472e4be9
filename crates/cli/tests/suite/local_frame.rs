//! Meshes far from 0, and `--local-frame`.

use crate::common::{Ran, estoc, estoc_reading};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;

/// A field of squares of 20 centimetres on a map.
fn field() -> String {
    let mut text = String::new();
    for row in 0..12 {
        for column in 0..12 {
            let [x, y] = [column, row].map(|step| 200 * step);
            let (x, y) = (500_000_125 + x, 5_200_000_375_i64 + y);
            let [x, y] = [x, y].map(|mm| format!("{}.{:03}", mm / 1000, mm % 1000));
            writeln!(text, "v {x} {y} 0.{column}").unwrap();
        }
    }
    for row in 0..11 {
        for column in 0..11 {
            let at = 12 * row + column + 1;
            writeln!(text, "f {at} {} {} {}", at + 1, at + 13, at + 12).unwrap();
        }
    }
    text
}

struct Field {
    _folder: tempfile::TempDir,
    path: String,
}

impl Field {
    fn new() -> Field {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("field.obj");
        fs::write(&path, field()).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let _folder = folder;
        Field { _folder, path }
    }
}

fn info(ran: Ran) -> (Value, String) {
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    (serde_json::from_str(&ran.stdout).unwrap(), ran.stderr)
}

#[test]
fn info_tells_what_is_lost_and_what_a_local_frame_keeps() {
    let field = Field::new();
    let (plain, stderr) = info(estoc(["info", "--json", &field.path]));
    let rounding = &plain["report"]["rounding"];
    // Rows are 20 cm apart, and the nearest f32s half a metre.
    assert!(
        rounding["merged_corners"].as_u64().unwrap() > 50,
        "{rounding}"
    );
    assert!((rounding["largest_movement"].as_f64().unwrap() - 0.2255).abs() < 0.01);
    assert_eq!(rounding["bounds_in_file"]["min"][1], 5_200_000.375);
    assert_eq!(plain["origin"], json!([0.0, 0.0, 0.0]));
    let warning = plain["warnings"].as_array().unwrap().last().unwrap();
    let warning = warning.as_str().unwrap();
    assert!(
        warning.starts_with("rounding to f32 moved a vertex by 0.2"),
        "{warning}"
    );
    assert!(
        warning.contains(" corners equal to others; --local-frame auto keeps"),
        "{warning}"
    );
    assert!(stderr.contains(warning), "{stderr}");

    let auto = estoc(["info", "--json", "--local-frame", "auto", &field.path]);
    let (auto, stderr) = info(auto);
    assert_eq!(auto["origin"], json!([500_001.25, 5_200_001.5, 0.5]));
    assert_eq!(auto["report"]["rounding"]["merged_corners"], 0);
    assert_eq!(auto["warnings"], json!([]));
    let told = "field.obj: coordinates are relative to 500001.25,5200001.5,0.5\n";
    assert!(stderr.ends_with(told), "{stderr}");
    let given = estoc(["info", "--local-frame", "500000,5200000,0", &field.path]);
    assert!(
        given.stdout.contains("\n  origin     500000,5200000,0\n"),
        "{}",
        given.stdout
    );
    assert!(
        given.stdout.contains("\n  rounding   moved a vertex by "),
        "{}",
        given.stdout
    );
    let text = estoc(["info", "-q", &field.path]).ok();
    assert!(text.contains(" corners became equal to others\n"), "{text}");
}

#[test]
fn every_verb_warns_and_stdin_as_well() {
    let field = Field::new();
    let ray = ["--ray", "500001,5200001,9,0,0,-1"];
    for ran in [
        estoc(["cast", &field.path].into_iter().chain(ray)),
        estoc_reading(
            ["cast", "-"].into_iter().chain(ray),
            self::field().as_bytes(),
        ),
    ] {
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let warnings = { ran.stderr.lines() }.filter(|line| line.contains("--local-frame auto"));
        assert_eq!(warnings.count(), 1, "{}", ran.stderr);
        assert!(
            ran.stderr.contains(" corners equal to others; "),
            "{}",
            ran.stderr
        );
    }
    let local = [
        "cast",
        "--local-frame",
        "500000,5200000,0",
        "--ray",
        "1,1.25,9,0,0,-1",
    ];
    let ran = estoc(local.into_iter().chain([&*field.path]));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(!ran.stderr.contains("rounding"), "{}", ran.stderr);
    assert!(
        ran.stdout
            .lines()
            .nth(1)
            .is_some_and(|row| row.starts_with("0,1,8.")),
        "{}",
        ran.stdout
    );
    // Near 0 nothing is said, and a decimal that is not an f32 is no reason to.
    let near = "v 0.1 0 0\nv 1.1 0 0\nv 0 1.3 0\nf 1 2 3\n";
    estoc_reading(["info", "-"], near.as_bytes()).ok();
}

#[test]
fn tree_files_keep_the_origin() {
    let field = Field::new();
    let tree = field.path.replace("field.obj", "field.estoc");
    let built = estoc([
        "build",
        "-q",
        "--local-frame",
        "-5,5200000,1e-3",
        &field.path,
        "-o",
        &tree,
    ]);
    assert_eq!(built.status, 0, "{}", built.stderr);
    let (info, stderr) = info(estoc(["info", "--json", &tree]));
    assert_eq!(info["origin"], json!([-5.0, 5_200_000.0, 0.001]));
    assert_eq!(info["file"]["version"], 3);
    assert!(
        stderr.contains("coordinates are relative to -5,5200000,0.001"),
        "{stderr}"
    );
    let again = estoc(["info", "--local-frame", "auto", &tree]);
    assert!(
        again.stderr.contains("no effect on a tree file"),
        "{}",
        again.stderr
    );
    let demo = estoc(["info", "--local-frame", "auto", "demo:sphere?n=50"]);
    assert!(
        demo.stderr.contains("no effect on a generated scene"),
        "{}",
        demo.stderr
    );
}

#[test]
fn frames_that_are_none_are_refused() {
    for frame in [
        "",
        "here",
        "1,2",
        "1,2,3,4",
        "nan,0,0",
        "0,inf,0",
        "1e999,0,0",
    ] {
        let told = estoc(["info", "--local-frame", frame, "demo:sphere"]).fails(2);
        assert!(told.contains("coordinates X,Y,Z of its origin"), "{told}");
    }
}

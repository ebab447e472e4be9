//! Meshes far from 0, and `--local-frame`.

use crate::common::{Folder, Ran, assert_has, estoc, run, run_reading};
use serde_json::{Value, json};
use std::fmt::Write;

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

fn files() -> Folder {
    Folder::with(&[("field.obj", &field())])
}

fn info(ran: Ran) -> (Value, String) {
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    (ran.json(), ran.stderr)
}

#[test]
fn info_tells_what_is_lost_and_what_a_local_frame_keeps() {
    let folder = files();
    let (plain, stderr) = info(folder.run("info --json F/field.obj"));
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
    let start = "rounding to f32 moved a vertex by 0.2";
    assert!(warning.starts_with(start), "{warning}");
    assert_has(
        warning,
        " corners equal to others; --local-frame auto keeps",
    );
    assert_has(&stderr, warning);

    let auto = folder.run("info --json --local-frame auto F/field.obj");
    let (auto, stderr) = info(auto);
    assert_eq!(auto["origin"], json!([500_001.25, 5_200_001.5, 0.5]));
    assert_eq!(auto["report"]["rounding"]["merged_corners"], 0);
    assert_eq!(auto["warnings"], json!([]));
    assert_eq!(stderr, "");
    // Those of the file, not of the frame.
    assert_eq!(auto["bounds"]["min"][1], 5_200_000.375);
    let ends = &auto["open_edges"]["first"]["from"];
    assert!(ends[0].as_f64().unwrap() >= 500_000.125, "{ends}");
    let given = folder.run("info --local-frame 500000,5200000,0 F/field.obj");
    assert_has(&given.stdout, "\n  origin     500000,5200000,0\n");
    assert_has(&given.stdout, "\n  rounding   moved a vertex by ");
    let text = folder.run("info -q F/field.obj").ok();
    assert_has(&text, " corners became equal to others\n");
}

#[test]
fn every_verb_warns_and_stdin_as_well() {
    let folder = files();
    for mesh in ["F/field.obj", "-"] {
        let line = format!("cast {mesh} --precision f32 --ray 500001,5200001,9,0,0,-1");
        let ran = folder.run_reading(&line, field().as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let warnings = { ran.stderr.lines() }.filter(|line| line.contains("--local-frame auto"));
        assert_eq!(warnings.count(), 1, "{}", ran.stderr);
        assert_has(&ran.stderr, " corners equal to others; ");
    }
    // Near 0 nothing is said, and a decimal that is not an f32 is no reason to.
    let near = b"v 0.1 0 0\nv 1.1 0 0\nv 0 1.3 0\nf 1 2 3\n";
    run_reading("info -", near).ok();
}

/// Rays in map coordinates into the half of each square where x < y, and the triangle that each hits.
fn map_rays() -> (String, Vec<usize>) {
    let (mut text, mut prims) = ("ox,oy,oz,dx,dy,dz\n".to_owned(), Vec::new());
    for row in 0..11 {
        for column in 0..11 {
            let (x, y) = (200 * column + 175, 200 * row + 495);
            let (x, y) = (500_000_000 + x, 5_200_000_000_i64 + y);
            let [x, y] = [x, y].map(|mm| format!("{}.{:03}", mm / 1000, mm % 1000));
            writeln!(text, "{x},{y},9.125,0,0,-2").unwrap();
            prims.push((2 * (11 * row + column) + 1) as usize);
        }
    }
    (text, prims)
}

#[test]
fn rays_are_cast_in_the_coordinates_of_the_map() {
    let folder = files();
    let (rays, prims) = map_rays();
    folder.put("rays.csv", &rays);
    let frame = "--local-frame 500000,5200000,0";
    let build = format!("build -q F/field.obj -o F/field.estoc {frame}");
    folder.run(&build).ok();
    let scene = "object = [{ name = 'a', mesh = 'field.obj' }, { name = 'b', mesh = 'field.estoc' }]\n\
                 [[placement]]\nobject = 'a'\n[[placement]]\nobject = 'b'\n\
                 matrix = [1,0,0,0, 0,1,0,0, 0,0,1,-1]\n";
    folder.put("scene.toml", scene);
    let columns = "--columns ray,prim,t,point,normal";
    let cast = |name: &str, more: &str| {
        folder.run(&format!("cast F/{name} --rays F/rays.csv {columns} {more}"))
    };
    let auto = cast("field.obj", "--local-frame auto").ok();
    assert_eq!(auto.lines().count(), 122);
    for ((row, ray), prim) in auto.lines().zip(rays.lines()).skip(1).zip(&prims) {
        let [row, ray] = [row, ray].map(|line| -> Vec<f64> {
            line.split(',').map(|cell| cell.parse().unwrap()).collect()
        });
        assert_eq!(row[1], *prim as f64, "{row:?}");
        let off = [3, 4].map(|axis| (row[axis] - ray[axis - 3]).abs());
        assert!(off.iter().all(|off| *off < 1e-6), "{row:?} {ray:?}");
        assert!((9.125 - 2.0 * row[2] - row[5]).abs() < 1e-6, "{row:?}");
    }
    // The tree file, and scenes of both, tell the same triangles.
    let prims_of = |text: &str| -> Vec<usize> {
        let rows = text.lines().skip(1);
        rows.map(|row| row.split(',').nth(1).unwrap().parse().unwrap())
            .collect()
    };
    assert_eq!(prims_of(&cast("field.estoc", "").ok()), prims);
    let both = cast("scene.toml", "--query all --local-frame auto");
    assert_eq!(both.status, 0, "{}", both.stderr);
    assert!(!both.stderr.contains("relative"), "{}", both.stderr);
    let both = both.stdout;
    let (first, second): (Vec<_>, Vec<_>) =
        { prims_of(&both).into_iter().enumerate() }.partition(|(place, _)| place % 2 == 0);
    for found in [first, second] {
        assert!(found.iter().map(|(_, prim)| prim).eq(&prims));
    }
    // One ray, and the query of all others.
    let one = "--ray 500000.175,5200000.495,9.125,0,0,-2 --query crossings";
    let line = format!("cast F/field.obj --local-frame auto {one}");
    assert_eq!(folder.run(&line).ok(), "ray,count\n0,1\n");
    let brute = folder.run(&format!("{line} --engine brute"));
    brute.fails_with(2, "--engine brute takes no mesh in a local frame");
}

#[test]
fn tree_files_keep_the_origin() {
    let folder = files();
    let frame = "--local-frame -5,5200000,1e-3";
    let built = folder.run(&format!("build -q {frame} F/field.obj -o F/field.estoc"));
    assert_eq!(built.status, 0, "{}", built.stderr);
    let (info, stderr) = info(folder.run("info --json F/field.estoc"));
    assert_eq!(stderr, "");
    assert_eq!(info["bounds"]["min"][1], 5_200_000.375);
    assert_eq!(info["origin"], json!([-5.0, 5_200_000.0, 0.001]));
    assert_eq!(info["file"]["version"], 3);
    let again = folder.run("info --local-frame auto F/field.estoc");
    assert_has(&again.stderr, "no effect on a tree file");
    let demo = run("info --local-frame auto demo:sphere?n=50");
    assert_has(&demo.stderr, "no effect on a generated scene");
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
        let ran = estoc(["info", "--local-frame", frame, "demo:sphere"]);
        ran.fails_with(2, "coordinates X,Y,Z of its origin");
    }
}

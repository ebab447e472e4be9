//! Points, planes and views at a mesh in a local frame: all in the coordinates of the file.

use crate::common::{Folder, estoc};
use serde_json::{Value, json};
use std::fmt::Write;

/// The corners with the least and with the greatest coordinates of the block, on a map.
const LOW: [f64; 3] = [402_010.25, 5_301_020.5, 120.125];
const HIGH: [f64; 3] = [402_020.25, 5_301_040.5, 124.125];

/// A block as OBJ, with its faces outwards; without the first face it is open.
fn block(is_open: bool) -> String {
    let mut text = String::new();
    for corner in 0..8 {
        let [x, y, z] = [0, 1, 2].map(|axis| [LOW, HIGH][corner >> (2 - axis) & 1][axis]);
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    let faces = [
        "1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4",
    ];
    for face in faces.iter().skip(usize::from(is_open)) {
        writeln!(text, "f {face}").unwrap();
    }
    text
}

/// In the middle of the floor but 0.5 above it, outside to the north, on the east wall, a billionth beside
/// it on either side, and not finite.
const POINTS: &str = "x,y,z\n402015.25,5301030.5,120.625\n402015.25,5301100.5,122.125\n\
                      402020.25,5301030.5,122.125\n402020.249999999,5301030.5,122.125\n\
                      402020.250000001,5301030.5,122.125\nnan,0,0\n";

/// The block, the points, and the block as a tree file that keeps an origin.
fn files() -> Folder {
    let folder = Folder::new();
    folder.put("block.obj", &block(false));
    folder.put("open.obj", &block(true));
    folder.put("points.csv", POINTS);
    let (mesh, tree) = (folder.path("block.obj"), folder.path("block.estoc"));
    let frame = ["--local-frame", "402000,5301000,100"];
    estoc(["build", "-q", &mesh, "-o", &tree].into_iter().chain(frame)).ok();
    folder
}

/// Runs a verb on each of the meshes in a local frame with the points, and compares what it prints.
fn each(folder: &Folder, verb: &str, more: &[&str], expected: &str, note: &str) {
    let points = folder.path("points.csv");
    for (mesh, frame) in [
        ("block.obj", &["--local-frame", "auto"][..]),
        ("block.obj", &["--local-frame", "402000,5301000,0.5"]),
        ("block.estoc", &[]),
    ] {
        let mesh = folder.path(mesh);
        let args = [verb, &mesh, "--points", &points];
        let ran = estoc(args.iter().chain(frame).chain(more));
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (0, expected),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains(note), "{}", ran.stderr);
        assert!(!ran.stderr.contains("relative"), "{}", ran.stderr);
    }
}

#[test]
fn closest_points_are_where_the_file_has_them() {
    let folder = files();
    let expected = "distance,feature,x,y,z,signed\n\
                    0.5,edge2,402015.25,5301030.5,120.125,-0.5\n\
                    60,edge2,402015.25,5301040.5,122.125,60\n\
                    0,edge2,402020.25,5301030.5,122.125,0\n\
                    9.895302e-10,edge2,402020.25,5301030.5,122.125,-9.895302e-10\n\
                    9.895302e-10,edge2,402020.25,5301030.5,122.125,9.895302e-10\n\
                    inf,,,,,\n";
    let columns = ["--columns", "distance,feature,x,y,z,signed"];
    each(
        &folder,
        "near",
        &columns,
        expected,
        "1 point with a coordinate that is not finite: near nothing",
    );
    // As an array of records: an f32 and an f64.
    let [mesh, points, out] =
        ["block.estoc", "points.csv", "near.npy"].map(|name| folder.path(name));
    let args = [
        "near",
        "-q",
        &mesh,
        "--points",
        &points,
        "--out",
        &out,
        "--columns",
        "distance,y",
    ];
    estoc(args).ok();
    let array = std::fs::read(out).unwrap();
    let records = &array[array.len() - 6 * 12..];
    let header = String::from_utf8_lossy(&array[..array.len() - records.len()]);
    assert!(
        header.contains("[('distance', '<f4'), ('y', '<f8')]"),
        "{header}"
    );
    let second = [60f32.to_le_bytes().to_vec(), HIGH[1].to_le_bytes().to_vec()].concat();
    assert_eq!(records[12..24], second);
    assert!(f64::from_le_bytes(records[64..72].try_into().unwrap()).is_nan());
}

#[test]
fn inside_is_where_the_file_has_it() {
    let folder = files();
    let expected = "point,inside\n0,1\n1,0\n2,1\n3,1\n4,0\n5,0\n";
    each(&folder, "contains", &[], expected, "not finite: outside");
    // By the other rules points are rounded, which is told: both points beside the wall get onto it.
    let rounded = "point,inside\n0,1\n1,0\n2,1\n3,1\n4,1\n5,0\n";
    let note = "to find their side, points are rounded to f32 in the local frame; only --rule parity needs no";
    for rule in ["winding", "estimate"] {
        each(&folder, "contains", &["--rule", rule], rounded, note);
    }
}

#[test]
fn open_edges_are_where_the_file_has_them() {
    let folder = files();
    let (open, points) = (folder.path("open.obj"), folder.path("points.csv"));
    let frame = ["--local-frame", "auto"];
    let args = ["contains", &open, "--points", &points];
    let told = estoc(args.iter().chain(&frame)).fails(3);
    let edge =
        "4 open edges: the first from 402010.25,5301040.5,124.125 to 402010.25,5301040.5,120.125";
    assert!(told.contains(edge), "{told}");
    assert!(
        told.contains("; --rule estimate answers for open meshes"),
        "{told}"
    );
    let estimate = estoc(args.iter().chain(&frame).chain(&["--rule", "estimate"]));
    let rows: Vec<&str> = estimate.stdout.lines().skip(1).take(2).collect();
    assert_eq!(
        (estimate.status, rows),
        (0, vec!["0,1", "1,0"]),
        "{}",
        estimate.stderr
    );

    let check = estoc(["check", &open, "--json"].iter().chain(&frame));
    let check: Value = serde_json::from_str(&check.stdout).unwrap();
    assert_eq!(
        check["open_edges"]["first"]["from"],
        json!([LOW[0], HIGH[1], HIGH[2]])
    );
    let info = estoc(["info", &folder.path("block.estoc")]).ok();
    let bounds = "bounds     (402010.25, 5301020.5, 120.125) to (402020.25, 5301040.5, 124.125)\n";
    assert!(info.contains(bounds), "{info}");
}

#[test]
fn planes_cut_where_the_file_has_them() {
    let folder = files();
    for (mesh, frame) in [
        ("block.obj", &["--local-frame", "auto"][..]),
        ("block.estoc", &[]),
    ] {
        let mesh = folder.path(mesh);
        let cut = |plane: &str, more: &[&str]| {
            let args = ["section", &mesh, "--plane", plane];
            let ran = estoc(args.iter().chain(frame).chain(more));
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            let note = "--plane was rounded to f32 in the local frame";
            assert!(ran.stderr.contains(note), "{}", ran.stderr);
            ran.stdout
        };
        let rows = cut("0,1,0,-5301030.25", &[]);
        let mut corners: Vec<&str> = (rows.lines().skip(1))
            .map(|row| row.splitn(6, ',').nth(5).unwrap())
            .filter(|point| point.starts_with("402010.25,") && !point.contains("12.1"))
            .collect();
        corners.sort_unstable();
        assert!(
            rows.lines().skip(1).all(|row| row.contains(",5301030.25,")),
            "{rows}"
        );
        assert!(
            corners.iter().any(|corner| corner.ends_with(",120.125")),
            "{rows}"
        );
        let object: Value = serde_json::from_str(&cut("2,0,0,-804030.5", &["--json"])).unwrap();
        assert_eq!(object["plane"], json!([2.0, 0.0, 0.0, -804_030.5]));
        let points = object["polylines"][0]["points"].as_array().unwrap();
        assert!(
            points.iter().all(|point| point["x"] == json!(402_015.25)),
            "{object}"
        );
    }
}

#[test]
fn views_and_what_is_picked_are_where_the_file_has_them() {
    let folder = files();
    let mesh = folder.path("block.obj");
    let frame = ["--local-frame", "auto"];
    let eye = [
        "--eye",
        "402015.25,5301030.5,224.125",
        "--at",
        "402015.25,5301030.5,122.125",
    ];
    let view = ["--up=y", "--fov=20", "--size=101x101"];
    let args = ["pick", &mesh, "--pixel", "50,50", "--json"];
    let args: Vec<&str> = (args.iter().chain(&frame).chain(&eye).chain(&view).copied()).collect();
    let picked: Value = serde_json::from_str(&estoc(&args).ok()).unwrap();
    assert_eq!(
        picked["hit"]["point"],
        json!([402_015.25, 5_301_030.5, 124.125])
    );
    assert_eq!(picked["eye"], json!([402_015.25, 5_301_030.5, 224.125]));
    let numbers = |of: &Value| {
        of.as_array()
            .unwrap()
            .iter()
            .map(Value::to_string)
            .collect::<Vec<_>>()
    };
    let ray = &picked["ray"];
    let ray = [numbers(&ray["origin"]), numbers(&ray["dir"])]
        .concat()
        .join(",");
    let cast = ["cast", &mesh, "--ray", &ray, "--columns", "prim,point"];
    let cast = estoc(cast.iter().chain(&frame)).ok();
    let expected = format!("{},402015.25,5301030.5,124.125", picked["hit"]["prim"]);
    assert_eq!(cast.lines().nth(1), Some(&*expected));
    // The view that is printed paints the same picture.
    let [one, two] = ["one.png", "two.png"].map(|name| folder.path(name));
    let painted = [
        "render",
        &mesh,
        "--size=40x30",
        "--samples=1",
        "--shade=normal",
        "--out",
        &one,
    ];
    let ran = estoc(painted.iter().chain(&frame));
    let line = ran
        .stderr
        .lines()
        .find(|line| line.contains(" --eye "))
        .unwrap();
    let (_, options) = line.split_once(" --eye ").unwrap();
    let options = options.split(':').next().unwrap().replace(" in 0.0 s", "");
    assert!(
        options.starts_with("40") && options.contains(",53"),
        "{options}"
    );
    let options = format!("--eye {options}");
    let options = options
        .split(' ')
        .take_while(|word| !word.ends_with(" ray"))
        .take(6);
    let again = [
        "render",
        &mesh,
        "--size=40x30",
        "--samples=1",
        "--shade=normal",
        "--out",
        &two,
    ];
    let ran = estoc(again.iter().copied().chain(frame).chain(options));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let [one, two] = [one, two].map(|file| std::fs::read(file).unwrap());
    assert!(one == two);
    // Distances between meshes in two frames would be wrong.
    let to = [
        "render",
        &mesh,
        "--shade=distance",
        "--to",
        &folder.path("block.estoc"),
        "--out",
        "x.png",
    ];
    let told = estoc(to.iter().chain(&frame)).fails(2);
    assert!(
        told.contains("load both with the same --local-frame X,Y,Z"),
        "{told}"
    );
}

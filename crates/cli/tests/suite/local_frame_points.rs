//! Points, planes and views at a mesh in a local frame: all in the coordinates of the file.

use crate::common::{Folder, assert_has};
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
    let folder = Folder::with(&[
        ("block.obj", &block(false)),
        ("open.obj", &block(true)),
        ("points.csv", POINTS),
    ]);
    let frame = "--local-frame 402000,5301000,100";
    let build = format!("build -q F/block.obj -o F/block.estoc {frame}");
    folder.run(&build).ok();
    folder
}

/// Runs a verb on each of the meshes in a local frame with the points, and compares what it prints.
fn each(folder: &Folder, verb: &str, more: &str, expected: &str, note: &str) {
    for mesh in [
        "F/block.obj --local-frame auto",
        "F/block.obj --local-frame 402000,5301000,0.5",
        "F/block.estoc",
    ] {
        let ran = folder.run(&format!("{verb} {mesh} --points F/points.csv {more}"));
        let found = (ran.status, ran.stdout.as_str());
        assert_eq!(found, (0, expected), "{}", ran.stderr);
        assert_has(&ran.stderr, note);
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
    let columns = "--columns distance,feature,x,y,z,signed";
    let note = "1 point with a coordinate that is not finite: near nothing";
    each(&folder, "near", columns, expected, note);
    // As an array of records: an f32 and an f64.
    let args = "near -q F/block.estoc --points F/points.csv --out F/near.npy --columns distance,y";
    folder.run(args).ok();
    let array = folder.bytes("near.npy");
    let records = &array[array.len() - 6 * 12..];
    let header = String::from_utf8_lossy(&array[..array.len() - records.len()]);
    assert_has(&header, "[('distance', '<f4'), ('y', '<f8')]");
    let second = [60f32.to_le_bytes().to_vec(), HIGH[1].to_le_bytes().to_vec()].concat();
    assert_eq!(records[12..24], second);
    assert!(f64::from_le_bytes(records[64..72].try_into().unwrap()).is_nan());
}

#[test]
fn inside_is_where_the_file_has_it() {
    let folder = files();
    let expected = "point,inside\n0,1\n1,0\n2,1\n3,1\n4,0\n5,0\n";
    each(&folder, "contains", "", expected, "not finite: outside");
    // By the other rules points are rounded, which is told: both points beside the wall get onto it.
    let rounded = "point,inside\n0,1\n1,0\n2,1\n3,1\n4,1\n5,0\n";
    let note =
        "to find their side, points are rounded to f32 in the local frame; a mesh in f64, without";
    for rule in ["winding", "estimate"] {
        each(
            &folder,
            "contains",
            &format!("--rule {rule}"),
            rounded,
            note,
        );
    }
}

#[test]
fn open_edges_are_where_the_file_has_them() {
    let folder = files();
    let frame = "--local-frame auto";
    let line = format!("contains F/open.obj --points F/points.csv {frame}");
    let told = folder.run(&line).fails(3);
    let edge =
        "4 open edges: the first from 402010.25,5301040.5,124.125 to 402010.25,5301040.5,120.125";
    assert_has(&told, edge);
    assert_has(&told, "; --rule estimate answers for open meshes");
    let estimate = folder.run(&format!("{line} --rule estimate"));
    let rows: Vec<&str> = estimate.stdout.lines().skip(1).take(2).collect();
    let found = (estimate.status, rows);
    assert_eq!(found, (0, vec!["0,1", "1,0"]), "{}", estimate.stderr);

    let check = folder
        .run(&format!("check F/open.obj --json {frame}"))
        .json();
    let from = json!([LOW[0], HIGH[1], HIGH[2]]);
    assert_eq!(check["open_edges"]["first"]["from"], from);
    let info = folder.run("info F/block.estoc").ok();
    let bounds = "bounds     (402010.25, 5301020.5, 120.125) to (402020.25, 5301040.5, 124.125)\n";
    assert_has(&info, bounds);
}

#[test]
fn planes_cut_where_the_file_has_them() {
    let folder = files();
    for mesh in ["F/block.obj --local-frame auto", "F/block.estoc"] {
        let cut = |plane: &str| {
            let ran = folder.run(&format!("section {mesh} --plane {plane}"));
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            let note = "--plane was rounded to f32 in the local frame";
            assert_has(&ran.stderr, note);
            ran.stdout
        };
        let rows = cut("0,1,0,-5301030.25");
        let mut corners: Vec<&str> = (rows.lines().skip(1))
            .map(|row| row.splitn(6, ',').nth(5).unwrap())
            .filter(|point| point.starts_with("402010.25,") && !point.contains("12.1"))
            .collect();
        corners.sort_unstable();
        let is_cut = |row: &str| row.contains(",5301030.25,");
        assert!(rows.lines().skip(1).all(is_cut), "{rows}");
        let is_low = |corner: &&str| corner.ends_with(",120.125");
        assert!(corners.iter().any(is_low), "{rows}");
        let object: Value = serde_json::from_str(&cut("2,0,0,-804030.5 --json")).unwrap();
        assert_eq!(object["plane"], json!([2.0, 0.0, 0.0, -804_030.5]));
        let points = object["polylines"][0]["points"].as_array().unwrap();
        let is_cut = |point: &Value| point["x"] == json!(402_015.25);
        assert!(points.iter().all(is_cut), "{object}");
    }
}

#[test]
fn views_and_what_is_picked_are_where_the_file_has_them() {
    let folder = files();
    let frame = "--local-frame auto";
    let eye = "--eye 402015.25,5301030.5,224.125 --at 402015.25,5301030.5,122.125";
    let view = format!("{frame} {eye} --up=y --fov=20 --size=101x101");
    let line = format!("pick F/block.obj --pixel 50,50 --json {view}");
    let picked = folder.run(&line).ok_json();
    let point = json!([402_015.25, 5_301_030.5, 124.125]);
    assert_eq!(picked["hit"]["point"], point);
    assert_eq!(picked["eye"], json!([402_015.25, 5_301_030.5, 224.125]));
    let numbers = ["origin", "dir"].map(|part| {
        let numbers = picked["ray"][part].as_array().unwrap().iter();
        numbers.map(Value::to_string).collect::<Vec<_>>().join(",")
    });
    let ray = numbers.join(",");
    let line = format!("cast F/block.obj --ray {ray} --columns prim,point {frame}");
    let cast = folder.run(&line).ok();
    let expected = format!("{},402015.25,5301030.5,124.125", picked["hit"]["prim"]);
    assert_eq!(cast.lines().nth(1), Some(&*expected));
    // The view that is printed paints the same picture.
    let render = format!("render F/block.obj --size=40x30 --samples=1 --shade=normal {frame}");
    let ran = folder.run(&format!("{render} --out F/one.png"));
    let mut lines = ran.stderr.lines();
    let line = lines.find(|line| line.contains(" --eye ")).unwrap();
    let (_, options) = line.split_once(" --eye ").unwrap();
    let options = options.split(':').next().unwrap().replace(" in 0.0 s", "");
    assert!(options.starts_with("40"), "{options}");
    assert_has(&options, ",53");
    let options = format!("--eye {options}");
    let words = options.split(' ').take(6);
    let words: Vec<&str> = words.take_while(|word| !word.ends_with(" ray")).collect();
    let again = format!("{render} --out F/two.png {}", words.join(" "));
    let ran = folder.run(&again);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(folder.bytes("one.png") == folder.bytes("two.png"));
    // Distances between meshes in two frames, and such meshes beside each other.
    for other in ["--shade=distance --to", "--shade=instance --with"] {
        let render = render.replace(" --shade=normal", &format!(" -q {other} F/block.estoc"));
        folder.run(&format!("{render} --out F/two.png")).ok();
    }
}

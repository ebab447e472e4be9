//! `estoc section`: formats, pictures, refusals, open and empty cuts.

use crate::common::{Folder, assert_has, estoc};
use serde_json::{Value, json};

/// A tetrahedron that faces outward.
const CLOSED: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fn mesh(text: &str) -> Folder {
    Folder::with(&[("m.obj", text)])
}

#[test]
fn a_closed_mesh_has_closed_polylines() {
    let folder = mesh(CLOSED);
    let rows = "polyline,closed,prim,edge,parameter,x,y,z\n\
                0,1,1,2,0.75,0,0,1\n\
                0,1,2,1,0.25,3,0,1\n\
                0,1,3,1,0.25,0,3,1\n";
    let path = folder.path("m.obj");
    let section = |plane: &str| estoc(["section", &path, "--plane", plane]);
    let found = section("0,0,1,-1").ok();
    let mut lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.remove(0), rows.lines().next().unwrap());
    assert_eq!(lines.len(), 3, "{found}");
    // The normal need not have length 1, and a plane of other numbers is the same plane.
    assert_eq!(section("0,0,0.001,-0.001").ok(), found);
    assert_eq!(section(" 0, 0, 2, -2").ok(), found);
    let line = "section F/m.obj --plane 0,0,1,-1 --json --out F/cut.json";
    assert_eq!(folder.run(line).ok(), "");
    let object = folder.json("cut.json");
    assert_eq!(object["schema"], "estoc.section/1");
    assert_eq!(object["plane"], json!([0.0, 0.0, 1.0, -1.0]));
    assert_eq!(object["closed"], true);
    let points = object["polylines"][0]["points"].as_array().unwrap();
    for (line, point) in lines.iter().zip(points) {
        let cells: Vec<&str> = line.split(',').collect();
        let names = ["prim", "edge", "parameter", "x", "y", "z"];
        for (cell, name) in cells[2..].iter().zip(names) {
            let cell: f64 = cell.parse().unwrap();
            assert_eq!(cell, point[name].as_f64().unwrap(), "{line}");
        }
    }
    let at = |point: &Value| ["x", "y", "z"].map(|axis| point[axis].as_f64().unwrap());
    let found: Vec<_> = points.iter().map(at).collect();
    assert_eq!(found, [[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]);
}

#[test]
fn pictures_are_seen_from_the_side_of_the_normal() {
    let folder = mesh(CLOSED);
    let picture = |plane: &str| {
        let options = "--quiet --svg F/cut.svg";
        folder
            .run(&format!("section F/m.obj --plane {plane} {options}"))
            .ok();
        folder.read("cut.svg")
    };
    let above = picture("0,0,1,-1");
    assert!(above.starts_with("<svg xmlns="), "{above}");
    assert!(above.contains("M0 0L3 0L0 -3Z"), "{above}");
    let below = picture("0,0,-1,1");
    assert!(below.contains("M-3 0L0 0L0 -3Z"), "{below}");
    // Nothing is cut: the picture is there, and empty.
    let none = picture("0,0,1,-9");
    assert!(none.starts_with("<svg"), "{none}");
    assert!(!none.contains("<path"), "{none}");
}

#[test]
fn open_and_empty_cuts_are_noted() {
    let folder = mesh("v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 2 3\n");
    let ran = folder.run("section F/m.obj --plane 0,0,1,-1");
    assert_eq!(ran.status, 0);
    assert_has(
        &ran.stderr,
        "1 of 1 polyline not closed: the mesh is open there",
    );
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
    let ran = folder.run("section F/m.obj --plane 0,0,1,1");
    assert_eq!(ran.stdout, "polyline,closed,prim,edge,parameter,x,y,z\n");
    assert_has(&ran.stderr, "the plane does not cut the mesh");
}

#[test]
fn planes_that_are_none_are_refused() {
    let folder = mesh(CLOSED);
    for (plane, says) in [
        ("1,0,0", "a plane is 4 numbers, not 3"),
        ("1,0,0,x", "\"x\" is not a number"),
        ("0,0,0,1", "must not be zero"),
        ("nan,0,0,1", "must be finite"),
        ("1,0,0,inf", "must be finite"),
    ] {
        let told = folder
            .run(&format!("section F/m.obj --plane {plane}"))
            .fails(2);
        assert!(told.contains(says), "{plane}: {told}");
    }
    folder.run("section F/m.obj").fails(2);
    // The picture would replace the mesh.
    folder
        .run("section F/m.obj --plane 0,0,1,-1 --svg F/m.obj")
        .fails_with(2, "--svg");
    assert_eq!(folder.names(), ["m.obj"]);
}

/// A square tube along z, from z = 0 to 4, with a square hole: 10 by 10 outside, 6 by 6 inside.
fn tube() -> Folder {
    let corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    let mut text = String::new();
    for [size, z] in [[5, 0], [3, 0], [5, 4], [3, 4]] {
        for [x, y] in corners {
            text += &format!("v {} {} {z}\n", x * size, y * size);
        }
    }
    for i in 1..=4 {
        let j = i % 4 + 1;
        text += &format!("f {i} {j} {} {}\n", j + 8, i + 8);
        text += &format!("f {} {} {} {}\n", j + 4, i + 4, i + 12, j + 12);
        text += &format!("f {j} {i} {} {}\n", i + 4, j + 4);
        text += &format!("f {} {} {} {}\n", i + 8, j + 8, j + 12, i + 12);
    }
    mesh(&text)
}

#[test]
fn areas_of_many_planes_are_rows() {
    let folder = tube();
    let areas = |options: &str| {
        folder
            .run(&format!("section F/m.obj --areas {options}"))
            .ok()
    };
    let head = "plane,a,b,c,d,area,loops,holes,open\n";
    assert_eq!(
        areas("--plane 0,0,1,-1.5"),
        format!("{head}0,0,0,1,-1.5,64,2,1,0\n")
    );
    // Through the mesh, from the back: at z = 0 it only goes on in front.
    let rows = "0,0,0,2,0,0,0,0,0\n1,0,0,2,-3,64,2,1,0\n2,0,0,2,-6,64,2,1,0\n";
    assert_eq!(
        areas("--plane 0,0,2,3 --every 1.5"),
        format!("{head}{rows}")
    );
    let rows = "0,0,0,-1,4,0,0,0,0\n1,0,0,-1,2,64,2,1,0\n2,0,0,-1,0,64,2,1,0\n";
    assert_eq!(areas("--plane 0,0,-1,0 --every 2"), format!("{head}{rows}"));
    assert_eq!(areas("--quiet --plane 0,0,1,0.5 --every 9"), head);
    folder.put("planes.csv", "d,c,b,a\n-1,1,0,0\n0,0,0,1\n-9,1,0,0\n");
    let rows = "0,0,0,1,-1,64,2,1,0\n1,1,0,0,0,16,2,0,0\n2,0,0,1,-9,0,0,0,0\n";
    assert_eq!(areas("--planes F/planes.csv"), format!("{head}{rows}"));
    // Points of many planes have the number of the plane.
    let points = folder.run("section F/m.obj --planes F/planes.csv").ok();
    let lines: Vec<&str> = points.lines().collect();
    assert_eq!(lines[0], "plane,polyline,closed,prim,edge,parameter,x,y,z");
    let of = |number: &str| lines.iter().filter(|line| line.starts_with(number)).count();
    assert_eq!(
        [of("0,0,"), of("0,1,"), of("1,0,"), of("2,")],
        [8, 8, 8, 0],
        "{points}"
    );
    let single = folder.run("section F/m.obj --plane 0,0,1,-1").ok();
    let rows = single.lines().skip(1).map(|line| format!("0,{line}"));
    assert!(rows.eq(lines[1..17].iter().map(|line| (*line).to_owned())));
}

#[test]
fn objects_tell_what_lies_in_what() {
    let folder = tube();
    let one = folder.run("section F/m.obj --plane 0,0,1,-1 --json").json();
    assert_eq!(
        (&one["area"], &one["loops"], &one["holes"]),
        (&json!(64.0), &json!(2), &json!(1))
    );
    let lines = &one["polylines"];
    let told = |i: usize| [&lines[i]["area"], &lines[i]["hole"], &lines[i]["parent"]];
    assert_eq!(told(0), [&json!(100.0), &json!(false), &Value::Null]);
    assert_eq!(told(1), [&json!(-36.0), &json!(true), &json!(0)]);
    let many = "section F/m.obj --plane 0,0,1,-1 --every 2 --json";
    let object = folder.run(many).json();
    assert_eq!(object["schema"], "estoc.sections/1");
    let sections = object["sections"].as_array().unwrap();
    assert_eq!(sections.len(), 2);
    for (section, d) in sections.iter().zip([-1.0, -3.0]) {
        assert_eq!(section["plane"], json!([0.0, 0.0, 1.0, d]));
        assert_eq!(
            (&section["area"], section.get("schema")),
            (&json!(64.0), None)
        );
    }
    assert_eq!(sections[0]["polylines"], one["polylines"]);
    let areas = folder.run(&format!("{many} --areas")).json();
    assert_eq!(areas["sections"][1]["holes"], 1);
    assert_eq!(areas["sections"][1].get("polylines"), None);
    // Open polylines have no area.
    folder.put("open.obj", "v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 2 3\n");
    let open = folder
        .run("section F/open.obj --plane 0,0,1,-1 --json --quiet")
        .json();
    assert_eq!((&open["area"], &open["loops"]), (&Value::Null, &json!(0)));
    assert_eq!(open["polylines"][0].get("area"), None);
    let row = folder
        .run("section F/open.obj --plane 0,0,1,-1 --areas --quiet")
        .ok();
    assert!(row.ends_with("0,0,0,1,-1,,0,0,1\n"), "{row}");
}

#[test]
fn planes_of_a_local_frame_are_those_of_the_file() {
    let folder = Folder::with(&[(
        "far.obj",
        "v 500000 0 0\nv 500004 0 0\nv 500000 4 0\nv 500000 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
    )]);
    let line = "section F/far.obj --local-frame auto --areas --plane 1,0,0,-500000 --every 1";
    let ran = folder.run(line);
    let rows: Vec<&str> = ran.stdout.lines().skip(1).collect();
    assert_eq!(rows[1], "1,1,0,0,-500001,4.5,1,0,0");
    assert_eq!(rows[3], "3,1,0,0,-500003,0.5,1,0,0");
    assert_has(&ran.stderr, "--plane was rounded to f32 in the local frame");
    folder.put("planes.csv", "a,b,c,d\n1,0,0,-500001\n1e-60,0,0,1\n");
    let told = folder
        .run("section F/far.obj --planes F/planes.csv")
        .fails(2);
    assert_has(
        &told,
        "planes.csv: row 1: the plane's normal must not be zero",
    );
}

#[test]
fn planes_that_cannot_be_cut_with_are_refused() {
    let folder = tube();
    folder.put("planes.csv", "a,b,c,d\n0,0,1,1\n0,0,0,1\n");
    folder.put("words.csv", "a,b,c,d\n0,0,1,1\n0,0,high,1\n");
    for (options, status, says) in [
        (
            "--plane 0,0,1,0 --every 0",
            2,
            "a distance is a finite number above 0",
        ),
        (
            "--plane 0,0,1,0 --every -1",
            2,
            "a distance is a finite number above 0",
        ),
        (
            "--plane 0,0,1,0 --every inf",
            2,
            "a distance is a finite number above 0",
        ),
        (
            "--plane 0,0,1,0 --every nan",
            2,
            "a distance is a finite number above 0",
        ),
        (
            "--plane 0,0,1,0 --every 1e-7",
            2,
            "--every 1e-7: more than 1,000,000 planes",
        ),
        (
            "--plane 0,0,1,0 --every 1e-320",
            2,
            "more than 1,000,000 planes",
        ),
        ("--every 1", 2, "--plane"),
        (
            "--plane 0,0,1,0 --planes F/planes.csv",
            2,
            "cannot be used with",
        ),
        (
            "--planes F/planes.csv --svg F/cut.svg",
            2,
            "cannot be used with",
        ),
        (
            "--planes F/planes.csv",
            2,
            "planes.csv: row 1: the plane's normal must not be zero",
        ),
        (
            "--planes F/words.csv",
            3,
            "words.csv:3: c is \"high\", which is not a number",
        ),
        ("--planes F/none.csv", 3, "cannot read planes from"),
        (
            "--planes F/planes.csv --out F/planes.csv",
            2,
            "--out would replace",
        ),
    ] {
        let told = folder
            .run(&format!("section F/m.obj {options}"))
            .fails(status);
        assert!(told.contains(says), "{options}: {told}");
    }
}

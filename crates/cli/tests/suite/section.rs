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

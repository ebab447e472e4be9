//! `estoc section`: formats, pictures, refusals, open and empty cuts.

use crate::common::estoc;
use serde_json::{Value, json};

/// A tetrahedron that faces outward.
const CLOSED: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fn mesh(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.obj");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn a_closed_mesh_has_closed_polylines() {
    let (folder, mesh) = mesh(CLOSED);
    let rows = "polyline,closed,prim,edge,parameter,x,y,z\n\
                0,1,1,2,0.75,0,0,1\n\
                0,1,2,1,0.25,3,0,1\n\
                0,1,3,1,0.25,0,3,1\n";
    let section = |plane: &str| estoc(["section", &mesh, "--plane", plane]);
    let found = section("0,0,1,-1").ok();
    let mut lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.remove(0), rows.lines().next().unwrap());
    assert_eq!(lines.len(), 3, "{found}");
    // The normal need not have length 1, and a plane of other numbers is the same plane.
    assert_eq!(section("0,0,0.001,-0.001").ok(), found);
    assert_eq!(section(" 0, 0, 2, -2").ok(), found);
    let out = folder.path().join("cut.json");
    let args = ["section", &mesh, "--plane", "0,0,1,-1", "--json", "--out"];
    assert_eq!(
        estoc(args.into_iter().chain([out.to_str().unwrap()])).ok(),
        ""
    );
    let object: Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!(object["schema"], "estoc.section/1");
    assert_eq!(object["plane"], json!([0.0, 0.0, 1.0, -1.0]));
    assert_eq!(object["closed"], true);
    let points = object["polylines"][0]["points"].as_array().unwrap();
    for (line, point) in lines.iter().zip(points) {
        let cells: Vec<&str> = line.split(',').collect();
        for (cell, name) in cells[2..]
            .iter()
            .zip(["prim", "edge", "parameter", "x", "y", "z"])
        {
            assert_eq!(
                cell.parse::<f64>().unwrap(),
                point[name].as_f64().unwrap(),
                "{line}"
            );
        }
    }
    let at = |point: &Value| ["x", "y", "z"].map(|axis| point[axis].as_f64().unwrap());
    let found: Vec<_> = points.iter().map(at).collect();
    assert_eq!(found, [[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]);
}

#[test]
fn pictures_are_seen_from_the_side_of_the_normal() {
    let (folder, mesh) = mesh(CLOSED);
    let svg = folder.path().join("cut.svg");
    let picture = |plane: &str| {
        let args = ["section", &mesh, "--plane", plane, "--quiet", "--svg"];
        estoc(args.into_iter().chain([svg.to_str().unwrap()])).ok();
        std::fs::read_to_string(&svg).unwrap()
    };
    let above = picture("0,0,1,-1");
    assert!(above.starts_with("<svg xmlns="), "{above}");
    assert!(above.contains("M0 0L3 0L0 -3Z"), "{above}");
    let below = picture("0,0,-1,1");
    assert!(below.contains("M-3 0L0 0L0 -3Z"), "{below}");
    // Nothing is cut: the picture is there, and empty.
    let none = picture("0,0,1,-9");
    assert!(
        none.starts_with("<svg") && !none.contains("<path"),
        "{none}"
    );
}

#[test]
fn open_and_empty_cuts_are_noted() {
    let (_folder, mesh) = mesh("v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 2 3\n");
    let ran = estoc(["section", &mesh, "--plane", "0,0,1,-1"]);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr
            .contains("1 of 1 polyline not closed: the mesh is open there"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
    let ran = estoc(["section", &mesh, "--plane", "0,0,1,1"]);
    assert_eq!(ran.stdout, "polyline,closed,prim,edge,parameter,x,y,z\n");
    assert!(
        ran.stderr.contains("the plane does not cut the mesh"),
        "{}",
        ran.stderr
    );
}

#[test]
fn planes_that_are_none_are_refused() {
    let (folder, mesh) = mesh(CLOSED);
    for (plane, says) in [
        ("1,0,0", "a plane is 4 numbers, not 3"),
        ("1,0,0,x", "\"x\" is not a number"),
        ("0,0,0,1", "must not be zero"),
        ("nan,0,0,1", "must be finite"),
        ("1,0,0,inf", "must be finite"),
    ] {
        let told = estoc(["section", &mesh, "--plane", plane]).fails(2);
        assert!(told.contains(says), "{plane}: {told}");
    }
    estoc(["section", &mesh]).fails(2);
    // The picture would replace the mesh.
    let told = estoc(["section", &mesh, "--plane", "0,0,1,-1", "--svg", &mesh]).fails(2);
    assert!(told.contains("--svg"), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

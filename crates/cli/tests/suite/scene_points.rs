//! Points at scenes: `near` and `contains`.

use crate::common::{Folder, assert_has};
use serde_json::json;

/// A solid of which each leg is 1 long, and the same without a face.
const SOLID: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const OPEN: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";

/// The solid far from 0 and twice as large, the open one above it, and a sphere.
const SCENE: &str = "object = [
    { name = 'solid', mesh = 'solid.obj' },
    { name = 'open', mesh = 'open.obj' },
    { name = 'ball', spheres = [{ center = [0, 0, 0], radius = 1 }] },
    { name = 'pair', scene = 'pair.toml' },
]
[[placement]]
object = 'pair'
matrix = [1, 0, 0, 5e8,  0, 1, 0, 0,  0, 0, 1, 0]
[[placement]]
object = 'ball'
";
const PAIR: &str = "object = [
    { name = 'solid', mesh = 'solid.obj' },
    { name = 'open', mesh = 'open.obj' },
]
[[placement]]
object = 'solid'
matrix = [2, 0, 0, 0,  0, 2, 0, 0,  0, 0, 2, 0]
[[placement]]
object = 'open'
matrix = [1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 10]
";
/// Inside the solid; below it by 0.25; inside what is left of the open one; inside the sphere.
const POINTS: &str =
    "x,y,z\n500000000.25,0.25,0.125\n500000000.25,0.5,-0.25\n500000000.125,0.125,10.125\n0.5,0,0\n";

fn files() -> Folder {
    Folder::with(&[
        ("solid.obj", SOLID),
        ("open.obj", OPEN),
        ("scene.toml", SCENE),
        ("pair.toml", PAIR),
        ("points.csv", POINTS),
    ])
}

#[test]
fn closest_points_name_their_placement() {
    let folder = files();
    let line = "near F/scene.toml --points F/points.csv --within 1";
    let ran = folder.run(line);
    let rows = "point,distance,prim,u,v,feature,x,y,z,source,instance\n\
                0,0.125,0,0.125,0.125,face,500000000.25,0.25,0,solid.obj,0/0\n\
                1,0.25,0,0.25,0.125,face,500000000.25,0.5,0,solid.obj,0/0\n\
                2,0.125,0,0.125,0.125,face,500000000.125,0.125,10,open.obj,0/1\n\
                3,inf,-1,,,,,,,,\n";
    assert_eq!((ran.status, &*ran.stdout), (0, rows), "{}", ran.stderr);
    let note = "scene.toml: 1 shape left out: points are near triangles, not spheres and boxes";
    assert_has(&ran.stderr, note);
    let json = folder
        .run(&format!("{line} --json -q --columns x,instance"))
        .ok_json();
    let first = json!({ "x": 500_000_000.25, "instance": "0/0" });
    assert_eq!(json["results"][0], first);
    let told = "signed distances are of one mesh";
    folder.run(&format!("{line} --signed")).fails_with(2, told);
}

#[test]
fn points_are_inside_closed_objects() {
    let folder = files();
    let line = "contains F/scene.toml --points F/points.csv";
    let ran = folder.run(line);
    let rows = "point,inside\n0,1\n1,0\n2,0\n3,1\n";
    assert_eq!((ran.status, &*ran.stdout), (0, rows), "{}", ran.stderr);
    let note = "scene.toml: 1 object is not closed and left out";
    assert_has(&ran.stderr, note);
    let told = "--rule takes one mesh, not a scene";
    folder
        .run(&format!("{line} --rule estimate"))
        .fails_with(2, told);
    folder.put("pair.toml", PAIR.replace("solid.obj", "open.obj"));
    let told = "no object of the scene is closed, so nothing is inside";
    folder
        .run("contains F/pair.toml --points F/points.csv")
        .fails_with(3, told);
}

#[test]
fn sections_and_checks_are_of_one_mesh() {
    let folder = files();
    for line in ["section F/scene.toml --plane 0,0,1,0", "check F/scene.toml"] {
        folder
            .run(line)
            .fails_with(2, "name the mesh of one of its objects");
    }
}

//! `estoc near`: formats, refusals, points without a triangle.

use crate::common::{Ran, estoc, estoc_reading};
use serde_json::{Value, json};

/// Two parallel triangles, and one without area where the points are.
const MESH: &str = "v 0 0 1\nv 4 0 1\nv 0 4 1\nv 0 0 5\nv 4 0 5\nv 0 4 5\nv 9 9 9\n\
                    f 1 2 3\nf 4 5 6\nf 7 7 7\n";

/// Above the face, as far from both, on an edge, at a corner, on a triangle without area, and not
/// finite.
const POINTS: &str =
    "z,x,name,y\n4.5,1,a,2\n3,1,b,1\n1,2,c,-0.25\n0,-0.1,d,-0.1\n9,9,e,9\n0,nan,f,0\n";

const ROWS: &str = "point,distance,prim,u,v,feature,x,y,z\n\
                    0,0.5,1,0.25,0.5,face,1,2,5\n\
                    1,2,0,0.25,0.25,face,1,1,1\n\
                    2,0.25,0,0.5,0,edge0,2,0,1\n\
                    3,1.0099505,0,0,0,vertex0,0,0,1\n\
                    4,10.677078,1,0.5,0.5,edge1,2,2,5\n\
                    5,inf,-1,,,,,,\n";

fn files() -> (tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = [("m.obj", MESH), ("p.csv", POINTS)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    (folder, paths)
}

/// Returns stdout of a run that succeeded and noted the point that is not finite.
fn noted(ran: Ran) -> String {
    let note = "1 point with a coordinate that is not finite: near nothing\n";
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.ends_with(note), "{}", ran.stderr);
    ran.stdout
}

#[test]
fn closest_points_come_in_the_order_of_the_points() {
    let (folder, [mesh, points]) = files();
    let near = |more: &[&str]| estoc(["near", &mesh, "--points", &points].iter().chain(more));
    assert_eq!(noted(near(&[])), ROWS);
    assert_eq!(noted(near(&["--threads", "3", "--layout=compact"])), ROWS);
    let args = ["near", &mesh, "--points", "-"];
    assert_eq!(noted(estoc_reading(args, POINTS.as_bytes())), ROWS);
    let args = ["near", "-", "--points", &points];
    assert_eq!(noted(estoc_reading(args, MESH.as_bytes())), ROWS);
    let out = folder.path().join("near.csv");
    let out = out.to_str().unwrap();
    assert_eq!(noted(near(&["--out", out])), "");
    assert_eq!(std::fs::read_to_string(out).unwrap(), ROWS);
}

#[test]
fn triangles_farther_than_the_greatest_distance_do_not_count() {
    let (_folder, [mesh, points]) = files();
    let prims = |within: &str| {
        let args = ["near", &mesh, "--points", &points, "--columns=prim"];
        noted(estoc(args.into_iter().chain(["--within", within])))
    };
    assert_eq!(prims("inf"), "prim\n1\n0\n0\n0\n1\n-1\n");
    // A triangle exactly that far counts.
    assert_eq!(prims("2"), "prim\n1\n0\n0\n0\n-1\n-1\n");
    assert_eq!(prims("1.9999999"), "prim\n1\n-1\n0\n0\n-1\n-1\n");
    assert_eq!(prims("0"), "prim\n-1\n-1\n-1\n-1\n-1\n-1\n");
    for wrong in ["-1", "nan", "far", ""] {
        let args = ["near", &mesh, "--points", &points, "--within", wrong];
        let told = estoc(args).fails(2);
        let said = format!("invalid value '{wrong}' for '--within <DISTANCE>': ");
        let said = if wrong.is_empty() {
            "--within <DISTANCE>"
        } else {
            &said
        };
        assert!(told.contains(said), "{told}");
    }
    let args = ["near", &mesh, "--points", &points, "--within", "-1"];
    let told = estoc(args).fails(2);
    assert!(
        told.contains("a greatest distance is a number from 0, or inf"),
        "{told}"
    );
}

#[test]
fn json_has_null_where_there_is_no_triangle() {
    let (folder, [mesh, points]) = files();
    let args = ["near", &mesh, "--points", &points, "--json"];
    let text = noted(estoc(args));
    let object: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&object["schema"], &object["points"]),
        (&"estoc.near/1".into(), &6.into())
    );
    let rows = object["results"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    let first = json!({"point": 0, "distance": 0.5, "prim": 1, "u": 0.25, "v": 0.5,
        "feature": "face", "x": 1.0, "y": 2.0, "z": 5.0});
    assert_eq!(rows[0], first);
    let last = json!({"point": 5, "distance": null, "prim": null, "u": null, "v": null,
        "feature": null, "x": null, "y": null, "z": null});
    assert_eq!(rows[5], last);
    let none = folder.path().join("none.csv");
    std::fs::write(&none, "x,y,z\n").unwrap();
    let args = ["near", &mesh, "--quiet", "--points", none.to_str().unwrap()];
    assert_eq!(estoc(args).ok(), "point,distance,prim,u,v,feature,x,y,z\n");
    assert_eq!(
        estoc(args.into_iter().chain(["--json"])).ok(),
        "{\"schema\":\"estoc.near/1\",\"results\":[],\"points\":0}\n"
    );
}

#[test]
fn a_distance_that_overflows_is_told_from_none_by_its_triangle() {
    let (folder, [mesh, _]) = files();
    let points = folder.path().join("far.csv");
    std::fs::write(&points, "x,y,z\n3e38,3e38,3e38\n0,0,1e39\n").unwrap();
    let ran = estoc(["near", &mesh, "--points", points.to_str().unwrap()]);
    assert_eq!(
        noted(ran),
        "point,distance,prim,u,v,feature,x,y,z\n0,inf,1,0.5,0.5,edge1,2,2,5\n1,inf,-1,,,,,,\n"
    );
}

#[test]
fn columns_of_the_points_stay_with_their_closest_points() {
    let (_folder, [mesh, points]) = files();
    let with = |columns| estoc(["near", &mesh, "--points", &points, "--columns", columns]);
    let out = noted(with("name,x,input:x,point"));
    assert!(
        out.starts_with("name,x,input:x,point\na,1,1,0\nb,1,1,1\nc,2,2,2\nd,0,-0.1,3\n"),
        "{out}"
    );
    let told = with("name,t").fails(2);
    let said = "--columns: there is no column \"t\"; available are point, distance, prim, u, v, \
                feature, x, y, z, signed, and from the input z, x, name, y";
    assert!(told.contains(said), "{told}");
}

/// Each answer must be that of a single chunk, whatever the number of threads.
#[test]
fn many_points_have_the_same_rows_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let count = 40_000;
    let line = |i: usize| format!("{},{},{}\n", i % 97, (i * i) % 89, i % 13);
    let points = folder.path().join("many.csv");
    let text: String = (0..count).map(line).collect();
    std::fs::write(&points, format!("x,y,z\n{text}")).unwrap();
    let args = [
        "near",
        "demo:sphere?n=2000",
        "--points",
        points.to_str().unwrap(),
    ];
    let out = |threads| estoc(args.into_iter().chain(["--threads", threads])).ok();
    let one = out("1");
    assert_eq!(one.lines().count(), count + 1);
    for threads in ["2", "3", "7"] {
        assert!(out(threads) == one, "{threads} threads");
    }
    // The points repeat, and so do their answers.
    let rows: Vec<&str> = one
        .lines()
        .skip(1)
        .map(|row| row.split_once(',').unwrap().1)
        .collect();
    let period = 97 * 89 * 13;
    assert!(count < period && rows[1] != rows[2]);
    let alone = folder.path().join("alone.csv");
    std::fs::write(&alone, format!("x,y,z\n{}", line(30_000))).unwrap();
    let args = [
        "near",
        "demo:sphere?n=2000",
        "--points",
        alone.to_str().unwrap(),
    ];
    assert_eq!(
        estoc(args).ok().lines().nth(1).unwrap(),
        format!("0,{}", rows[30_000])
    );
}

#[test]
fn wrong_input_is_refused_with_what_to_do() {
    let (folder, [mesh, points]) = files();
    for (args, status, said) in [
        (vec!["near", &mesh], 2, "--points"),
        (
            vec!["near", "-", "--points", "-"],
            2,
            "stdin cannot be both the mesh and the points; name a file for one of them",
        ),
        (
            vec!["near", &mesh, "--points", "no.csv"],
            3,
            "cannot read points from no.csv: ",
        ),
        (
            vec!["near", &mesh, "--points", &mesh],
            3,
            "is an OBJ mesh, not points; points are read from CSV, ",
        ),
        (
            vec!["near", &mesh, "--points", &points, "--out", &points],
            2,
            "would replace",
        ),
    ] {
        let ran = estoc(&args);
        assert_eq!((ran.status, ran.stdout.as_str()), (status, ""), "{args:?}");
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    // Rows before a line that cannot be read are written to stdout, but no file appears.
    let bad = "x,y,z\n1,2,4.5\n1,up,2\n";
    let args = ["near", &mesh, "--points", "-", "--columns=prim"];
    let ran = estoc_reading(args, bad.as_bytes());
    assert_eq!((ran.status, ran.stdout.as_str()), (3, "prim\n1\n"));
    assert!(
        ran.stderr.contains("<stdin>:3: y is \"up\""),
        "{}",
        ran.stderr
    );
    let out = folder.path().join("o.csv");
    let args = args.into_iter().chain(["--out", out.to_str().unwrap()]);
    let ran = estoc_reading(args, bad.as_bytes());
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    assert!(!out.exists());
}

/// A tetrahedron, with a point inside, one outside, one on a face, one at a corner and one that is not
/// finite.
#[test]
fn signed_distances_are_negative_inside() {
    const SOLID: &str = "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    const POINTS: &str = "x,y,z\n1,2,2\n1,2,-3\n1,2,0\n8,0,0\nnan,0,0\n";
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (mesh, points) = (write("m.obj", SOLID), write("p.csv", POINTS));
    let near = |more: &[&str]| {
        let args = ["near", &mesh, "--points", &points, "--signed"];
        noted(estoc(args.iter().chain(more)))
    };
    let all = near(&[]);
    let rows: Vec<&str> = all.lines().collect();
    assert_eq!(rows[0], "point,distance,prim,u,v,feature,x,y,z,signed");
    assert_eq!(rows[1], "0,1,3,0.25,0.25,face,0,2,2,-1");
    assert_eq!(rows[5], "4,inf,-1,,,,,,,");
    assert_eq!(near(&["--columns=signed"]), "signed\n-1\n3\n0\n0\n\n");
    // Asking for the column suffices, and its place is kept.
    let args = ["near", &mesh, "--points", &points, "--columns=signed,point"];
    assert_eq!(
        noted(estoc(args)),
        "signed,point\n-1,0\n3,1\n0,2\n0,3\n,4\n"
    );
    // What is farther than the greatest distance has none.
    assert_eq!(
        near(&["--within=1", "--columns=point"]),
        "point,signed\n0,-1\n1,\n2,0\n3,0\n4,\n"
    );
    let object: Value = serde_json::from_str(&near(&["--json"])).unwrap();
    let signed: Vec<&Value> = (0..5)
        .map(|row| &object["results"][row]["signed"])
        .collect();
    assert_eq!(json!(signed), json!([-1.0, 3.0, 0.0, 0.0, null]));

    let open = write("open.obj", &SOLID.replace("f 1 4 3\n", ""));
    let args = ["near", &open, "--points", &points];
    let told = estoc(args.iter().chain(&["--signed"])).fails(3);
    assert!(
        told.contains("open.obj: the mesh is not closed, so it has no inside: 3 open edges"),
        "{told}"
    );
    assert_eq!(estoc(args).status, 0);
}

#[test]
fn signs_follow_a_rule() {
    const OPEN: &str = "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("open.obj");
    std::fs::write(&mesh, OPEN).unwrap();
    let args = [
        "near",
        mesh.to_str().unwrap(),
        "--points",
        "-",
        "--columns",
        "signed",
    ];
    let near = |more: &[&str]| estoc_reading(args.iter().chain(more), b"x,y,z\n1,2,2\n1,2,-3\n");
    assert_eq!(near(&["--rule", "estimate"]).ok(), "signed\n-1\n3\n");
    assert!(
        near(&[])
            .fails(3)
            .contains("--rule estimate answers for open meshes")
    );
    let args = [
        "near",
        mesh.to_str().unwrap(),
        "--points",
        "-",
        "--rule",
        "parity",
    ];
    let told = estoc_reading(args, b"x,y,z\n1,2,2\n").fails(2);
    assert!(
        told.contains("--rule has no effect without the column signed"),
        "{told}"
    );
}

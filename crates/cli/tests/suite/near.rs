//! `estoc near`: formats, refusals, points without a triangle.

use crate::common::{Folder, Ran, assert_has, estoc};
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

fn files() -> Folder {
    Folder::with(&[("m.obj", MESH), ("p.csv", POINTS)])
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
    let folder = files();
    for (args, input) in [
        ("F/m.obj --points F/p.csv", ""),
        ("F/m.obj --points F/p.csv --threads 3 --layout=compact", ""),
        ("F/m.obj --points -", POINTS),
        ("- --points F/p.csv", MESH),
    ] {
        let ran = folder.run_reading(&format!("near {args}"), input.as_bytes());
        assert_eq!(noted(ran), ROWS, "{args}");
    }
    let ran = folder.run("near F/m.obj --points F/p.csv --out F/near.csv");
    assert_eq!(noted(ran), "");
    assert_eq!(folder.read("near.csv"), ROWS);
}

#[test]
fn triangles_farther_than_the_greatest_distance_do_not_count() {
    let folder = files();
    let line = "near F/m.obj --points F/p.csv";
    for (within, prims) in [
        ("inf", "prim\n1\n0\n0\n0\n1\n-1\n"),
        // A triangle exactly that far counts.
        ("2", "prim\n1\n0\n0\n0\n-1\n-1\n"),
        ("1.9999999", "prim\n1\n-1\n0\n0\n-1\n-1\n"),
        ("0", "prim\n-1\n-1\n-1\n-1\n-1\n-1\n"),
    ] {
        let ran = folder.run(&format!("{line} --columns=prim --within {within}"));
        assert_eq!(noted(ran), prims, "{within}");
    }
    for wrong in ["-1", "nan", "far"] {
        let said = format!("invalid value '{wrong}' for '--within <DISTANCE>': ");
        folder
            .run(&format!("{line} --within {wrong}"))
            .fails_with(2, &said);
    }
    let empty = folder
        .words(line)
        .into_iter()
        .chain(["--within".into(), String::new()]);
    estoc(empty).fails_with(2, "--within <DISTANCE>");
    let ran = folder.run(&format!("{line} --within -1"));
    ran.fails_with(2, "a greatest distance is a number from 0, or inf");
}

#[test]
fn json_has_null_where_there_is_no_triangle() {
    let folder = files();
    let text = noted(folder.run("near F/m.obj --points F/p.csv --json"));
    let object: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["schema"], "estoc.near/1");
    assert_eq!(object["points"], 6);
    let rows = object["results"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    let first = json!({"point": 0, "distance": 0.5, "prim": 1, "u": 0.25, "v": 0.5,
        "feature": "face", "x": 1.0, "y": 2.0, "z": 5.0});
    assert_eq!(rows[0], first);
    let last = json!({"point": 5, "distance": null, "prim": null, "u": null, "v": null,
        "feature": null, "x": null, "y": null, "z": null});
    assert_eq!(rows[5], last);
    folder.put("none.csv", "x,y,z\n");
    let none = "near F/m.obj --quiet --points F/none.csv";
    let header = "point,distance,prim,u,v,feature,x,y,z\n";
    assert_eq!(folder.run(none).ok(), header);
    assert_eq!(
        folder.run(&format!("{none} --json")).ok(),
        "{\"schema\":\"estoc.near/1\",\"results\":[],\"points\":0}\n"
    );
}

#[test]
fn a_distance_that_overflows_is_told_from_none_by_its_triangle() {
    let folder = files();
    folder.put("far.csv", "x,y,z\n3e38,3e38,3e38\n0,0,1e39\n");
    let ran = folder.run("near F/m.obj --points F/far.csv");
    assert_eq!(
        noted(ran),
        "point,distance,prim,u,v,feature,x,y,z\n0,inf,1,0.5,0.5,edge1,2,2,5\n1,inf,-1,,,,,,\n"
    );
}

#[test]
fn columns_of_the_points_stay_with_their_closest_points() {
    let folder = files();
    let with = |columns| {
        let line = format!("near F/m.obj --points F/p.csv --columns {columns}");
        folder.run(&line)
    };
    let out = noted(with("name,x,input:x,point"));
    let start = "name,x,input:x,point\na,1,1,0\nb,1,1,1\nc,2,2,2\nd,0,-0.1,3\n";
    assert!(out.starts_with(start), "{out}");
    let said = "--columns: there is no column \"t\"; available are point, distance, prim, u, v, \
                feature, x, y, z, signed, and from the input z, x, name, y";
    with("name,t").fails_with(2, said);
}

/// Each answer must be that of a single chunk, whatever the number of threads.
#[test]
fn many_points_have_the_same_rows_for_any_number_of_threads() {
    let count = 40_000;
    let line = |i: usize| format!("{},{},{}\n", i % 97, (i * i) % 89, i % 13);
    let many: String = (0..count).map(line).collect();
    let folder = Folder::with(&[
        ("many.csv", &format!("x,y,z\n{many}")),
        ("alone.csv", &format!("x,y,z\n{}", line(30_000))),
    ]);
    let near = |rest: &str| {
        folder
            .run(&format!("near demo:sphere?n=2000 --points F/{rest}"))
            .ok()
    };
    let out = |threads| near(&format!("many.csv --threads {threads}"));
    let one = out("1");
    assert_eq!(one.lines().count(), count + 1);
    for threads in ["2", "3", "7"] {
        assert!(out(threads) == one, "{threads} threads");
    }
    // The points repeat, and so do their answers.
    let rows = one.lines().skip(1);
    let rows: Vec<&str> = rows.map(|row| row.split_once(',').unwrap().1).collect();
    let period = 97 * 89 * 13;
    assert!(count < period && rows[1] != rows[2]);
    let expected = format!("0,{}", rows[30_000]);
    assert_eq!(near("alone.csv").lines().nth(1), Some(&*expected));
}

/// Checks what `near` and `contains` refuse alike; the folder has points in p.csv.
pub(crate) fn assert_refusals(folder: &Folder, verb: &str, mesh: &str) {
    let both = "stdin cannot be both the mesh and the points; name a file for one of them";
    let other = "is an OBJ mesh, not points; points are read from CSV, ";
    for (rest, status, said) in [
        (mesh.to_owned(), 2, "--points"),
        ("- --points -".to_owned(), 2, both),
        (
            format!("{mesh} --points no.csv"),
            3,
            "cannot read points from no.csv: ",
        ),
        (format!("{mesh} --points {mesh}"), 3, other),
        (
            format!("{mesh} --points F/p.csv --out F/p.csv"),
            2,
            "would replace",
        ),
    ] {
        let ran = folder.run(&format!("{verb} {rest}"));
        let found = (ran.status, ran.stdout.as_str());
        assert_eq!(found, (status, ""), "{verb} {rest}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{verb} {rest}: {}", ran.stderr);
    }
}

#[test]
fn wrong_input_is_refused_with_what_to_do() {
    let folder = files();
    assert_refusals(&folder, "near", "F/m.obj");
    // Rows before a line that cannot be read are written to stdout, but no file appears.
    let bad = b"x,y,z\n1,2,4.5\n1,up,2\n";
    let line = "near F/m.obj --points - --columns=prim";
    let ran = folder.run_reading(line, bad);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, "prim\n1\n"));
    assert_has(&ran.stderr, "<stdin>:3: y is \"up\"");
    folder
        .run_reading(&format!("{line} --out F/o.csv"), bad)
        .fails(3);
    assert!(!folder.has("o.csv"));
}

/// A tetrahedron, with a point inside, one outside, one on a face, one at a corner and one that is not
/// finite.
#[test]
fn signed_distances_are_negative_inside() {
    const SOLID: &str = "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    const POINTS: &str = "x,y,z\n1,2,2\n1,2,-3\n1,2,0\n8,0,0\nnan,0,0\n";
    let folder = Folder::with(&[("m.obj", SOLID), ("p.csv", POINTS)]);
    let line = "near F/m.obj --points F/p.csv";
    let near = |more: &str| noted(folder.run(&format!("{line} {more}")));
    let all = near("--signed");
    let rows: Vec<&str> = all.lines().collect();
    assert_eq!(rows[0], "point,distance,prim,u,v,feature,x,y,z,signed");
    assert_eq!(rows[1], "0,1,3,0.25,0.25,face,0,2,2,-1");
    assert_eq!(rows[5], "4,inf,-1,,,,,,,");
    for (options, expected) in [
        ("--signed --columns=signed", "signed\n-1\n3\n0\n0\n\n"),
        // Asking for the column suffices, and its place is kept.
        (
            "--columns=signed,point",
            "signed,point\n-1,0\n3,1\n0,2\n0,3\n,4\n",
        ),
        // What is farther than the greatest distance has none.
        (
            "--signed --within=1 --columns=point",
            "point,signed\n0,-1\n1,\n2,0\n3,0\n4,\n",
        ),
    ] {
        assert_eq!(near(options), expected, "{options}");
    }
    let object: Value = serde_json::from_str(&near("--signed --json")).unwrap();
    let signed = [0, 1, 2, 3, 4].map(|row| &object["results"][row]["signed"]);
    assert_eq!(json!(signed), json!([-1.0, 3.0, 0.0, 0.0, null]));

    folder.put("open.obj", SOLID.replace("f 1 4 3\n", ""));
    let line = "near F/open.obj --points F/p.csv";
    let told = "open.obj: the mesh is not closed, so it has no inside: 3 open edges";
    folder.run(&format!("{line} --signed")).fails_with(3, told);
    assert_eq!(folder.run(line).status, 0);
}

#[test]
fn signs_follow_a_rule() {
    const OPEN: &str = "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    let folder = Folder::with(&[("open.obj", OPEN)]);
    let near = |more: &str| {
        let line = format!("near F/open.obj --points - {more}");
        folder.run_reading(&line, b"x,y,z\n1,2,2\n1,2,-3\n")
    };
    let estimate = near("--columns signed --rule estimate");
    assert_eq!(estimate.ok(), "signed\n-1\n3\n");
    near("--columns signed").fails_with(3, "--rule estimate answers for open meshes");
    near("--rule parity").fails_with(2, "--rule has no effect without the column signed");
}

#[test]
fn points_are_arguments_too() {
    let folder = Folder::with(&[("m.obj", MESH), ("p.csv", "x,y,z\n0.1,-2.5,3\n1e39,0,0\n")]);
    for (verb, schema) in [
        ("near", "estoc.near/1"),
        ("contains --rule estimate", "estoc.contains/1"),
    ] {
        let (verb, rest) = verb.split_once(' ').unwrap_or((verb, ""));
        let points = "--point=0.1,-2.5,3 --point 1e39,0,0";
        let of_file = folder.run(&format!("{verb} F/m.obj {rest} --points F/p.csv"));
        let given = folder.run(&format!("{verb} F/m.obj {rest} {points}"));
        assert_eq!(
            (given.status, &given.stdout),
            (0, &of_file.stdout),
            "{verb}"
        );
        // In f32 the second is not finite, and the note names the option.
        assert_has(
            &given.stderr,
            "estoc: --point: 1 point with a coordinate that is not finite",
        );
        let object = folder
            .run(&format!("{verb} F/m.obj {rest} --point 0,0,9 --json"))
            .json();
        assert_eq!(
            (&object["schema"], &object["points"]),
            (&schema.into(), &1.into())
        );
        let told = folder
            .run(&format!("{verb} F/m.obj {points} --points F/p.csv"))
            .fails(2);
        assert_has(&told, "cannot be used with");
        assert_has(&folder.run(&format!("{verb} F/m.obj")).fails(2), "--point");
        for (point, reason) in [
            ("1,2", "a point is 3 numbers (x,y,z), but this has 2"),
            ("1,2,x", "\"x\" is not a finite number"),
            ("1,nan,3", "\"nan\" is not a finite number"),
            ("1,,3", "\"\" is not a finite number"),
        ] {
            assert_has(
                &folder
                    .run(&format!("{verb} F/m.obj --point {point}"))
                    .fails(2),
                reason,
            );
        }
    }
    // Columns of a point can be passed through.
    let line = "near F/m.obj --point 0.1,-2.5,3 --columns input:y,prim --quiet";
    assert!(folder.run(line).stdout.starts_with("input:y,prim\n-2.5,"));
}

#[test]
fn arguments_are_not_rounded_in_a_local_frame() {
    let far = "v 5000000 0 0\nv 5000001 0 0\nv 5000000 1 0\nf 1 2 3\n";
    let folder = Folder::with(&[("far.obj", far)]);
    let line =
        "near F/far.obj --local-frame auto --point 5000000.1,0.2,0.0625 --columns x,y,distance";
    assert_eq!(
        folder.run(line).ok(),
        "x,y,distance\n5000000.1,0.2,0.0625\n"
    );
}

/// Two sheets, and a spike between them, whose tip is nearer to the lower one.
const SHEETS: &str = "v 0 0 1\nv 4 0 1\nv 0 4 1\nv 0 0 5\nv 4 0 5\nv 0 4 5\nf 1 2 3\nf 4 5 6\n";
const SPIKE: &str = "v 1 1 2\nv 1.5 1 2.5\nv 1 1.5 2.5\nf 1 2 3\n";

#[test]
fn two_meshes_are_as_far_apart_as_their_nearest_triangles() {
    let folder = Folder::with(&[("m.obj", SHEETS), ("spike.obj", SPIKE)]);
    let told = folder.run("near F/spike.obj --to F/m.obj").ok();
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    assert_has(lines[0], "spike.obj to ");
    let expected = [
        "distance       1",
        "from           triangle 0, vertex0, at 1,1,2",
        "to             triangle 0, face, at 1,1,1",
    ];
    assert_eq!(lines[1..], expected);
    let line = "near F/spike.obj --to F/m.obj --within";
    let object = folder.run(&format!("{line} 0.99 --json")).ok_json();
    assert_eq!(object["schema"], "estoc.near-mesh/1");
    let none = (&json!(null), &json!([null, null]));
    assert_eq!((&object["distance"], &object["nearest"]), none);
    let told = folder.run(&format!("{line} 0.99")).ok();
    assert_has(&told, "  distance       none within 0.99\n");
    let object = folder.run("near F/m.obj --to F/m.obj --json").ok_json();
    let corner = json!({ "prim": 0, "feature": "vertex0", "point": [0.0, 0.0, 1.0] });
    assert_eq!(object["distance"], json!(0.0));
    assert_eq!(object["nearest"], json!([corner, corner]));
}

#[test]
fn two_meshes_take_no_options_of_points() {
    let folder = Folder::with(&[("m.obj", MESH), ("p.csv", POINTS)]);
    for (args, said) in [
        (
            "F/m.obj --to F/m.obj --points F/p.csv",
            "cannot be used with",
        ),
        ("F/m.obj --to F/m.obj --signed", "cannot be used with"),
        ("- --to -", "stdin cannot be both meshes"),
        ("F/m.obj --to demo:city", "this takes one mesh, not a scene"),
    ] {
        folder.run(&format!("near {args}")).fails_with(2, said);
    }
    let said = folder.run("near F/m.obj --to F/none.obj");
    assert_has(&said.stderr, "none.obj");
}

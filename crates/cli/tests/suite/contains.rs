//! `estoc contains`: formats, refusals, points on the surface.

use crate::common::{Ran, estoc, estoc_reading};

/// A tetrahedron, and the same without its largest face.
const CLOSED: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const OPEN: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";

/// Inside, outside, on a corner, on an edge, beside it, and not finite.
const POINTS: &str = "z,x,name,y\n0.2,0.2,a,0.2\n1,1,b,1\n0,0,c,0\n0,0.5,d,0\n0,0.5,e,-1e-9\n\
                      0,nan,f,0\n";

fn files() -> (tempfile::TempDir, [String; 3]) {
    let folder = tempfile::tempdir().unwrap();
    let named = [
        ("closed.obj", CLOSED),
        ("open.obj", OPEN),
        ("p.csv", POINTS),
    ];
    let paths = named.map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    (folder, paths)
}

/// Returns stdout of a run that succeeded and noted the point that is not finite.
fn noted(ran: Ran) -> String {
    let note = "1 point with a coordinate that is not finite: outside\n";
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.ends_with(note), "{}", ran.stderr);
    ran.stdout
}

#[test]
fn points_are_told_inside_or_outside_in_their_order() {
    let (folder, [closed, _, points]) = files();
    let csv = "point,inside\n0,1\n1,0\n2,1\n3,1\n4,0\n5,0\n";
    assert_eq!(
        noted(estoc(["contains", &closed, "--points", &points])),
        csv
    );
    let args = ["contains", &closed, "--points", "-", "--threads", "2"];
    assert_eq!(noted(estoc_reading(args, POINTS.as_bytes())), csv);
    let args = ["contains", "-", "--points", &points];
    assert_eq!(noted(estoc_reading(args, CLOSED.as_bytes())), csv);
    let json = noted(estoc(["contains", &closed, "--points", &points, "--json"]));
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["schema"], "estoc.contains/1");
    assert_eq!(object["points"], 6);
    assert_eq!(object["results"].as_array().unwrap().len(), 6);
    assert_eq!(object["results"][3]["point"], 3);
    assert_eq!(object["results"][3]["inside"], true);
    assert_eq!(object["results"][4]["inside"], false);
    let none = folder.path().join("none.csv");
    std::fs::write(&none, "x,y,z\n").unwrap();
    let args = ["contains", &closed, "--points", none.to_str().unwrap()];
    assert_eq!(estoc(args).ok(), "point,inside\n");
    assert_eq!(
        estoc(args.into_iter().chain(["--json"])).ok(),
        "{\"schema\":\"estoc.contains/1\",\"results\":[],\"points\":0}\n"
    );
}

#[test]
fn columns_of_the_points_stay_with_their_answers() {
    let (folder, [closed, ..]) = files();
    let points = folder.path().join("named.csv");
    let text = "id,x,y,z,inside,\"a, \"\"b\"\"\"\np7,0.2,0.2,0.2,?,\"1,5\"\n\"q\",1,1,1,,u\n";
    std::fs::write(&points, text).unwrap();
    let points = points.to_str().unwrap();
    let with = |columns, more: &[&str]| {
        let args = [
            "contains",
            &closed,
            "--points",
            points,
            "--columns",
            columns,
        ];
        estoc(args.iter().chain(more))
    };
    assert_eq!(
        with("ID,inside,input:inside,point", &[]).ok(),
        "ID,inside,input:inside,point\np7,1,?,0\n\"q\",0,,1\n"
    );
    assert_eq!(
        with("inside,id", &["--json"]).ok(),
        "{\"schema\":\"estoc.contains/1\",\"results\":[\n{\"inside\":true,\"id\":\"p7\"},\n\
         {\"inside\":false,\"id\":\"q\"}\n],\"points\":2}\n"
    );
    let ran = with("id,t", &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let said = "--columns: there is no column \"t\"; available are point, inside, and from the \
                input id, x, y, z, inside, ";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn many_points_come_in_several_chunks() {
    let (folder, [closed, ..]) = files();
    let count = 40_000;
    let text: String = (0..count)
        .map(|i| format!("{},0.1,0.1\n", i as f32 * 2.0 / count as f32))
        .collect();
    let points = folder.path().join("many.csv");
    std::fs::write(&points, format!("x,y,z\n{text}")).unwrap();
    let out = estoc(["contains", &closed, "--points", points.to_str().unwrap()]).ok();
    let inside = out.lines().filter(|line| line.ends_with(",1")).count();
    // Up to x = 0.8, which is outside: 0.1 is a little more than a tenth.
    assert_eq!((out.lines().count(), inside), (count + 1, 16_000));
}

#[test]
fn what_has_no_inside_is_refused_with_what_to_do() {
    let (folder, [closed, open, points]) = files();
    let out = folder.path().join("inside.csv");
    let args = ["contains", &open, "--points", &points, "--out"];
    let ran = estoc(args.into_iter().chain([out.to_str().unwrap()]));
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    let said = "open.obj: the mesh is not closed, so it has no inside: ";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(" open edges: the first from "),
        "{}",
        ran.stderr
    );
    assert!(!out.exists());

    for (args, status, said) in [
        (vec!["contains", &closed], 2, "--points"),
        (
            vec!["contains", "-", "--points", "-"],
            2,
            "stdin cannot be both the mesh and the points",
        ),
        (
            vec!["contains", &closed, "--points", "no.csv"],
            3,
            "cannot read points from no.csv: ",
        ),
        (
            vec!["contains", &closed, "--points", &closed],
            3,
            "is an OBJ mesh, not points; points are read from CSV, ",
        ),
        (
            vec!["contains", &closed, "--points", &points, "--out", &points],
            2,
            "would replace",
        ),
    ] {
        let ran = estoc(&args);
        assert_eq!((ran.status, ran.stdout.as_str()), (status, ""), "{args:?}");
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    let points = folder.path().join("upper.csv");
    std::fs::write(&points, "X,x,y,z\n1,1,1,1\n").unwrap();
    let points = points.to_str().unwrap();
    assert_eq!(
        estoc(["contains", &closed, "--points", points]).ok(),
        "point,inside\n0,0\n"
    );
}

#[test]
fn each_rule_answers_for_its_meshes() {
    let (folder, [closed, open, points]) = files();
    let with =
        |mesh: &str, rule: &str| estoc(["contains", mesh, "--points", &points, "--rule", rule]);
    let csv = "point,inside\n0,1\n1,0\n2,1\n3,1\n4,0\n5,0\n";
    for rule in ["parity", "winding", "estimate"] {
        assert_eq!(noted(with(&closed, rule)), csv, "{rule}");
    }
    // Without the largest face, the point next to it is outside.
    assert_eq!(
        noted(with(&open, "estimate")),
        "point,inside\n0,1\n1,0\n2,1\n3,1\n4,0\n5,0\n"
    );
    for rule in ["parity", "winding"] {
        let told = with(&open, rule).fails(3);
        let said = ", so it has no inside: 3 open edges: the first from ";
        assert!(told.contains(said), "{told}");
        assert!(
            told.contains("; --rule estimate answers for open meshes"),
            "{told}"
        );
    }
    // One face the other way round.
    let turned = folder.path().join("turned.obj");
    std::fs::write(&turned, CLOSED.replace("f 1 3 2", "f 1 2 3")).unwrap();
    let turned = turned.to_str().unwrap();
    assert_eq!(noted(with(turned, "parity")), csv);
    let told = with(turned, "winding").fails(3);
    assert!(
        told.contains("face different sides, such as at the edge from "),
        "{told}"
    );
    assert!(told.contains("use --rule parity"), "{told}");
    let told = with(&closed, "even").fails(2);
    assert!(
        told.contains("[possible values: parity, winding, estimate]"),
        "{told}"
    );
    // Two overlapping solids.
    let twice = folder.path().join("twice.obj");
    std::fs::write(&twice, format!("{CLOSED}{CLOSED}")).unwrap();
    let twice = twice.to_str().unwrap();
    assert_eq!(noted(with(twice, "parity")).lines().nth(1), Some("0,0"));
    assert_eq!(noted(with(twice, "winding")).lines().nth(1), Some("0,1"));
}

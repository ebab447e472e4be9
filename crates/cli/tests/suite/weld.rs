//! `--weld`: seams that are open by noise.

use crate::common::{Ran, estoc, estoc_reading};
use serde_json::{Value, json};
use std::fmt::Write;

/// A cube as a CAD program writes it: below, two of four sides end at 2.7e-16 instead of 0.
fn block() -> String {
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let mut text = "solid block\n".to_owned();
    for (face, [a, b, c, d]) in quads.into_iter().enumerate() {
        for triangle in [[a, b, c], [a, c, d]] {
            text += "facet normal 0 0 0\nouter loop\n";
            for i in triangle {
                let z = match (i >> 2, face) {
                    (0, 4..) => "2.7e-16".to_owned(),
                    (z, _) => z.to_string(),
                };
                writeln!(text, "vertex {} {} {z}", i & 1, i >> 1 & 1).unwrap();
            }
            text += "endloop\nendfacet\n";
        }
    }
    text + "endsolid block\n"
}

/// Inside, outside, and beside the seam.
const POINTS: &str = "x,y,z\n0.5,0.5,0.5\n0.5,0.5,-0.5\n-1,0.5,1.35e-16\n";

const WELDED: &str = "6 vertices moved, in 4 clusters, no coordinate by more than 2.7e-16";

struct Files {
    folder: tempfile::TempDir,
    block: String,
    points: String,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files {
            folder,
            block: String::new(),
            points: String::new(),
        };
        files.block = files.put("block.stl", &block());
        files.points = files.put("points.csv", POINTS);
        files
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn put(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}

/// Returns stdout of a run that succeeded and told only that it welded.
#[track_caller]
fn welded(ran: Ran, distance: &str) -> String {
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let told = format!(": welded within {distance}: {WELDED}\n");
    assert!(ran.stderr.ends_with(&told), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn a_seam_of_noise_is_measured_and_closed() {
    let text = block();
    let Files { block, points, .. } = &Files::new();
    let contains = ["contains", block, "--points", points];
    let near = [
        "near",
        block,
        "--points",
        points,
        "--signed",
        "--columns",
        "signed",
    ];
    for args in [&contains[..], &near] {
        let error = estoc(args).fails(3);
        assert!(
            error.contains(
                "has no inside: 12 open edges: the first from 0,0,0 to 0,0,1, of triangle 5 (line 37); \
                 the widest gap is 2.70e-16, and --weld auto closes it; "
            ),
            "{error}"
        );
    }
    let auto = "2.7000001050854396e-16";
    for (weld, distance) in [("auto", auto), ("1e-9", "1e-9"), ("0.01", "0.01")] {
        let with = |args: &[&str]| estoc(args.iter().copied().chain(["--weld", weld]));
        let inside = welded(with(&contains), distance);
        assert_eq!(inside, "point,inside\n0,1\n1,0\n2,0\n");
        assert_eq!(welded(with(&near), distance), "signed\n-0.5\n0.5\n1\n");
        let args = ["contains", "-", "--points", points, "--weld", weld];
        assert_eq!(
            welded(estoc_reading(args, text.as_bytes()), distance),
            inside
        );
    }
    // A ray through the seam, which is half as high as the noise.
    let cast = [
        "cast",
        block,
        "--ray",
        "-1,0.5,1.35e-16 1,0,0",
        "--columns",
        "t",
    ];
    assert_eq!(estoc(cast).ok().lines().last(), Some("inf"));
    let hit = welded(estoc(cast.into_iter().chain(["--weld", "auto"])), auto);
    assert_eq!(hit.lines().last(), Some("1"));
}

#[test]
fn info_and_check_tell_the_gap_and_the_weld() {
    let Files { block, .. } = &Files::new();
    let object = |ran: Ran| -> Value { serde_json::from_str(&ran.stdout).unwrap() };
    for verb in ["info", "check"] {
        let open = object(estoc([verb, "--json", block]));
        assert_eq!(open["open_edges"]["count"], 12);
        assert_eq!(open["open_edges"]["gap"], f64::from(2.7e-16f32));
        let closed = object(estoc([verb, "--json", "--weld", "auto", block]));
        assert_eq!(
            (&closed["closed"], &closed["open_edges"]),
            (&json!(true), &Value::Null)
        );
        let text = estoc([verb, block]).stdout;
        assert!(
            text.contains("; the widest gap is 2.70e-16, and --weld auto closes it\n"),
            "{text}"
        );
    }
    assert_eq!(
        object(estoc(["info", "--json", block]))["report"]["weld"],
        Value::Null
    );
    let report = &object(estoc(["info", "--json", "--weld=1e-9", block]))["report"]["weld"];
    let widest = f64::from(2.7e-16f32);
    let expected = json!({ "distance": 1e-9, "clusters": 4, "moved_vertices": 6, "widest": widest,
        "flattened_triangles": 0 });
    assert_eq!(report, &expected);
    // Commands that are printed weld, too: opposite sides meet when all is one cluster along z.
    let check = object(estoc(["check", "--json", "--weld=1", block]));
    assert_eq!(check["degenerate"]["count"], 12);
    let crossing =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 -1\nv 0.2 0.2 1\nv 2 2 1\nf 1 2 3\nf 4 5 6\n";
    let files = Files::new();
    let path = files.put("crossing.obj", crossing);
    let check = object(estoc(["check", "--json", "--weld=1e-9", &path]));
    let command = check["self_intersections"]["first"][0]["command"]
        .as_str()
        .unwrap();
    assert!(command.ends_with(" --weld 1e-9"), "{command}");
}

#[test]
fn tree_files_keep_what_was_welded() {
    let files = Files::new();
    let Files { block, points, .. } = &files;
    let [open, closed] = ["open.estoc", "closed.estoc"].map(|name| files.path(name));
    assert_eq!(estoc(["build", block, "--out", &open, "--quiet"]).status, 0);
    let args = [
        "build", block, "--out", &closed, "--quiet", "--weld", "auto",
    ];
    assert_eq!(estoc(args).status, 0);
    let contains = |tree: &str| estoc(["contains", tree, "--points", points]);
    assert_eq!(contains(&closed).ok(), "point,inside\n0,1\n1,0\n2,0\n");
    let error = contains(&open).fails(3);
    assert!(
        error.contains("2.70e-16, and estoc build --weld auto closes it; "),
        "{error}"
    );
    let late = estoc(["contains", &open, "--points", points, "--weld", "auto"]);
    let told = "open.estoc: --weld has no effect on a tree file; use it with estoc build\n";
    assert!(late.fails(3).contains(told));
}

#[test]
fn scenes_weld_their_meshes_and_generated_ones_do_not() {
    let files = Files::new();
    let text =
        "object = [{ name = 'block', mesh = 'block.stl' }]\n[[placement]]\nobject = 'block'\n";
    let scene = files.put("scene.toml", text);
    let closed = |args: &[&str]| {
        let ran = estoc(["info", "--json", &scene].iter().chain(args));
        let object: Value = serde_json::from_str(&ran.stdout).unwrap();
        object["closed_meshes"].as_u64().unwrap()
    };
    assert_eq!((closed(&[]), closed(&["--weld", "auto"])), (0, 1));
    let told = "demo:solids?n=400: --weld has no effect on a generated scene\n";
    assert!(
        estoc(["info", "demo:solids?n=400", "--weld", "1"])
            .stderr
            .ends_with(told)
    );
}

#[test]
fn what_cannot_be_welded_is_an_error() {
    let files = Files::new();
    let flag = files.put("flag.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let error = estoc(["info", &flag, "--weld", "auto"]).fails(3);
    assert_eq!(
        error,
        format!(
            "estoc: {flag}: no distance to weld within was found: it has 3 open edges, and 3 would be \
             left within a millionth of its size, 1e-6; --weld D joins corners within D\n"
        )
    );
    for weld in ["-1", "nan", "inf", "1mm", ""] {
        let error = estoc(["info", &flag, "--weld", weld]).fails(2);
        assert!(
            error.contains("a weld is auto, or the largest distance"),
            "{weld}: {error}"
        );
    }
}

//! `--weld`: seams that are open by noise.

use crate::common::{Folder, Ran, assert_has, estoc, run};
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

fn files() -> Folder {
    Folder::with(&[("block.stl", &block()), ("points.csv", POINTS)])
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
    let folder = files();
    let contains = "contains F/block.stl --points F/points.csv";
    let near = "near F/block.stl --points F/points.csv --signed --columns signed";
    for line in [contains, near] {
        let told = "has no inside: 12 open edges: the first from 0,0,0 to 0,0,1, of triangle 5 (line 37); \
                    the widest gap is 2.70e-16, and --weld auto closes it; ";
        folder.run(line).fails_with(3, told);
    }
    let auto = "2.7000001050854396e-16";
    for (weld, distance) in [("auto", auto), ("1e-9", "1e-9"), ("0.01", "0.01")] {
        let piped = "contains - --points F/points.csv";
        for (line, expected) in [
            (contains, "point,inside\n0,1\n1,0\n2,0\n"),
            (near, "signed\n-0.5\n0.5\n1\n"),
            (piped, "point,inside\n0,1\n1,0\n2,0\n"),
        ] {
            let ran = folder.run_reading(&format!("{line} --weld {weld}"), text.as_bytes());
            assert_eq!(welded(ran, distance), expected, "{line} --weld {weld}");
        }
    }
    // A ray through the seam, which is half as high as the noise.
    let cast = "cast F/block.stl --ray -1,0.5,1.35e-16,1,0,0 --columns t";
    assert_eq!(folder.run(cast).ok().lines().last(), Some("inf"));
    let hit = welded(folder.run(&format!("{cast} --weld auto")), auto);
    assert_eq!(hit.lines().last(), Some("1"));
}

#[test]
fn info_and_check_tell_the_gap_and_the_weld() {
    let folder = files();
    let object = |line: &str| folder.run(&format!("{line} --json")).json();
    for verb in ["info", "check"] {
        let open = object(&format!("{verb} F/block.stl"));
        assert_eq!(open["open_edges"]["count"], 12);
        assert_eq!(open["open_edges"]["gap"], f64::from(2.7e-16f32));
        let closed = object(&format!("{verb} --weld auto F/block.stl"));
        assert_eq!(closed["closed"], true);
        assert_eq!(closed["open_edges"], Value::Null);
        let text = folder.run(&format!("{verb} F/block.stl")).stdout;
        assert_has(
            &text,
            "; the widest gap is 2.70e-16, and --weld auto closes it\n",
        );
    }
    let open = object("info F/block.stl");
    assert_eq!(open["report"]["weld"], Value::Null);
    let report = &object("info --weld=1e-9 F/block.stl")["report"]["weld"];
    let widest = f64::from(2.7e-16f32);
    let expected = json!({ "distance": 1e-9, "clusters": 4, "moved_vertices": 6, "widest": widest,
        "flattened_triangles": 0 });
    assert_eq!(report, &expected);
    // Commands that are printed weld, too: opposite sides meet when all is one cluster along z.
    let check = object("check --weld=1 F/block.stl");
    assert_eq!(check["degenerate"]["count"], 12);
    let crossing =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 -1\nv 0.2 0.2 1\nv 2 2 1\nf 1 2 3\nf 4 5 6\n";
    folder.put("crossing.obj", crossing);
    let check = object("check --weld=1e-9 F/crossing.obj");
    let command = &check["self_intersections"]["first"][0]["command"];
    let command = command.as_str().unwrap();
    assert!(command.ends_with(" --weld 1e-9"), "{command}");
}

#[test]
fn tree_files_keep_what_was_welded() {
    let folder = files();
    for options in ["open.estoc", "closed.estoc --weld auto"] {
        let built = folder.run(&format!("build F/block.stl --quiet --out F/{options}"));
        assert_eq!(built.status, 0);
    }
    let contains = |tree: &str| folder.run(&format!("contains F/{tree} --points F/points.csv"));
    let closed = contains("closed.estoc").ok();
    assert_eq!(closed, "point,inside\n0,1\n1,0\n2,0\n");
    let told = "2.70e-16, and estoc build --weld auto closes it; ";
    contains("open.estoc").fails_with(3, told);
    let late = folder.run("contains F/open.estoc --points F/points.csv --weld auto");
    let told = "open.estoc: --weld has no effect on a tree file; use it with estoc build\n";
    late.fails_with(3, told);
}

#[test]
fn scenes_weld_their_meshes_and_generated_ones_do_not() {
    let folder = files();
    let text =
        "object = [{ name = 'block', mesh = 'block.stl' }]\n[[placement]]\nobject = 'block'\n";
    folder.put("scene.toml", text);
    for (options, closed) in [("", 0), ("--weld auto", 1)] {
        let object = folder
            .run(&format!("info --json F/scene.toml {options}"))
            .json();
        assert_eq!(object["closed_meshes"], closed, "{options}");
    }
    let told = "demo:solids?n=400: --weld has no effect on a generated scene\n";
    let generated = run("info demo:solids?n=400 --weld 1").stderr;
    assert!(generated.ends_with(told), "{generated}");
}

#[test]
fn what_cannot_be_welded_is_an_error() {
    let folder = Folder::with(&[("flag.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")]);
    let error = folder.run("info F/flag.obj --weld auto").fails(3);
    assert_eq!(
        error,
        "estoc: F/flag.obj: no distance to weld within was found: it has 3 open edges, and 3 would be \
         left within a millionth of its size, 1e-6; --weld D joins corners within D\n"
    );
    for weld in ["-1", "nan", "inf", "1mm", ""] {
        let ran = estoc(["info", &folder.path("flag.obj"), "--weld", weld]);
        ran.fails_with(2, "a weld is auto, or the largest distance");
    }
}

//! `estoc check`: faults of meshes, and commands that show them.

use crate::common::{Folder, assert_has, root, run};
use serde_json::Value;

/// A folder with this text as a mesh.
fn file(text: &str) -> Folder {
    Folder::with(&[("mesh.obj", text)])
}

const TETRAHEDRON: &str =
    "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

#[test]
fn a_mesh_without_faults_passes() {
    let folder = file(TETRAHEDRON);
    let text = folder.run("check F/mesh.obj").ok();
    let rows: Vec<&str> = text.lines().skip(1).map(str::trim).collect();
    assert_eq!(
        rows,
        [
            "triangles      4",
            "closed         yes",
            "oriented       yes, outwards",
            "crowded edges  none",
            "without area   none",
            "duplicate      none",
            "intersections  none",
        ]
    );
    let object = folder.run("check F/mesh.obj --json --threads 2").ok_json();
    assert_eq!(object["schema"], "estoc.check/1");
    assert_eq!(object["ok"], true);
    assert_eq!(object["edges"], 6);
    assert_eq!(object["misoriented_edges"], Value::Null);
    assert_eq!(object["self_intersections"]["count"], 0);
}

#[test]
fn a_mesh_that_is_turned_inside_out_is_told() {
    let inwards = TETRAHEDRON
        .replace("f 1 3 2", "f 1 2 3")
        .replace("f 1 2 4", "f 1 4 2")
        .replace("f 2 3 4", "f 2 4 3")
        .replace("f 1 4 3", "f 1 3 4");
    let folder = file(&inwards);
    let ran = folder.run("check F/mesh.obj");
    assert_eq!(ran.status, 1);
    let row = "  oriented       yes, inwards: its signed volume is negative\n";
    assert_has(&ran.stdout, row);
    let told = "estoc: the check failed: F/mesh.obj: triangles that face inwards\n";
    assert_eq!(ran.stderr, told);
    let row = "  oriented   inwards: its signed volume is negative\n";
    assert_has(&folder.run("info F/mesh.obj").ok(), row);
    let faces = |faces: &str| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{faces}");
    for verb in ["check", "info"] {
        for (text, expected) in [
            (inwards.clone(), "inwards".into()),
            (TETRAHEDRON.to_owned(), "outwards".into()),
            // The same triangle from both sides, an open one, and two that do not fit together.
            (faces("f 1 2 3\nf 1 3 2\n"), "neither".into()),
            (faces("f 1 2 3\n"), Value::Null),
            (faces("f 1 2 3\nf 1 2 3\n"), Value::Null),
        ] {
            let object = file(&text).run(&format!("{verb} F/mesh.obj --json")).json();
            assert_eq!(object["orientation"], expected, "{verb}: {text}");
        }
    }
    let told = file(TETRAHEDRON).run("info F/mesh.obj").ok();
    assert_has(&told, "\n  oriented   outwards\n");
}

#[test]
fn faults_are_told_with_commands_that_show_them() {
    // One face turned around, one doubled, one without area, and one through the others.
    let faults = "f 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 4 3\nf 4 1 2\nf 1 1 2\nv 1 1 -1\nv 1 1 9\nv 9 9 9\nf 5 6 7\n";
    let vertices = TETRAHEDRON.split_inclusive('\n').take(4);
    let folder = file(&vertices.chain([faults]).collect::<String>());
    let ran = folder.run("check F/mesh.obj");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    for row in [
        "  closed         no, ",
        "  oriented       no, ",
        "  crowded edges  ",
        "  without area   1: triangle 5 (line 10)\n",
        "  duplicate      1: triangle 4 (line 9) like 1\n",
        "    triangles 1 and 4 overlap\n      estoc render ",
    ] {
        assert_has(&ran.stdout, row);
    }
    assert_has(&ran.stderr, "the check failed: ");
    assert_has(&ran.stderr, ", 1 duplicate triangle, ");

    let ran = folder.run("check F/mesh.obj --json --pairs 2");
    assert_eq!(ran.status, 1);
    let object = ran.json();
    assert_eq!(object["ok"], false);
    assert_eq!(object["degenerate"]["first"][0]["line"], 10);
    assert_eq!(object["duplicate"]["first"][0]["of"], 1);
    let pairs = &object["self_intersections"];
    let sum =
        ["crossing", "coplanar_overlap", "touching"].map(|kind| pairs[kind].as_u64().unwrap());
    assert_eq!(pairs["count"].as_u64().unwrap(), sum.iter().sum::<u64>());
    assert!(sum[0] > 0 && sum[1] == 1, "{pairs}");
    let first = pairs["first"].as_array().unwrap();
    assert_eq!(first.len(), 2);
    // The command works as printed.
    let command = first[0]["command"].as_str().unwrap();
    let (command, _) = command
        .strip_prefix("estoc ")
        .unwrap()
        .split_once(" --out ")
        .unwrap();
    let rest = "--out F/pair.png --size 32x32 --quiet";
    folder.run(&format!("{command} {rest}")).ok();
    assert!(folder.has("pair.png"));
}

#[test]
fn scenes_and_tree_files_are_checked_alike() {
    let text = run("check demo:sphere?n=500").ok();
    assert_has(&text, "  intersections  none\n");
    let ran = run("check demo:soup?n=300 --pairs 0");
    assert_eq!(ran.status, 1);
    assert!(!ran.stdout.contains("estoc render"), "{}", ran.stdout);
    let folder = file(TETRAHEDRON);
    folder
        .run("build F/mesh.obj --out F/mesh.estoc --quiet")
        .ok();
    let rows = |mesh: &str| -> Vec<String> {
        let text = folder.run(&format!("check F/{mesh}")).ok();
        text.lines().skip(1).map(str::to_owned).collect()
    };
    assert_eq!(rows("mesh.estoc"), rows("mesh.obj"));
}

#[test]
#[ignore = "needs meshes beside the repository"]
fn real_meshes_have_known_faults() {
    let data = root().join("../shared/data/meshes");
    let bunny = data.join("stanford-bunny.obj.zst");
    let object = run(&format!("check {} --json", bunny.display())).json();
    assert_eq!(object["self_intersections"]["count"], 0, "{object}");
    assert_eq!(object["ok"], object["closed"]);
}

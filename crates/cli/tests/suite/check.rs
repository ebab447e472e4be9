//! `estoc check`: faults of meshes, and commands that show them.

use crate::common::{estoc, root};
use serde_json::Value;

/// Returns the path of a file with this text, and the folder that holds it.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.obj");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

const TETRAHEDRON: &str =
    "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

#[test]
fn a_mesh_without_faults_passes() {
    let (_folder, path) = file(TETRAHEDRON);
    let text = estoc(["check", &path]).ok();
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
    let json = estoc(["check", &path, "--json", "--threads", "2"]).ok();
    let object: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["schema"], "estoc.check/1");
    assert_eq!((&object["ok"], &object["edges"]), (&true.into(), &6.into()));
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
    let (_folder, path) = file(&inwards);
    let ran = estoc(["check", &path]);
    assert_eq!(ran.status, 1);
    let row = "  oriented       yes, inwards: its signed volume is negative\n";
    assert!(ran.stdout.contains(row), "{}", ran.stdout);
    let told = format!("estoc: the check failed: {path}: triangles that face inwards\n");
    assert_eq!(ran.stderr, told);
    let orientation = |verb: &str, path: &str| {
        let ran = estoc([verb, path, "--json"]);
        let object: Value = serde_json::from_str(&ran.stdout).unwrap();
        object["orientation"].clone()
    };
    let told = estoc(["info", &path]).ok();
    let row = "  oriented   inwards: its signed volume is negative\n";
    assert!(told.contains(row), "{told}");
    for verb in ["check", "info"] {
        assert_eq!(orientation(verb, &path), "inwards");
        let (_folder, path) = file(TETRAHEDRON);
        assert_eq!(orientation(verb, &path), "outwards");
        // The same triangle from both sides, an open one, and two that do not fit together.
        for (faces, expected) in [
            ("f 1 2 3\nf 1 3 2\n", "neither".into()),
            ("f 1 2 3\n", Value::Null),
            ("f 1 2 3\nf 1 2 3\n", Value::Null),
        ] {
            let (_folder, path) = file(&format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{faces}"));
            assert_eq!(orientation(verb, &path), expected, "{verb}: {faces}");
        }
    }
    let (_folder, path) = file(TETRAHEDRON);
    assert!(
        estoc(["info", &path])
            .ok()
            .contains("\n  oriented   outwards\n")
    );
}

#[test]
fn faults_are_told_with_commands_that_show_them() {
    // One face turned around, one doubled, one without area, and one through the others.
    let faults = "f 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 4 3\nf 4 1 2\nf 1 1 2\nv 1 1 -1\nv 1 1 9\nv 9 9 9\nf 5 6 7\n";
    let vertices: String = TETRAHEDRON
        .lines()
        .take(4)
        .map(|line| format!("{line}\n"))
        .collect();
    let (folder, path) = file(&format!("{vertices}{faults}"));
    let ran = estoc(["check", &path]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let told = &ran.stdout;
    for row in [
        "  closed         no, ",
        "  oriented       no, ",
        "  crowded edges  ",
        "  without area   1: triangle 5 (line 10)\n",
        "  duplicate      1: triangle 4 (line 9) like 1\n",
        "    triangles 1 and 4 overlap\n      estoc render ",
    ] {
        assert!(told.contains(row), "{row}: {told}");
    }
    assert!(ran.stderr.contains("the check failed: "), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(", 1 duplicate triangle, "),
        "{}",
        ran.stderr
    );

    let ran = estoc(["check", &path, "--json", "--pairs", "2"]);
    assert_eq!(ran.status, 1);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
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
    let picture = folder.path().join("pair.png");
    let mut words: Vec<&str> = command.split(' ').skip(1).collect();
    let place = words.iter().position(|word| *word == "--out").unwrap();
    words[place + 1] = picture.to_str().unwrap();
    words.extend(["--size", "32x32", "--quiet"]);
    estoc(&words).ok();
    assert!(picture.exists());
}

#[test]
fn scenes_and_tree_files_are_checked_alike() {
    let text = estoc(["check", "demo:sphere?n=500"]).ok();
    assert!(text.contains("  intersections  none\n"), "{text}");
    let ran = estoc(["check", "demo:soup?n=300", "--pairs", "0"]);
    assert_eq!(ran.status, 1);
    assert!(!ran.stdout.contains("estoc render"), "{}", ran.stdout);
    let (folder, path) = file(TETRAHEDRON);
    let tree = folder.path().join("mesh.estoc");
    let tree = tree.to_str().unwrap();
    estoc(["build", &path, "--out", tree, "--quiet"]).ok();
    let rows = |mesh: &str| -> Vec<String> {
        let text = estoc(["check", mesh]).ok();
        text.lines().skip(1).map(str::to_owned).collect()
    };
    assert_eq!(rows(tree), rows(&path));
}

/// The data of the repository, and where they lie beside it, real meshes with known faults.
#[test]
fn real_meshes_have_known_faults() {
    let data = root().join("../shared/data/meshes");
    let bunny = data.join("stanford-bunny.obj.zst");
    if !bunny.exists() {
        eprintln!("skipped: no meshes beside the repository");
        return;
    }
    let ran = estoc(["check", bunny.to_str().unwrap(), "--json"]);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["self_intersections"]["count"], 0, "{object}");
    assert_eq!(object["ok"], object["closed"]);
}

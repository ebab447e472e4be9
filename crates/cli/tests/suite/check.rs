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

/// A sheet, and triangles that cross it, overlap it, touch it with a corner, and do none of this.
const SHEET: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n";
const OTHERS: &str = "v 9 9 9\nv 9 9 8\nv 9 8 9\nf 1 2 3\n\
    v 1 1 -1\nv 1 1 1\nv 9 9 0\nf 4 5 6\n\
    v 1 1 0\nv 2 1 0\nv 1 2 0\nf 7 8 9\n\
    v 1 2 0\nv 1 2 5\nv 2 2 5\nf 10 11 12\n";

#[test]
fn two_meshes_are_compared() {
    let folder = Folder::with(&[("sheet.obj", SHEET), ("others.obj", OTHERS)]);
    let ran = folder.run("check F/sheet.obj --with F/others.obj");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], "F/sheet.obj with F/others.obj");
    assert_eq!(lines[1], "  triangles      1 and 4");
    assert_eq!(
        lines[2],
        "  intersections  3 pairs: 1 crossing, 1 overlapping, 1 touching"
    );
    assert_eq!(lines[3], "    triangle 0 and triangle 1 of the other cross");
    assert_has(
        lines[4],
        "estoc render F/sheet.obj --with F/others.obj --eye ",
    );
    assert_eq!(lines.len(), 9);
    assert_has(
        &ran.stderr,
        "F/sheet.obj with F/others.obj: 3 pairs of triangles that intersect\n",
    );

    let object = folder.run("check F/others.obj --with F/sheet.obj --json --pairs 2");
    let object = object.json();
    assert_eq!(object["schema"], "estoc.check-with/1");
    assert_eq!(
        [&object["triangles"], &object["with_triangles"]],
        [&4.into(), &1.into()] as [&Value; 2]
    );
    assert_eq!(object["ok"], false);
    let pairs = &object["intersections"];
    for kind in ["crossing", "coplanar_overlap", "touching"] {
        assert_eq!(pairs[kind], 1, "{kind}");
    }
    let first = pairs["first"].as_array().unwrap();
    assert_eq!(first.len(), 2);
    assert_eq!(
        [&first[1]["first"], &first[1]["second"]],
        [&2.into(), &0.into()] as [&Value; 2]
    );
    assert_eq!(first[1]["kind"], "coplanar_overlap");
    // The command works as printed.
    let command = first[0]["command"].as_str().unwrap();
    let (command, _) = command.split_once(" --out ").unwrap();
    let command = command.strip_prefix("estoc ").unwrap();
    folder
        .run(&format!("{command} --out F/pair.png --size 32x32 --quiet"))
        .ok();
    assert!(folder.has("pair.png"));
}

#[test]
fn faults_of_one_mesh_do_not_count_for_two() {
    // Open, and apart from each other.
    let apart = SHEET.replace(" 0\n", " 7\n");
    let folder = Folder::with(&[("a.obj", SHEET), ("b.obj", &apart), ("c.obj", TETRAHEDRON)]);
    let text = folder.run("check F/a.obj --with F/b.obj").ok();
    assert_has(&text, "  intersections  none\n");
    let object = folder
        .run("check F/a.obj --with F/b.obj --json --threads 2")
        .ok_json();
    assert_eq!(object["ok"], true);
    // The same mesh twice: neighbours touch, and each triangle overlaps itself.
    let object = folder.run("check F/c.obj --with F/c.obj --json").json();
    let pairs = &object["intersections"];
    let counts = ["count", "coplanar_overlap", "touching"].map(|kind| &pairs[kind]);
    assert_eq!(
        counts,
        [&16.into(), &4.into(), &12.into()] as [&Value; 3],
        "{object}"
    );
}

#[test]
fn two_meshes_need_one_frame_and_one_stdin() {
    let far = |x: f64| format!("v {x} 0 0\nv {} 0 0\nv {x} 1 0\nf 1 2 3\n", x + 1.0);
    let (near, far) = (far(5e6), far(5e6 + 0.25));
    let folder = Folder::with(&[("a.obj", &near), ("b.obj", &far)]);
    let told = folder
        .run("check F/a.obj --with F/b.obj --local-frame auto")
        .fails(2);
    assert_has(&told, "F/b.obj has its local frame at ");
    assert_has(&told, "load both with the same --local-frame X,Y,Z");
    for verb in ["check - --pairs 0", "render - --out F/x.png"] {
        let told = folder.run(&format!("{verb} --with -")).fails(2);
        assert_has(&told, "stdin cannot be both meshes");
    }
    let same = "--with F/b.obj --local-frame 5000000,0,0 --json";
    let object = folder.run(&format!("check F/a.obj {same}")).json();
    assert_eq!(object["intersections"]["coplanar_overlap"], 1, "{object}");
    let command = object["intersections"]["first"][0]["command"].as_str();
    let command = command.unwrap().strip_prefix("estoc ").unwrap();
    let command = command.replace("pair-0-0.png", "F/far.png");
    folder.run(&format!("{command} --size 16x16 --quiet")).ok();
    let told = folder.run("check F/a.obj --with demo:city").fails(2);
    assert_has(&told, "this takes one mesh, not a scene");
}

#[test]
fn two_meshes_are_painted_like_a_scene_of_both() {
    let scene = "[[object]]\nname = \"a\"\nmesh = \"a.obj\"\n[[object]]\nname = \"b\"\nmesh = \"b.obj\"\n\
        [[placement]]\nobject = \"a\"\n[[placement]]\nobject = \"b\"\n";
    let files = [("a.obj", TETRAHEDRON), ("b.obj", OTHERS), ("s.toml", scene)];
    let folder = Folder::with(&files);
    let how = "--eye 9,20,30 --at 3,3,3 --size 48x48 --shade normal --quiet";
    for (mesh, out) in [
        ("F/a.obj --with F/b.obj", "both"),
        ("F/s.toml", "scene"),
        ("F/a.obj", "one"),
    ] {
        folder
            .run(&format!("render {mesh} {how} --out F/{out}.png"))
            .ok();
    }
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert_eq!(bytes("both.png"), bytes("scene.png"));
    assert_ne!(bytes("both.png"), bytes("one.png"));
    let told = folder
        .run("render F/a.obj --with F/b.obj --shade material --out F/x.png")
        .fails(2);
    assert_has(&told, "--shade material needs ");
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

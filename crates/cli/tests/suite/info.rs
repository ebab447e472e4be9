//! `estoc info`.

use crate::common::{Folder, command, estoc, estoc_reading};
use serde_json::{Value, json};

fn info(mesh: &str) -> Value {
    let text = estoc(["info", "--json", mesh]).ok();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn files_of_every_format_come_from_stdin_too() {
    let off = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    // A frame with one uncompressed block.
    let mut zst = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, off.len() as u8];
    zst.extend([(off.len() << 3) as u8 | 1, (off.len() >> 5) as u8, 0]);
    zst.extend(off);
    let stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
        vertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
    let gltf = r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"componentType":5126,"count":3,"type":"VEC3"}]}"#;
    for bytes in [&off[..], &zst, stl.as_bytes(), gltf.as_bytes()] {
        let ran = estoc_reading(["info", "--quiet", "--json", "-"], bytes).ok();
        let info: Value = serde_json::from_str(&ran).unwrap();
        assert_eq!(
            (&info["mesh"], &info["triangles"]),
            (&json!("-"), &json!(1))
        );
    }
}

#[test]
fn json_has_everything_asked_for() {
    let info = info("data/solids.obj");
    assert_eq!(info["schema"], "estoc.info/1");
    assert_eq!(info["mesh"], "data/solids.obj");
    assert_eq!(
        info["objects"],
        json!(["cube", "dodecahedron", "prism", "star", "stair", "cup"])
    );
    assert_eq!(info["groups"], json!(["solids"]));
    assert_eq!(info["materials"][3]["name"], "star_paint");
    assert_eq!(info["materials"][3]["diffuse"], json!([0.8, 0.65, 0.2]));
    assert_eq!(info["materials"][3]["defined"], true);
    assert_eq!(info["closed"], true);
    assert_eq!(info["bounds"]["min"][0], -6.0);
    assert_eq!(info["bounds"]["min"][1], 0.0);
    assert_eq!(info["warnings"], json!([]));
    // The star's two caps and one of the stair's; the other is a fan from its first corner.
    assert_eq!(info["report"]["concave_polygons"], 3);
    assert_eq!(info["report"]["skipped_faces"], 0);
    let triangles = info["triangles"].as_u64().unwrap();
    assert!(triangles > info["report"]["faces"].as_u64().unwrap());
    assert!(info["vertices"].as_u64().unwrap() > 500);
    let bvh = &info["bvh"];
    assert!(bvh["seconds"].as_f64().unwrap() > 0.0);
    assert!(bvh["sah_cost"].as_f64().unwrap() > 0.0);
    let [nodes, leaves, most] =
        ["nodes", "leaves", "max_leaf"].map(|name| bvh[name].as_u64().unwrap());
    assert!(
        leaves + nodes - 1 <= 8 * nodes && leaves * most >= triangles,
        "{bvh}"
    );
}

#[test]
fn the_tree_is_told_in_parts_that_add_up() {
    let text = estoc(["info", "--json", "demo:hall?n=3000"]).ok();
    let info: Value = serde_json::from_str(&text).unwrap();
    let bvh = &info["bvh"];
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} in {bvh}"));
    let counts = |name: &str| -> Vec<f64> {
        let list = bvh[name].as_array().unwrap();
        assert_eq!(list.len(), 8, "{name}");
        list.iter().map(number).collect()
    };
    let weighed =
        |counts: &[f64]| -> f64 { (1..).zip(counts).map(|(n, c)| f64::from(n) * c).sum() };
    let (leaf_sizes, children) = (counts("leaf_sizes"), counts("children"));
    assert_eq!(leaf_sizes.iter().sum::<f64>(), number(&bvh["leaves"]));
    assert_eq!(weighed(&leaf_sizes), number(&info["triangles"]));
    assert_eq!(children.iter().sum::<f64>(), number(&bvh["nodes"]));
    // Each leaf, and each node but the root, is the child of one node.
    let things = number(&bvh["leaves"]) + number(&bvh["nodes"]) - 1.0;
    assert_eq!(weighed(&children), things);
    let expected = |name: &str| number(&bvh["expected"][name]);
    let cost = expected("nodes") + 0.8 * expected("leaves");
    assert!((cost - number(&bvh["sah_cost"])).abs() < 1e-9 * cost);
    assert!(expected("triangles") >= expected("leaves"));
    assert!(number(&bvh["mean_depth"]) <= number(&bvh["depth"]));
    let parts = bvh["bytes_by_part"].as_object().unwrap();
    assert_eq!(
        parts.values().map(number).sum::<f64>(),
        number(&bvh["bytes"])
    );
    let each = number(&bvh["bytes"]) / number(&info["triangles"]);
    assert!((each - number(&bvh["bytes_per_triangle"])).abs() < 1e-9 * each);

    let text = estoc(["info", "demo:hall?n=3000"]).ok();
    for row in ["leaf sizes", "children", "SAH cost", "memory"] {
        assert!(text.contains(&format!("\n  {row:<10} ")), "{row}: {text}");
    }
    assert!(text.contains("KiB, triangle numbers "), "{text}");
}

/// Returns the status and output of the command with `ESTOC_SIMD` set to `name`.
fn with_simd(name: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let output = command().args(args).env("ESTOC_SIMD", name).output();
    let output = output.unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), out, err)
}

#[test]
fn several_meshes_are_told_one_after_the_other() {
    let [one, other] = ["demo:sphere?n=300", "data/solids.obj"];
    let text = estoc(["info", one, other]).ok();
    let second = format!("\n\n{other}\n  triangles  1,126\n");
    assert!(
        text.starts_with(&format!("{one}\n")) && text.contains(&second),
        "{text}"
    );
    let list: Value = serde_json::from_str(&estoc(["info", "--json", one, other]).ok()).unwrap();
    assert_eq!(list["schema"], "estoc.info-list/1");
    let names: Vec<&Value> = list["meshes"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 2);
    for (object, mesh) in names.iter().zip([one, other]) {
        assert_eq!(
            (&object["schema"], &object["mesh"]),
            (&"estoc.info/1".into(), &mesh.into())
        );
        assert_eq!(object["triangles"], info(mesh)["triangles"]);
    }

    // A file that cannot be read does not affect the others.
    let ran = estoc(["info", "gone.obj", one, "missing.ply"]);
    assert_eq!(ran.status, 3);
    assert!(
        ran.stdout.starts_with(&format!("{one}\n")),
        "{}",
        ran.stdout
    );
    let told: Vec<&str> = ran.stderr.lines().collect();
    assert!(
        told[0].contains("gone.obj") && told[1].contains("missing.ply"),
        "{told:?}"
    );
    let ran = estoc(["info", "--json", "gone.obj", one]);
    let list: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (ran.status, &list["meshes"][0]["error"]["status"]),
        (3, &json!(3))
    );
    assert_eq!(list["meshes"][1]["mesh"], one);
    assert!(
        estoc(["info", "-", "-"])
            .fails(2)
            .contains("stdin can be read only once")
    );
}

#[test]
fn findings_say_what_their_numbers_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.obj");
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\nf 1 2\n";
    std::fs::write(&path, text).unwrap();
    let ran = estoc(["info", "--json", path.to_str().unwrap()]);
    let report = &serde_json::from_str::<Value>(&ran.stdout).unwrap()["report"];
    assert_eq!(
        report["degenerate"]["first"],
        json!([{"prim": 1, "line": 5}])
    );
    assert_eq!(
        report["short_faces"]["first"],
        json!([{"face": 2, "line": 6}])
    );
}

#[test]
fn vector_instructions_are_told_and_chosen() {
    let scene = "demo:sphere?n=300";
    for name in ["baseline", "avx2", "avx512"] {
        let (status, out, err) = with_simd(name, &["info", "--json", scene]);
        if status == Some(2) && name != "baseline" {
            assert!(err.contains(&format!("no SIMD level {name:?}")), "{err}");
            continue;
        }
        assert_eq!(status, Some(0), "{err}");
        let info: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(info["bvh"]["simd"], name);
        let (_, out, _) = with_simd(name, &["info", scene]);
        let row = out.lines().find(|line| line.contains("SIMD")).unwrap();
        assert_eq!(row.split_whitespace().last(), Some(name));
    }
    // Empty counts as not set.
    assert_eq!(with_simd("", &["info", scene]).0, Some(0));
}

#[test]
fn unknown_vector_instructions_are_refused_before_any_work() {
    for name in ["sse9", "AVX2", " baseline"] {
        let (status, out, err) = with_simd(name, &["info", "no/such/file.obj"]);
        assert_eq!((status, out.as_str()), (Some(2), ""));
        let told = format!(
            "estoc: ESTOC_SIMD: this machine has no SIMD level {name:?}; choose one of baseline"
        );
        assert!(err.starts_with(&told), "{err}");
    }
}

#[test]
fn a_scene_is_what_its_file_says() {
    for (file, spec) in [
        ("data/solids.obj", "demo:solids?n=1200"),
        ("data/sphere.obj", "demo:sphere?n=2000"),
        ("data/terrain.obj", "demo:terrain?n=5000&seed=7"),
        ("data/hall.obj", "demo:hall?n=20000"),
    ] {
        let (mut file, mut scene) = (info(file), info(spec));
        for info in [&mut file, &mut scene] {
            info["mesh"] = Value::Null;
            info["bvh"]["seconds"] = Value::Null;
            // A scene has no decimals.
            info["report"]["rounding"] = Value::Null;
        }
        // A scene has no lines.
        if let Some(first) = file["open_edges"].get_mut("first") {
            assert!(first["line"].is_u64(), "{first}");
            first["line"] = Value::Null;
        }
        assert_eq!(file, scene);
    }
}

#[test]
fn text_tells_the_same() {
    let text = estoc(["info", "demo:sphere?n=2000"]).ok();
    assert!(text.starts_with("demo:sphere?n=2000\n  triangles  2,048\n  vertices   1,026\n"));
    assert!(text.contains("\n  closed     yes\n"), "{text}");
    assert!(
        text.contains("\n  bounds     (-1, -1, -1) to (1, 1, 1)\n"),
        "{text}"
    );
}

#[test]
fn a_mesh_of_nothing_has_only_vertices() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.obj");
    std::fs::write(&path, "v 1 2 3\n").unwrap();
    let path = path.to_str().unwrap();
    let ran = estoc(["info", "--json", path]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let info: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        [&info["triangles"], &info["bounds"], &info["closed"]],
        [&json!(0), &Value::Null, &Value::Null]
    );
    let text = estoc(["info", path]).stdout;
    assert!(text.contains("\n  bounds     none\n"), "{text}");
    assert!(
        text.contains("\n  closed     undefined (no triangles)\n"),
        "{text}"
    );
    assert!(
        ran.stderr.contains(
            "1 vertex, but no faces, as in point clouds and wireframes: nothing can be hit"
        )
    );
}

#[test]
fn open_edges_are_counted_and_the_first_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.obj");
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let tree = folder.path().join("open.estoc");
    let tree = tree.to_str().unwrap();
    assert_eq!(estoc(["build", path, "--out", tree]).status, 0);
    for mesh in [path, tree] {
        let told = estoc(["info", mesh]).ok();
        let row = "  closed     no, 3 open edges: the first from 0,0,0 to 0,0,1, of triangle 1 \
                   (line 6)\n";
        assert!(told.contains(row), "{told}");
        let info: Value = serde_json::from_str(&estoc(["info", "--json", mesh]).ok()).unwrap();
        let first = json!({"prim": 1, "line": 6, "from": [0.0, 0.0, 0.0], "to": [0.0, 0.0, 1.0]});
        assert_eq!(info["closed"], json!(false));
        assert_eq!(
            info["open_edges"],
            json!({"count": 3, "first": first, "gap": null})
        );
    }
    let sphere: Value =
        serde_json::from_str(&estoc(["info", "--json", "demo:sphere"]).ok()).unwrap();
    assert_eq!(
        [&sphere["closed"], &sphere["open_edges"]],
        [&json!(true), &Value::Null]
    );
    // A demo scene has no lines.
    let told = estoc(["info", "demo:terrain"]).ok();
    assert!(told.contains("open edges: the first from "), "{told}");
    assert!(!told.contains("(line "), "{told}");
}

#[test]
fn a_missing_material_library_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.obj");
    let text = "mtllib gone.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(&path, text).unwrap();
    let ran = estoc(["info", "--json", path.to_str().unwrap()]);
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains("gone.mtl"), "{}", ran.stderr);
    let info: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        info["materials"][0],
        json!({"name": "red", "defined": false, "diffuse": null})
    );
    assert_eq!(info["warnings"].as_array().unwrap().len(), 1);
}

/// Coordinates whose rounding makes corners equal are surveyed, which reads an ordinary file twice.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_has_the_facts_of_its_file() {
    let folder = Folder::new();
    let text =
        "v 5000000.1 0 0\nv 5000000.15 0 0\nv 5000001 0 0\nv 5000000.1 1 0\nf 1 2 4\nf 1 3 4\n";
    folder.put("far.obj", text);
    let path = folder.path("far.obj");
    let facts = |ran: &str| {
        let mut info: Value = serde_json::from_str(ran).unwrap();
        info["mesh"].take();
        info["bvh"]["seconds"].take();
        info
    };
    let args = ["info", "--quiet", "--json"];
    let file = facts(&estoc(args.iter().chain(&[&*path])).ok());
    assert_eq!(file["triangles"], 2);
    assert_eq!(file["report"]["rounding"]["merged_corners"], 1);
    let given = |name: &str| {
        let ran = estoc_reading(args.iter().chain(&[name]), text.as_bytes());
        facts(&ran.ok())
    };
    assert_eq!(given("-"), file);
    assert_eq!(given("/dev/stdin"), file);
    // Other verbs warn of the rounding, for which they would have to read it again.
    let cast = |name: &str, input: &[u8]| {
        estoc_reading(["cast", name, "--ray=5000000.5,0.1,1,0,0,-1"], input)
    };
    let (of_file, of_pipe) = (cast(&path, b""), cast("/dev/stdin", text.as_bytes()));
    assert_eq!(of_pipe.stdout, of_file.stdout);
    assert_eq!(of_pipe.stderr.replace("/dev/stdin", &path), of_file.stderr);
    assert!(
        of_file.stderr.contains("made a corner equal"),
        "{}",
        of_file.stderr
    );

    let fifo = folder.path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let both = std::thread::scope(|scope| {
        scope.spawn(|| std::fs::write(&fifo, text).unwrap());
        estoc(args.iter().chain(&[&*fifo])).ok()
    });
    assert_eq!(facts(&both), file);
}

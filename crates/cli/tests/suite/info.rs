//! `estoc info`.

use crate::common::{Folder, assert_has, command, estoc, run, run_reading};
use serde_json::{Value, json};

fn info(mesh: &str) -> Value {
    run(&format!("info --json {mesh}")).ok_json()
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
        let info = run_reading("info --quiet --json -", bytes).ok_json();
        assert_eq!(info["mesh"], "-");
        assert_eq!(info["triangles"], 1);
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
    let info = info("demo:hall?n=3000");
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
    let sum = parts.values().map(number).sum::<f64>();
    assert_eq!(sum, number(&bvh["bytes"]));
    let each = number(&bvh["bytes"]) / number(&info["triangles"]);
    assert!((each - number(&bvh["bytes_per_triangle"])).abs() < 1e-9 * each);

    let text = run("info demo:hall?n=3000").ok();
    for row in ["leaf sizes", "children", "SAH cost", "memory"] {
        assert!(text.contains(&format!("\n  {row:<10} ")), "{row}: {text}");
    }
    assert_has(&text, "KiB, triangle numbers ");
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
    assert!(text.starts_with(&format!("{one}\n")), "{text}");
    assert_has(&text, &format!("\n\n{other}\n  triangles  1,126\n"));
    let list = estoc(["info", "--json", one, other]).ok_json();
    assert_eq!(list["schema"], "estoc.info-list/1");
    let objects = list["meshes"].as_array().unwrap();
    assert_eq!(objects.len(), 2);
    for (object, mesh) in objects.iter().zip([one, other]) {
        assert_eq!(object["schema"], "estoc.info/1");
        assert_eq!(object["mesh"], mesh);
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
    assert_has(told[0], "gone.obj");
    assert_has(told[1], "missing.ply");
    let ran = estoc(["info", "--json", "gone.obj", one]);
    let list = ran.json();
    assert_eq!(
        (ran.status, &list["meshes"][0]["error"]["status"]),
        (3, &json!(3))
    );
    assert_eq!(list["meshes"][1]["mesh"], one);
    run("info - -").fails_with(2, "stdin can be read only once");
}

#[test]
fn findings_say_what_their_numbers_count() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\nf 1 2\n";
    let folder = Folder::with(&[("m.obj", text)]);
    let report = &folder.run("info --json F/m.obj").json()["report"];
    let degenerate = json!([{"prim": 1, "line": 5}]);
    assert_eq!(report["degenerate"]["first"], degenerate);
    let short = json!([{"face": 2, "line": 6}]);
    assert_eq!(report["short_faces"]["first"], short);
}

#[test]
fn vector_instructions_are_told_and_chosen() {
    let scene = "demo:sphere?n=300";
    for name in ["baseline", "avx2", "avx512"] {
        let (status, out, err) = with_simd(name, &["info", "--json", scene]);
        if status == Some(2) && name != "baseline" {
            assert_has(&err, &format!("no SIMD level {name:?}"));
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
    let text = run("info demo:sphere?n=2000").ok();
    assert!(text.starts_with("demo:sphere?n=2000\n  triangles  2,048\n  vertices   1,026\n"));
    assert_has(&text, "\n  closed     yes\n");
    assert_has(&text, "\n  bounds     (-1, -1, -1) to (1, 1, 1)\n");
}

#[test]
fn a_mesh_of_nothing_has_only_vertices() {
    let folder = Folder::with(&[("points.obj", "v 1 2 3\n")]);
    let ran = folder.run("info --json F/points.obj");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let info = ran.json();
    assert_eq!(info["triangles"], 0);
    assert_eq!([&info["bounds"], &info["closed"]], [&Value::Null; 2]);
    let text = folder.run("info F/points.obj").stdout;
    assert_has(&text, "\n  bounds     none\n");
    assert_has(&text, "\n  closed     undefined (no triangles)\n");
    let note = "1 vertex, but no faces, as in point clouds and wireframes: nothing can be hit";
    assert_has(&ran.stderr, note);
}

#[test]
fn open_edges_are_counted_and_the_first_is_named() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    let folder = Folder::with(&[("open.obj", text)]);
    let built = folder.run("build F/open.obj --out F/open.estoc");
    assert_eq!(built.status, 0);
    for mesh in ["F/open.obj", "F/open.estoc"] {
        let told = folder.run(&format!("info {mesh}")).ok();
        let row = "  closed     no, 3 open edges: the first from 0,0,0 to 0,0,1, of triangle 1 \
                   (line 6)\n";
        assert_has(&told, row);
        let info = folder.run(&format!("info --json {mesh}")).ok_json();
        let first = json!({"prim": 1, "line": 6, "from": [0.0, 0.0, 0.0], "to": [0.0, 0.0, 1.0]});
        assert_eq!(info["closed"], json!(false));
        let edges = json!({"count": 3, "first": first, "gap": null});
        assert_eq!(info["open_edges"], edges);
    }
    let sphere = info("demo:sphere");
    assert_eq!(sphere["closed"], true);
    assert_eq!(sphere["open_edges"], Value::Null);
    // A demo scene has no lines.
    let told = run("info demo:terrain").ok();
    assert_has(&told, "open edges: the first from ");
    assert!(!told.contains("(line "), "{told}");
}

#[test]
fn a_missing_material_library_is_a_warning() {
    let text = "mtllib gone.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let folder = Folder::with(&[("m.obj", text)]);
    let ran = folder.run("info --json F/m.obj");
    assert_eq!(ran.status, 0);
    assert_has(&ran.stderr, "gone.mtl");
    let info = ran.json();
    let material = json!({"name": "red", "defined": false, "diffuse": null});
    assert_eq!(info["materials"][0], material);
    assert_eq!(info["warnings"].as_array().unwrap().len(), 1);
}

/// Coordinates whose rounding makes corners equal are surveyed, which reads an ordinary file twice.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_has_the_facts_of_its_file() {
    let text =
        "v 5000000.1 0 0\nv 5000000.15 0 0\nv 5000001 0 0\nv 5000000.1 1 0\nf 1 2 4\nf 1 3 4\n";
    let folder = Folder::with(&[("far.obj", text)]);
    let facts = |ran: &str| {
        let mut info: Value = serde_json::from_str(ran).unwrap();
        info["mesh"].take();
        info["bvh"]["seconds"].take();
        info
    };
    let info = |name: &str, input: &[u8]| {
        let ran = folder.run_reading(&format!("info --quiet --json {name}"), input);
        facts(&ran.ok())
    };
    let file = info("F/far.obj", b"");
    assert_eq!(file["triangles"], 2);
    assert_eq!(file["report"]["rounding"]["merged_corners"], 1);
    assert_eq!(info("-", text.as_bytes()), file);
    assert_eq!(info("/dev/stdin", text.as_bytes()), file);
    // Other verbs warn of the rounding, for which they would have to read it again.
    let cast = |name: &str, input: &[u8]| {
        folder.run_reading(&format!("cast {name} --ray=5000000.5,0.1,1,0,0,-1"), input)
    };
    let (of_file, of_pipe) = (cast("F/far.obj", b""), cast("/dev/stdin", text.as_bytes()));
    assert_eq!(of_pipe.stdout, of_file.stdout);
    assert_eq!(
        of_pipe.stderr.replace("/dev/stdin", "F/far.obj"),
        of_file.stderr
    );
    assert_has(&of_file.stderr, "1 corner became equal to another one");

    let fifo = folder.path("fifo");
    crate::common::make_pipe(&fifo);
    let both = std::thread::scope(|scope| {
        scope.spawn(|| std::fs::write(&fifo, text).unwrap());
        info("F/fifo", b"")
    });
    assert_eq!(both, file);
}

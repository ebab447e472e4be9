//! `estoc cast`: formats, columns, queries, threads.

use crate::common::{estoc, estoc_reading};
use std::fmt::Write;

/// A square of two triangles at z = 0, facing up, and one triangle behind it, facing down.
const MESH: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n\
                    v 0 0 -2\nv 0 4 -2\nv 4 0 -2\nf 5 6 7\n";

/// A miss, a hit inside the first triangle, one on the shared edge, one from below, one whose
/// interval ends before anything, and one undefined ray.
const RAYS: &str = "ox,oy,oz,dx,dy,dz,tmin,tmax\n\
                    9,9,9,0,0,-1,0,inf\n\
                    0.75,0.25,1,0,0,-2,0,inf\n\
                    0.5,0.5,1,0,0,-1,0,inf\n\
                    0.75,0.25,-4,-0,0,1,0,inf\n\
                    0.75,0.25,1,0,0,-1,0,0.5\n\
                    0.75,nan,1,0,0,-1,0,inf\n";

struct Scene {
    folder: tempfile::TempDir,
    mesh: String,
    rays: String,
}

fn scene() -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (mesh, rays) = (put("mesh.obj", MESH), put("rays.csv", RAYS));
    Scene { folder, mesh, rays }
}

fn cast(scene: &Scene, options: &[&str]) -> String {
    let args = ["cast", &scene.mesh, "--rays", &scene.rays];
    let ran = estoc(args.iter().chain(options));
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            0,
            "estoc: 1 of 6 rays is undefined and hits nothing (first: ray 5: the ray's origin \
             (0.75, NaN, 1) must be finite)\n"
        )
    );
    ran.stdout
}

#[test]
fn every_query_has_its_rows() {
    let scene = scene();
    let closest = "ray,hit,t,prim,u,v\n0,0,inf,-1,,\n1,1,0.5,0,0.5,0.25\n2,1,1,0,0,0.5\n\
                   3,1,2,2,0.0625,0.1875\n4,0,inf,-1,,\n5,0,inf,-1,,\n";
    assert_eq!(cast(&scene, &[]), closest);
    assert_eq!(
        cast(&scene, &["--query", "closest", "--engine", "brute"]),
        closest
    );
    assert_eq!(
        cast(&scene, &["--query", "any"]),
        "ray,hit\n0,0\n1,1\n2,1\n3,1\n4,0\n5,0\n"
    );
    assert_eq!(
        cast(&scene, &["--query", "all"]),
        "ray,hit,t,prim,u,v\n1,1,0.5,0,0.5,0.25\n1,1,1.5,2,0.0625,0.1875\n2,1,1,0,0,0.5\n\
         2,1,1,1,0.5,0\n2,1,3,2,0.125,0.125\n3,1,2,2,0.0625,0.1875\n3,1,4,0,0.5,0.25\n"
    );
    assert_eq!(
        cast(&scene, &["--query", "count"]),
        "ray,count\n0,0\n1,2\n2,3\n3,2\n4,0\n5,0\n"
    );
    assert_eq!(
        cast(&scene, &["--query", "crossings"]),
        "ray,count\n0,0\n1,2\n2,2\n3,2\n4,0\n5,0\n"
    );
}

#[test]
fn columns_that_are_nearly_known_are_told() {
    let rays = b"ox,oy,oz,dx,dy,dz,t_max\n0,0,0,1,0,0,1\n";
    let args = ["cast", "demo:soup?n=5", "--rays", "-"];
    let ran = estoc_reading(args, rays);
    assert_eq!(
        ran.stderr,
        "estoc: -: the column \"t_max\" is ignored; rename it to tmax to use it\n"
    );
    estoc_reading(args.iter().chain(&["--quiet"]), rays).ok();
}

#[test]
fn culling_leaves_out_a_side() {
    let scene = scene();
    // The square faces rays from above, the triangle rays from below.
    let count = |cull: &str| cast(&scene, &["--query", "count", "--cull", cull]);
    assert_eq!(count("none"), "ray,count\n0,0\n1,2\n2,3\n3,2\n4,0\n5,0\n");
    assert_eq!(count("back"), "ray,count\n0,0\n1,1\n2,2\n3,1\n4,0\n5,0\n");
    assert_eq!(count("front"), "ray,count\n0,0\n1,1\n2,1\n3,1\n4,0\n5,0\n");
}

#[test]
fn columns_come_in_any_order_from_stdin_too() {
    let scene = scene();
    let shuffled = "\u{feff}note,tmax,dz,dy,dx,oz,oy,ox\r\n\
                    \"a, b\",inf,-2,0,0,1,0.25,0.75\r\n\r\nc,,-1,0,0,1,0.5,0.5";
    let args = ["cast", &scene.mesh, "--rays", "-"];
    let rows = estoc_reading(args, shuffled.as_bytes()).ok();
    assert_eq!(
        rows,
        "ray,hit,t,prim,u,v\n0,1,0.5,0,0.5,0.25\n1,1,1,0,0,0.5\n"
    );
}

#[test]
fn a_ray_may_be_an_argument() {
    let scene = scene();
    let cast = |ray: &str| estoc(["cast", &scene.mesh, "--ray", ray]).ok();
    assert_eq!(
        cast("0.75,0.25,1,0,0,-2"),
        "ray,hit,t,prim,u,v\n0,1,0.5,0,0.5,0.25\n"
    );
    assert_eq!(
        cast("-1,-1,-1,-0,-0,-1e-38"),
        "ray,hit,t,prim,u,v\n0,0,inf,-1,,\n"
    );
    // Both ends of the interval belong to it.
    assert!(cast("0.75,0.25,1,0,0,-2,0.5,0.5").contains("0,1,0.5,0,"));
    assert!(cast("0.75,0.25,1,0,0,-2,0.6,1").contains("0,0,inf,-1,,"));
}

#[test]
fn minus_zero_and_its_sign_are_kept() {
    // t_min = -0 equals 0, and a direction of -0 is parallel, not tiny: the hits are the same.
    let scene = scene();
    let rays = |zero: &str| {
        format!(
            "ox,oy,oz,dx,dy,dz,tmin\n0.75,0.25,0,{zero},{zero},-1,{zero}\n1,1,1,{zero},{zero},-1,{zero}\n"
        )
    };
    let args = ["cast", &scene.mesh, "--rays", "-", "--query", "all"];
    let plus = estoc_reading(args, rays("0").as_bytes()).ok();
    assert_eq!(plus, estoc_reading(args, rays("-0").as_bytes()).ok());
    // A zero t is always +0.
    assert!(plus.contains("\n0,1,0,0,0.5,0.25\n"), "{plus}");
}

#[test]
fn hits_beyond_all_numbers_are_hits() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("far.obj");
    std::fs::write(&mesh, "v -1 -1 3e38\nv 1 -1 3e38\nv 0 1 3e38\nf 1 2 3\n").unwrap();
    let mesh = mesh.to_str().unwrap();
    let ray = "--ray=0,0,-3e38,0,0,1e-38";
    assert_eq!(
        estoc(["cast", "--quiet", mesh, ray]).ok(),
        "ray,hit,t,prim,u,v\n0,1,inf,0,0.25,0.5\n"
    );
    let json = estoc(["cast", "--quiet", mesh, ray, "--json"]).ok();
    assert!(
        json.contains("{\"ray\":0,\"hit\":true,\"t\":null,\"prim\":0,"),
        "{json}"
    );
    let near = "--ray=0,0,2.9999999e38,0,0,1e38";
    let row = estoc(["cast", "--quiet", mesh, near]).ok();
    assert!(row.contains("e-"), "small numbers have an exponent: {row}");
}

#[test]
fn json_is_one_object_with_the_same_rows() {
    let scene = scene();
    let object = |query: &str| -> serde_json::Value {
        serde_json::from_str(&cast(&scene, &["--json", "--query", query])).unwrap()
    };
    let closest = object("closest");
    assert_eq!(closest["schema"], "estoc.cast/1");
    assert_eq!(closest["query"], "closest");
    assert_eq!(closest["rays"], 6);
    assert_eq!(
        closest["results"][0],
        serde_json::json!({"ray": 0, "hit": false})
    );
    assert_eq!(
        closest["results"][1],
        serde_json::json!({"ray": 1, "hit": true, "t": 0.5, "prim": 0, "u": 0.5, "v": 0.25})
    );
    assert_eq!(object("all")["results"].as_array().unwrap().len(), 7);
    assert_eq!(object("all")["rays"], 6);
    assert_eq!(
        object("any")["results"][3],
        serde_json::json!({"ray": 3, "hit": true})
    );
    assert_eq!(
        object("crossings")["results"][2],
        serde_json::json!({"ray": 2, "count": 2})
    );
    let none = estoc_reading(
        ["cast", &scene.mesh, "--json", "--rays", "-"],
        b"ox,oy,oz,dx,dy,dz",
    );
    let none: serde_json::Value = serde_json::from_str(&none.ok()).unwrap();
    assert_eq!(
        (&none["rays"], &none["results"]),
        (&0.into(), &serde_json::json!([]))
    );
}

#[test]
fn how_rays_are_gone_about_is_explained() {
    let scene = scene();
    let run = |options: &[&str]| {
        let args = ["cast", &scene.mesh, "--rays", &scene.rays, "--explain"];
        estoc(args.iter().chain(options))
    };
    let plain = cast(&scene, &[]);
    let technique = "one by one: fewer than 16 rays";
    for options in [&[][..], &["--engine", "brute"]] {
        let ran = run(options);
        assert_eq!(
            (ran.status, &ran.stdout),
            (0, &plain),
            "the result is the same"
        );
        let mut lines = ran.stderr.lines();
        assert_eq!(lines.next(), Some(format!("estoc: {technique}").as_str()));
        let chunks = lines.next().unwrap();
        assert!(chunks.starts_with("estoc: chunks of "), "{chunks}");
        assert!(chunks.ends_with(" in the calling thread"), "{chunks}");
        let techniques =
            "estoc: 6 rays: 5 one by one, 0 interleaved, 0 in packets, 0 in bundles, 1 skipped";
        assert_eq!(lines.next(), Some(techniques));
        assert!(
            lines
                .next()
                .unwrap()
                .starts_with("estoc: 1 of 6 rays is undefined")
        );
    }
    assert_eq!(run(&["--quiet"]).stderr, "");

    let ran = run(&["--json", "--query", "all", "--quiet"]);
    let object: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&object["rays"], object["results"].as_array().unwrap().len()),
        (&6.into(), 7)
    );
    let batch = &object["batch"];
    assert_eq!(batch["technique"], "one by one");
    assert_eq!(batch["why"][0], technique);
    assert_eq!(batch["reordered"], false);
    assert!(batch["chunk_size"].as_u64().unwrap() > 0);
    let numbers = [
        "threads",
        "one_by_one",
        "interleaved",
        "packets",
        "not_asked",
    ];
    assert_eq!(
        numbers.map(|name| batch[name].as_u64().unwrap()),
        [1, 5, 0, 0, 1]
    );
    // Without --explain there is no plan.
    let object: serde_json::Value = serde_json::from_str(&cast(&scene, &["--json"])).unwrap();
    assert!(object.get("batch").is_none());

    // Batches are summed when there are more rays than fit into one, and no rays have a plan, too.
    let lines = "0,0,0,0,0,1\n".repeat(70_000);
    for (lines, total) in [(lines.as_str(), "70000"), ("", "0")] {
        let rays = format!("ox,oy,oz,dx,dy,dz\n{lines}");
        let args = [
            "cast",
            "demo:soup?n=5",
            "--rays",
            "-",
            "--query",
            "any",
            "--explain",
        ];
        let ran = estoc_reading(args, rays.as_bytes());
        let last = ran.stderr.lines().last().unwrap();
        assert!(
            last.starts_with(&format!("estoc: {total} rays: ")),
            "{last}"
        );
    }
}

#[test]
fn bytes_do_not_depend_on_threads_nor_on_chunks() {
    // More rays than are in memory at a time, so that several chunks are needed.
    let mut rays = String::from("oz,oy,ox,dx,dy,dz\n");
    let mut state = 1u32;
    for _ in 0..70_000 {
        for end in [',', ',', ',', ',', ',', '\n'] {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let _ = write!(
                rays,
                "{}{end}",
                f64::from(state >> 8) / f64::from(1 << 22) - 2.0
            );
        }
    }
    for query in ["closest", "all", "crossings"] {
        let run = |threads: &str| {
            let args = ["cast", "demo:sphere?n=500", "--rays", "-"];
            let options = ["--query", query, "--threads", threads];
            estoc_reading(args.iter().chain(&options), rays.as_bytes()).ok()
        };
        let one = run("1");
        assert!(one == run("3"), "{query}");
        assert!(one.contains("\n69999,") || query == "all");
        assert!(one.lines().count() > 5000);
    }
}

#[test]
fn a_result_may_go_to_a_file() {
    let scene = scene();
    let out = scene.folder.path().join("hits.csv");
    std::fs::write(&out, "old").unwrap();
    assert_eq!(
        cast(&scene, &["--query", "any", "--out", out.to_str().unwrap()]),
        ""
    );
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(text, "ray,hit\n0,0\n1,1\n2,1\n3,1\n4,0\n5,0\n");
    assert_eq!(
        crate::common::names(scene.folder.path()),
        ["hits.csv", "mesh.obj", "rays.csv"]
    );
    let shown = cast(&scene, &["--query", "any", "--out", "-"]);
    assert_eq!(shown, text);
}

/// With chunks that grow and shrink: all hits, in order, each once.
#[test]
fn all_hits_do_not_depend_on_how_many_fit_in_memory() {
    // Sheets that every ray passes through: 256 rays have 1.3 million hits.
    let sheets = 5000;
    let mut mesh = String::new();
    for z in 1..=sheets {
        let _ = writeln!(mesh, "v -9 -9 {z}\nv 9 -9 {z}\nv 0 9 {z}\nf -3 -2 -1");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheets.obj");
    std::fs::write(&path, mesh).unwrap();
    let misses = "0,0,0,0,0,-1\n".repeat(1000);
    let hits = "0,0,0,0,0,1\n".repeat(500);
    let rays = format!("ox,oy,oz,dx,dy,dz\n{misses}{hits}{misses}");
    let args = [
        "cast",
        path.to_str().unwrap(),
        "--query",
        "all",
        "--rays",
        "-",
    ];
    let rows = estoc_reading(args, rays.as_bytes()).ok();
    let mut lines = rows.lines().skip(1);
    for (ray, sheet) in (1000..1500).flat_map(|ray| (0..sheets).map(move |sheet| (ray, sheet))) {
        let line = lines.next().unwrap();
        let start = format!("{ray},1,{},{sheet},", sheet + 1);
        assert!(line.starts_with(&start), "{line} instead of {start}");
    }
    assert_eq!(lines.next(), None);
}

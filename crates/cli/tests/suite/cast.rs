//! `estoc cast`: formats, columns, queries, threads.

use crate::common::{Folder, assert_has, run_reading};
use serde_json::json;
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

fn scene() -> Folder {
    Folder::with(&[("mesh.obj", MESH), ("rays.csv", RAYS)])
}

fn cast(scene: &Folder, options: &str) -> String {
    let ran = scene.run(&format!("cast F/mesh.obj --rays F/rays.csv {options}"));
    let told = "estoc: 1 of 6 rays is undefined and hits nothing (first: ray 5: the ray's origin \
                (0.75, NaN, 1) must be finite)\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (0, told));
    ran.stdout
}

#[test]
fn every_query_has_its_rows() {
    let scene = scene();
    let closest = "ray,hit,t,prim,u,v\n0,0,inf,-1,,\n1,1,0.5,0,0.5,0.25\n2,1,1,0,0,0.5\n\
                   3,1,2,2,0.0625,0.1875\n4,0,inf,-1,,\n5,0,inf,-1,,\n";
    let all = "ray,hit,t,prim,u,v\n1,1,0.5,0,0.5,0.25\n1,1,1.5,2,0.0625,0.1875\n2,1,1,0,0,0.5\n\
               2,1,1,1,0.5,0\n2,1,3,2,0.125,0.125\n3,1,2,2,0.0625,0.1875\n3,1,4,0,0.5,0.25\n";
    for (options, expected) in [
        ("", closest),
        ("--query closest --engine brute", closest),
        ("--query any", "ray,hit\n0,0\n1,1\n2,1\n3,1\n4,0\n5,0\n"),
        ("--query all", all),
        ("--query count", "ray,count\n0,0\n1,2\n2,3\n3,2\n4,0\n5,0\n"),
        (
            "--query crossings",
            "ray,count\n0,0\n1,2\n2,2\n3,2\n4,0\n5,0\n",
        ),
    ] {
        assert_eq!(cast(&scene, options), expected, "{options}");
    }
}

#[test]
fn columns_that_are_nearly_known_are_told() {
    let rays = b"ox,oy,oz,dx,dy,dz,t_max\n0,0,0,1,0,0,1\n";
    let args = "cast demo:soup?n=5 --rays -";
    assert_eq!(
        run_reading(args, rays).stderr,
        "estoc: -: the column \"t_max\" is ignored; rename it to tmax to use it\n"
    );
    run_reading(&format!("{args} --quiet"), rays).ok();
}

#[test]
fn open_ends_leave_out_hits_at_both_bounds() {
    let folder = Folder::with(&[("m.obj", "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n")]);
    let count = |rest: &str| {
        let text = folder
            .run(&format!("cast F/m.obj --query count {rest}"))
            .ok();
        text.lines()
            .skip(1)
            .map(|line| line[2..].parse::<u32>().unwrap())
            .sum::<u32>()
    };
    for (ray, within) in [
        ("1,1,0,0,0,1", 0),
        ("1,1,-2,0,0,1,0,2", 0),
        ("1,1,-2,0,0,1,2,3", 0),
        ("1,1,-2,0,0,1,0,2.0000002", 1),
        ("1,1,-1e-45,0,0,1", 1),
    ] {
        assert_eq!(count(&format!("--ray={ray}")), 1, "{ray}");
        assert_eq!(count(&format!("--ray={ray} --open-ends")), within, "{ray}");
    }
    let rays = "ox,oy,oz,dx,dy,dz,mask\n1,1,0,0,0,1,1\n1,1,-1,0,0,1,2\n";
    folder.put("r.csv", rays);
    assert_eq!(count("--rays F/r.csv --open-ends --engine tree"), 1);
    assert_eq!(count("--rays F/r.csv --open-ends --engine brute"), 1);
}

#[test]
fn culling_leaves_out_a_side() {
    let scene = scene();
    // The square faces rays from above, the triangle rays from below.
    let count = |cull: &str| cast(&scene, &format!("--query count --cull {cull}"));
    assert_eq!(count("none"), "ray,count\n0,0\n1,2\n2,3\n3,2\n4,0\n5,0\n");
    assert_eq!(count("back"), "ray,count\n0,0\n1,1\n2,2\n3,1\n4,0\n5,0\n");
    assert_eq!(count("front"), "ray,count\n0,0\n1,1\n2,1\n3,1\n4,0\n5,0\n");
}

#[test]
fn columns_come_in_any_order_from_stdin_too() {
    let scene = scene();
    let shuffled = "\u{feff}note,tmax,dz,dy,dx,oz,oy,ox\r\n\
                    \"a, b\",inf,-2,0,0,1,0.25,0.75\r\n\r\nc,,-1,0,0,1,0.5,0.5";
    let rows = scene.run_reading("cast F/mesh.obj --rays -", shuffled.as_bytes());
    let expected = "ray,hit,t,prim,u,v\n0,1,0.5,0,0.5,0.25\n1,1,1,0,0,0.5\n";
    assert_eq!(rows.ok(), expected);
}

#[test]
fn a_ray_may_be_an_argument() {
    let scene = scene();
    for (ray, expected) in [
        ("0.75,0.25,1,0,0,-2", "0,1,0.5,0,0.5,0.25"),
        ("-1,-1,-1,-0,-0,-1e-38", "0,0,inf,-1,,"),
        // Both ends of the interval belong to it.
        ("0.75,0.25,1,0,0,-2,0.5,0.5", "0,1,0.5,0,0.5,0.25"),
        ("0.75,0.25,1,0,0,-2,0.6,1", "0,0,inf,-1,,"),
    ] {
        let rows = scene.run(&format!("cast F/mesh.obj --ray {ray}")).ok();
        assert_eq!(rows, format!("ray,hit,t,prim,u,v\n{expected}\n"), "{ray}");
    }
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
    let args = "cast F/mesh.obj --rays - --query all";
    let plus = scene.run_reading(args, rays("0").as_bytes()).ok();
    assert_eq!(plus, scene.run_reading(args, rays("-0").as_bytes()).ok());
    // A zero t is always +0.
    assert!(plus.contains("\n0,1,0,0,0.5,0.25\n"), "{plus}");
}

#[test]
fn hits_beyond_all_numbers_are_hits() {
    let text = "v -1 -1 3e38\nv 1 -1 3e38\nv 0 1 3e38\nf 1 2 3\n";
    let folder = Folder::with(&[("far.obj", text)]);
    let cast = |ray: &str| {
        folder
            .run(&format!(
                "cast --quiet F/far.obj --precision f32 --ray={ray}"
            ))
            .ok()
    };
    let ray = "0,0,-3e38,0,0,1e-38";
    assert_eq!(cast(ray), "ray,hit,t,prim,u,v\n0,1,inf,0,0.25,0.5\n");
    let json = cast(&format!("{ray} --json"));
    assert_has(&json, "{\"ray\":0,\"hit\":true,\"t\":null,\"prim\":0,");
    let row = cast("0,0,2.9999999e38,0,0,1e38");
    assert!(row.contains("e-"), "small numbers have an exponent: {row}");
}

#[test]
fn json_is_one_object_with_the_same_rows() {
    let scene = scene();
    let object = |query: &str| -> serde_json::Value {
        serde_json::from_str(&cast(&scene, &format!("--json --query {query}"))).unwrap()
    };
    let closest = object("closest");
    assert_eq!(closest["schema"], "estoc.cast/1");
    assert_eq!(closest["query"], "closest");
    assert_eq!(closest["rays"], 6);
    let hit = json!({"ray": 1, "hit": true, "t": 0.5, "prim": 0, "u": 0.5, "v": 0.25});
    for (query, row, expected) in [
        ("closest", 0, json!({"ray": 0, "hit": false})),
        ("closest", 1, hit),
        ("any", 3, json!({"ray": 3, "hit": true})),
        ("crossings", 2, json!({"ray": 2, "count": 2})),
    ] {
        assert_eq!(object(query)["results"][row], expected, "{query}");
    }
    assert_eq!(object("all")["results"].as_array().unwrap().len(), 7);
    assert_eq!(object("all")["rays"], 6);
    let none = scene.run_reading("cast F/mesh.obj --json --rays -", b"ox,oy,oz,dx,dy,dz");
    let none = none.ok_json();
    assert_eq!(none["rays"], 0);
    assert_eq!(none["results"], json!([]));
}

#[test]
fn how_rays_are_gone_about_is_explained() {
    let scene = scene();
    let run = |options: &str| {
        scene.run(&format!(
            "cast F/mesh.obj --rays F/rays.csv --explain {options}"
        ))
    };
    let plain = cast(&scene, "");
    let technique = "one by one: fewer than 16 rays";
    for options in ["", "--engine brute"] {
        let ran = run(options);
        assert_eq!((ran.status, &ran.stdout), (0, &plain), "the same result");
        let mut lines = ran.stderr.lines();
        assert_eq!(lines.next(), Some(format!("estoc: {technique}").as_str()));
        let chunks = lines.next().unwrap();
        assert!(chunks.starts_with("estoc: chunks of "), "{chunks}");
        assert!(chunks.ends_with(" in the calling thread"), "{chunks}");
        let techniques =
            "estoc: 6 rays: 5 one by one, 0 interleaved, 0 in packets, 0 in bundles, 1 skipped";
        assert_eq!(lines.next(), Some(techniques));
        let note = lines.next().unwrap();
        assert!(
            note.starts_with("estoc: 1 of 6 rays is undefined"),
            "{note}"
        );
    }
    assert_eq!(run("--quiet").stderr, "");

    let object = run("--json --query all --quiet").json();
    assert_eq!(object["rays"], 6);
    assert_eq!(object["results"].as_array().unwrap().len(), 7);
    let batch = &object["batch"];
    assert_eq!(batch["technique"], "one by one");
    assert_eq!(batch["why"][0], technique);
    assert_eq!(batch["reordered"], false);
    assert!(batch["chunk_size"].as_u64().unwrap() > 0);
    for (name, number) in [
        ("threads", 1),
        ("one_by_one", 5),
        ("interleaved", 0),
        ("packets", 0),
        ("not_asked", 1),
    ] {
        assert_eq!(batch[name], number, "{name}");
    }
    // Without --explain there is no plan.
    let object: serde_json::Value = serde_json::from_str(&cast(&scene, "--json")).unwrap();
    assert!(object.get("batch").is_none());

    // Batches are summed when there are more rays than fit into one, and no rays have a plan, too.
    let lines = "0,0,0,0,0,1\n".repeat(70_000);
    for (lines, total) in [(lines.as_str(), "70000"), ("", "0")] {
        let rays = format!("ox,oy,oz,dx,dy,dz\n{lines}");
        let args = "cast demo:soup?n=5 --rays - --query any --explain";
        let ran = run_reading(args, rays.as_bytes());
        let last = ran.stderr.lines().last().unwrap();
        let start = format!("estoc: {total} rays: ");
        assert!(last.starts_with(&start), "{last}");
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
            let number = f64::from(state >> 8) / f64::from(1 << 22) - 2.0;
            let _ = write!(rays, "{number}{end}");
        }
    }
    for query in ["closest", "all", "crossings"] {
        let run = |threads: &str| {
            let args = format!("--query {query} --threads {threads}");
            let line = format!("cast demo:sphere?n=500 --rays - {args}");
            run_reading(&line, rays.as_bytes()).ok()
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
    scene.put("hits.csv", "old");
    assert_eq!(cast(&scene, "--query any --out F/hits.csv"), "");
    let text = scene.read("hits.csv");
    assert_eq!(text, "ray,hit\n0,0\n1,1\n2,1\n3,1\n4,0\n5,0\n");
    assert_eq!(scene.names(), ["hits.csv", "mesh.obj", "rays.csv"]);
    assert_eq!(cast(&scene, "--query any --out -"), text);
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
    let folder = Folder::with(&[("sheets.obj", &mesh)]);
    let misses = "0,0,0,0,0,-1\n".repeat(1000);
    let hits = "0,0,0,0,0,1\n".repeat(500);
    let rays = format!("ox,oy,oz,dx,dy,dz\n{misses}{hits}{misses}");
    let args = "cast F/sheets.obj --query all --rays -";
    let rows = folder.run_reading(args, rays.as_bytes()).ok();
    let mut lines = rows.lines().skip(1);
    for (ray, sheet) in (1000..1500).flat_map(|ray| (0..sheets).map(move |sheet| (ray, sheet))) {
        let line = lines.next().unwrap();
        let start = format!("{ray},1,{},{sheet},", sheet + 1);
        assert!(line.starts_with(&start), "{line} instead of {start}");
    }
    assert_eq!(lines.next(), None);
}

//! `estoc bench`: its output in all formats; never how fast anything is.

use crate::common::{bench, estoc, names};
use serde_json::Value;

/// Two tiny scenes.
const SCENES: [&str; 2] = ["demo:solids?n=1", "demo:soup?n=300"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn json_has_a_row_for_each_setup() {
    let rest = [
        "--json",
        "--thread-counts",
        "2,1,2",
        "--qualities",
        "fast,best",
    ];
    let object = json(&bench(&SCENES, &rest).ok());
    assert_eq!(object["schema"], "estoc.bench/1");
    assert_eq!(object["settings"]["count"], 256);
    assert!(object["machine"]["cores"].as_u64().unwrap() > 0);
    assert!(object["version"].is_string());
    assert_eq!(list(&object["meshes"]).len(), 2);
    for (mesh, name) in list(&object["meshes"]).iter().zip(SCENES) {
        assert_eq!(mesh["mesh"], name);
        // Two qualities, two numbers of threads.
        assert_eq!(list(&mesh["builds"]).len(), 4);
        // And six kinds in two sorts of calls.
        assert_eq!(list(&mesh["rays"]).len(), 48);
        for row in list(&mesh["builds"]).iter().chain(list(&mesh["rays"])) {
            let number = |name: &str| {
                row[name]
                    .as_f64()
                    .unwrap_or_else(|| panic!("{name} of {row}"))
            };
            assert!(number("ns") > 0.0 && number("mad_ns") >= 0.0, "{row}");
            assert!(
                (number("millions_per_second") * number("ns") - 1e3).abs() < 1e-6,
                "{row}"
            );
            let is_build = row["rays"].is_null();
            let samples = if is_build { 2 } else { 3 };
            assert_eq!(list(&row["samples_ns"]).len(), samples, "{row}");
            assert!([1.0, 2.0].contains(&number("threads")), "{row}");
        }
        // A kind of rays has the same hits in both sorts of calls.
        for kind in ["primary", "diffuse", "random", "shadow", "ao", "random-any"] {
            let of_kind = list(&mesh["rays"]).iter().filter(|row| row["rays"] == kind);
            let rows: Vec<&Value> = of_kind.collect();
            assert_eq!(rows.len(), 8, "{kind}");
            for row in rows.iter() {
                for same in ["hits", "fingerprint", "count"] {
                    assert_eq!(row[same], rows[0][same], "{same} of {kind}");
                }
                let is_batch = row["calls"] == "batch";
                assert_eq!(row["plan"].is_object(), is_batch, "{row}");
                if is_batch {
                    let techniques = ["one_by_one", "interleaved", "packets", "bundles"];
                    let number = |name: &str| row["plan"][name].as_u64().unwrap();
                    let asked: u64 = techniques.map(number).iter().sum();
                    let all = row["count"].as_u64().unwrap();
                    assert_eq!((asked, number("not_asked")), (all, 0), "{row}");
                }
            }
        }
    }
}

#[test]
fn text_tells_the_machine_the_plan_and_each_row() {
    let rest = ["--kinds", "primary,ao", "--thread-counts", "1"];
    let text = bench(&SCENES[..1], &rest).ok();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("estoc ") && lines[0].contains(" on "),
        "{text}"
    );
    assert!(lines[1].contains("3 rounds of 0.01 s"), "{text}");
    assert!(
        text.contains("\ndemo:solids?n=1: 236 triangles, loaded in "),
        "{text}"
    );
    for start in [
        "  balanced ",
        "  primary  single ",
        "  primary  batch ",
        "  ao       batch ",
    ] {
        assert_eq!(
            lines.iter().filter(|line| line.starts_with(start)).count(),
            1,
            "{start}: {text}"
        );
    }
    // No colour outside a terminal; each reason is listed once.
    assert!(!text.contains('\x1b'), "{text}");
    assert!(lines.last().unwrap().starts_with("  ("), "{text}");
}

#[test]
fn every_form_has_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [csv, md, svg, save, out] = ["r.csv", "r.md", "r.svg", "r.json", "r.txt"].map(path);
    let rest = [
        "--kinds",
        "random,shadow",
        "--thread-counts",
        "1",
        "--csv",
        &csv,
        "--markdown",
        &md,
    ];
    let more = ["--svg", &svg, "--save", &save, "--out", &out];
    assert_eq!(bench(&SCENES, &[&rest[..], &more[..]].concat()).ok(), "");
    assert_eq!(names(folder.path()).len(), 5);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();

    // A build and four rows of rays for each mesh.
    let text = read(&csv);
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(columns[..3], ["mesh", "measured", "rays"]);
    let rows: Vec<Vec<String>> = lines.map(cells).collect();
    assert_eq!(rows.len(), 10);
    for row in &rows {
        assert_eq!(row.len(), columns.len(), "{row:?}");
        let place = columns.iter().position(|name| *name == "ns").unwrap();
        assert!(row[place].parse::<f64>().unwrap() > 0.0, "{row:?}");
    }

    let object = json(&read(&save));
    let ns = |value: &Value| value["ns"].as_f64().unwrap();
    let saved: Vec<f64> = list(&object["meshes"])
        .iter()
        .flat_map(|mesh| {
            list(&mesh["builds"])
                .iter()
                .chain(list(&mesh["rays"]))
                .map(ns)
        })
        .collect();
    let written: Vec<f64> = rows.iter().map(|row| row[7].parse().unwrap()).collect();
    assert_eq!(saved.len(), written.len());
    // JSON numbers are not parsed to the last bit.
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b;
    assert!(
        saved.iter().zip(&written).all(is_near),
        "{saved:?}, not {written:?}"
    );

    // All rows of a table have as many cells as its first.
    let text = read(&md);
    let tables: Vec<&str> = text
        .split("\n\n")
        .filter(|part| part.starts_with('|'))
        .collect();
    assert_eq!(tables.len(), 4, "{text}");
    for table in tables {
        let bars = |line: &str| line.matches('|').count() - line.matches("\\|").count();
        let first = bars(table.lines().next().unwrap());
        assert!(table.lines().all(|line| bars(line) == first), "{table}");
    }
    assert!(text.contains("## demo:soup?n=300\n"), "{text}");

    // A bar for each row, and all elements are closed.
    let text = read(&svg);
    assert_well_formed(&text);
    assert_eq!(text.matches("<rect").count(), 1 + 10, "{text}");
    assert!(read(&out).contains("  random  single "));
}

/// Returns the cells of a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// Checks that all elements of the picture are closed in order, and that text contains no other
/// markup.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').expect("a tag ends");
        assert!(
            !tag.contains('<') && tag.matches('"').count() % 2 == 0,
            "{tag}"
        );
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{svg}"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
        let text = after.split('<').next().unwrap();
        let entities = text.split('&').skip(1);
        let known = |e: &str| {
            ["amp;", "lt;", "gt;"]
                .iter()
                .any(|name| e.starts_with(name))
        };
        assert!(entities.clone().all(known), "{text}");
        rest = after;
    }
    assert_eq!(open, Vec::<&str>::new());
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
}

#[test]
fn names_that_are_markup_stay_names() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("a,b & <c>.obj");
    std::fs::write(&mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let mesh = mesh.to_str().unwrap();
    let little = ["--kinds", "primary", "--thread-counts", "1"];
    let svg = bench(&[mesh], &[&little[..], &["--svg", "-"]].concat()).ok();
    assert_well_formed(&svg);
    let csv = bench(&[mesh], &[&little[..], &["--csv", "-"]].concat()).ok();
    assert_eq!(csv.lines().count(), 4);
    assert!(
        csv.lines().skip(1).all(|line| cells(line)[0] == mesh),
        "{csv}"
    );
}

#[test]
fn a_result_compares_with_one_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let before = folder.path().join("before.json");
    let before = before.to_str().unwrap();
    let little = ["--kinds", "primary,random", "--thread-counts", "1"];
    bench(&SCENES[..1], &[&little[..], &["--save", before]].concat()).ok();
    // As saved by versions without bundles.
    let mut kept = json(&std::fs::read_to_string(before).unwrap());
    let plan = kept["meshes"][0]["rays"][1]["plan"].as_object_mut();
    assert!(plan.unwrap().remove("bundles").is_some());
    std::fs::write(before, format!("{kept:#}")).unwrap();
    // The same work: each row has a ratio, whatever the times.
    let rest = ["--compare", before, "--json"];
    let object = json(&bench(&SCENES[..1], &[&little[..], &rest].concat()).ok());
    assert_eq!(object["comparison"]["same_machine"], true);
    assert_eq!(
        (&object["comparison"]["gone"], &object["comparison"]["new"]),
        (&0.into(), &0.into())
    );
    let mesh = &object["meshes"][0];
    let rows = list(&mesh["builds"]).iter().chain(list(&mesh["rays"]));
    assert_eq!(rows.clone().count(), 5);
    for row in rows {
        assert!(row["change"]["ratio"].as_f64().unwrap() > 0.0, "{row}");
        let verdict = row["change"]["verdict"].as_str().unwrap();
        // Trees are built twice, which is too little for a verdict.
        let expected = match row["rays"].is_null() {
            true => &["unclear"][..],
            false => &["same", "noisy", "faster", "slower"],
        };
        assert!(expected.contains(&verdict), "{row}");
    }
    let text = bench(
        &SCENES[..1],
        &[&little[..], &["--compare", before]].concat(),
    )
    .ok();
    assert!(text.contains("ratio: speed now / speed in "), "{text}");

    // Another machine or other work is reported.
    let mut kept = json(&std::fs::read_to_string(before).unwrap());
    kept["machine"]["cores"] = 999.into();
    kept["meshes"][0]["rays"][0]["fingerprint"] = "another".into();
    kept["meshes"][0]["rays"][1]["ns"] = 1e12.into();
    kept["meshes"][0]["rays"][1]["mad_ns"] = 0.0.into();
    kept["meshes"][0]["rays"][2]["quality"] = "best".into();
    std::fs::write(before, format!("{kept:#}")).unwrap();
    let ran = bench(&SCENES[..1], &[&little[..], &rest].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for told in [
        "was measured on another machine",
        "999 cores",
        "not compared: 1 measurement in ",
        "with another mesh or other rays",
        "new: 1 measurement that ",
        "not repeated: 1 measurement of ",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    let object = json(&ran.stdout);
    let verdict = |row: usize| &object["meshes"][0]["rays"][row]["change"]["verdict"];
    assert_eq!([0, 1, 2].map(verdict), ["other", "faster", "new"]);
    assert_eq!(object["comparison"]["gone"], 1);
}

#[test]
fn a_mesh_that_shows_nothing_has_the_rays_that_need_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("point.obj");
    std::fs::write(&path, "v 1 2 3\nf 1 1 1\n").unwrap();
    let ran = bench(
        &[path.to_str().unwrap()],
        &["--json", "--thread-counts", "1"],
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("no diffuse rays"), "{}", ran.stderr);
    let object = json(&ran.stdout);
    let rows = list(&object["meshes"][0]["rays"]);
    // Primary, random and random-any, in two sorts of calls.
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row["hits"] == 0));
}

#[test]
fn threads_may_be_named_before_the_verb_too() {
    let args = [
        "--threads",
        "1",
        "bench",
        "--seconds",
        "0.01",
        "--rounds",
        "1",
        "--json",
    ];
    let more = ["--count", "1", "--kinds", "random", "demo:solids?n=1"];
    let object = json(&estoc(args.into_iter().chain(more)).ok());
    let rows = list(&object["meshes"][0]["rays"]);
    assert_eq!(rows.len(), 2);
    assert!(
        rows.iter()
            .all(|row| row["threads"] == 1 && row["count"] == 256)
    );
}

#[test]
fn help_has_examples() {
    let help = estoc(["help", "bench"]).ok();
    for told in [
        "Example: estoc bench",
        "--compare",
        "estoc.bench/1",
        "median",
    ] {
        assert!(help.contains(told), "{told}: {help}");
    }
}

/// A program that may use one of several processors measures the load of that one.
#[cfg(target_os = "linux")]
#[test]
fn the_load_is_told_of_the_processors_that_may_be_used() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let first = allowed.unwrap().trim().split([',', '-']).next().unwrap();
    let estoc = env!("CARGO_BIN_EXE_estoc");
    let args = "bench demo:box --count 256 --seconds 0.05 --rounds 1 --build-rounds 1 --kinds primary --json";
    let ran = std::process::Command::new("taskset")
        .args(["-c", first, estoc])
        .args(args.split(' '))
        .output();
    let Ok(ran) = ran else {
        println!("skipped: there is no taskset");
        return;
    };
    let report = json(std::str::from_utf8(&ran.stdout).unwrap());
    let others = report["others"].as_f64();
    assert!(
        others.is_some_and(|share| (0.0..=1.0).contains(&share)),
        "{report}"
    );
}

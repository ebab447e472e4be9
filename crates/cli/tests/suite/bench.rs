//! `estoc bench`: its output in all formats; never how fast anything is.

use crate::common::{BENCH, Folder, assert_has, estoc, run};
use serde_json::Value;

const SOLIDS: &str = "demo:solids?n=1";
const SCENES: &str = "demo:solids?n=1 demo:soup?n=300";

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn json_has_a_row_for_each_setup() {
    let rest = "--json --thread-counts 2,1,2 --qualities fast,best";
    let object = run(&format!("{BENCH} {SCENES} {rest}")).ok_json();
    assert_eq!(object["schema"], "estoc.bench/1");
    assert_eq!(object["settings"]["count"], 256);
    assert!(object["machine"]["cores"].as_u64().unwrap() > 0);
    assert!(object["version"].is_string());
    assert_eq!(list(&object["meshes"]).len(), 2);
    assert_eq!(list(&object["meshes"]).len(), 2);
    for (mesh, name) in list(&object["meshes"]).iter().zip(SCENES.split(' ')) {
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
            let both = number("millions_per_second") * number("ns");
            assert!((both - 1e3).abs() < 1e-6, "{row}");
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
    let rest = "--kinds primary,ao --thread-counts 1";
    let text = run(&format!("{BENCH} {SOLIDS} {rest}")).ok();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("estoc "), "{text}");
    assert_has(lines[0], " on ");
    assert_has(lines[1], "3 rounds of 0.01 s");
    assert_has(&text, "\ndemo:solids?n=1: 236 triangles, loaded in ");
    for start in [
        "balanced",
        "primary  single",
        "primary  batch",
        "ao       batch",
    ] {
        let start = format!("  {start} ");
        let starting = lines.iter().filter(|line| line.starts_with(&start));
        assert_eq!(starting.count(), 1, "{start}: {text}");
    }
    // No colour outside a terminal; each reason is listed once.
    assert!(!text.contains('\x1b'), "{text}");
    assert!(lines.last().unwrap().starts_with("  ("), "{text}");
}

#[test]
fn every_form_has_the_same_rows() {
    let folder = Folder::new();
    let rest =
        "--kinds random,shadow --thread-counts 1 --csv F/r.csv --markdown F/r.md --svg F/r.svg";
    let line = format!("{BENCH} {SCENES} {rest} --save F/r.json --out F/r.txt");
    assert_eq!(folder.run(&line).ok(), "");
    assert_eq!(folder.names().len(), 5);

    // A build and four rows of rays for each mesh.
    let text = folder.read("r.csv");
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

    let object = folder.json("r.json");
    let meshes = list(&object["meshes"]).iter();
    let saved = meshes.flat_map(|mesh| list(&mesh["builds"]).iter().chain(list(&mesh["rays"])));
    let saved: Vec<f64> = saved.map(|row| row["ns"].as_f64().unwrap()).collect();
    let written: Vec<f64> = rows.iter().map(|row| row[7].parse().unwrap()).collect();
    assert_eq!(saved.len(), written.len());
    // JSON numbers are not parsed to the last bit.
    for (a, b) in saved.iter().zip(&written) {
        assert!((a - b).abs() <= 1e-12 * b, "{saved:?}, not {written:?}");
    }

    // All rows of a table have as many cells as its first.
    let text = folder.read("r.md");
    let parts = text.split("\n\n");
    let tables: Vec<&str> = parts.filter(|part| part.starts_with('|')).collect();
    assert_eq!(tables.len(), 4, "{text}");
    for table in tables {
        let bars = |line: &str| line.matches('|').count() - line.matches("\\|").count();
        let first = bars(table.lines().next().unwrap());
        assert!(table.lines().all(|line| bars(line) == first), "{table}");
    }
    assert_has(&text, "## demo:soup?n=300\n");

    // A bar for each row, and all elements are closed.
    let text = folder.read("r.svg");
    assert_well_formed(&text);
    assert_eq!(text.matches("<rect").count(), 1 + 10, "{text}");
    assert_has(&folder.read("r.txt"), "  random  single ");
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
        assert!(!tag.contains('<'), "{tag}");
        assert!(tag.matches('"').count() % 2 == 0, "{tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{svg}"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
        let text = after.split('<').next().unwrap();
        for entity in text.split('&').skip(1) {
            let is_known = |name: &&str| entity.starts_with(name);
            assert!(["amp;", "lt;", "gt;"].iter().any(is_known), "{text}");
        }
        rest = after;
    }
    assert_eq!(open, Vec::<&str>::new());
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
}

#[cfg_attr(windows, ignore = "Windows has no such names")]
#[test]
fn names_that_are_markup_stay_names() {
    let folder = Folder::new();
    let mesh = folder.put("a,b & <c>.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let bench = |form: &str| {
        let line = format!("{BENCH} --kinds primary --thread-counts 1 {form} -");
        estoc(line.split(' ').chain([&*mesh])).ok()
    };
    assert_well_formed(&bench("--svg"));
    let csv = bench("--csv");
    assert_eq!(csv.lines().count(), 4);
    let mut names = csv.lines().skip(1).map(|line| cells(line).swap_remove(0));
    assert!(names.all(|name| name == mesh), "{csv}");
}

#[test]
fn a_result_compares_with_one_that_was_kept() {
    let folder = Folder::new();
    let little = format!("{BENCH} {SOLIDS} --kinds primary,random --thread-counts 1");
    folder.run(&format!("{little} --save F/before.json")).ok();
    // As saved by versions without bundles.
    let mut kept = folder.json("before.json");
    let plan = kept["meshes"][0]["rays"][1]["plan"].as_object_mut();
    assert!(plan.unwrap().remove("bundles").is_some());
    folder.put("before.json", format!("{kept:#}"));
    // The same work: each row has a ratio, whatever the times.
    let compare = format!("{little} --compare F/before.json");
    let object = folder.run(&format!("{compare} --json")).ok_json();
    assert_eq!(object["comparison"]["same_machine"], true);
    assert_eq!(object["comparison"]["gone"], 0);
    assert_eq!(object["comparison"]["new"], 0);
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
    assert_has(&folder.run(&compare).ok(), "ratio: speed now / speed in ");

    // Another machine or other work is reported.
    let mut kept = folder.json("before.json");
    kept["machine"]["cores"] = 999.into();
    kept["meshes"][0]["rays"][0]["fingerprint"] = "another".into();
    kept["meshes"][0]["rays"][1]["ns"] = 1e12.into();
    kept["meshes"][0]["rays"][1]["mad_ns"] = 0.0.into();
    kept["meshes"][0]["rays"][2]["quality"] = "best".into();
    folder.put("before.json", format!("{kept:#}"));
    let ran = folder.run(&format!("{compare} --json"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for told in [
        "was measured on another machine",
        "999 cores",
        "not compared: 1 measurement in ",
        "with another mesh or other rays",
        "new: 1 measurement that ",
        "not repeated: 1 measurement of ",
    ] {
        assert_has(&ran.stderr, told);
    }
    let object = ran.json();
    let verdict = |row: usize| &object["meshes"][0]["rays"][row]["change"]["verdict"];
    assert_eq!([0, 1, 2].map(verdict), ["other", "faster", "new"]);
    assert_eq!(object["comparison"]["gone"], 1);
}

#[test]
fn a_mesh_that_shows_nothing_has_the_rays_that_need_nothing() {
    let folder = Folder::with(&[("point.obj", "v 1 2 3\nf 1 1 1\n")]);
    let ran = folder.run(&format!("{BENCH} F/point.obj --json --thread-counts 1"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_has(&ran.stderr, "no diffuse rays");
    let object = ran.json();
    let rows = list(&object["meshes"][0]["rays"]);
    // Primary, random and random-any, in two sorts of calls.
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row["hits"] == 0));
}

#[test]
fn threads_may_be_named_before_the_verb_too() {
    let rest = "--seconds 0.01 --rounds 1 --json --count 1 --kinds random demo:solids?n=1";
    let object = run(&format!("--threads 1 bench {rest}")).ok_json();
    let rows = list(&object["meshes"][0]["rays"]);
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!(row["threads"] == 1 && row["count"] == 256, "{row}");
    }
}

#[test]
fn help_has_examples() {
    let help = run("help bench").ok();
    for told in [
        "Example: estoc bench",
        "--compare",
        "estoc.bench/1",
        "median",
    ] {
        assert_has(&help, told);
    }
}

/// A program that may use one of several processors measures the load of that one.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs taskset(1)"]
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
        .output()
        .expect("taskset(1)");
    let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let others = report["others"].as_f64();
    assert!(
        others.is_some_and(|share| (0.0..=1.0).contains(&share)),
        "{report}"
    );
}

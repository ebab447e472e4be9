//! Arguments that `estoc bench` rejects before any work, and the files left when it is stopped.

use crate::common::{BENCH, Folder, assert_has, command, estoc, run};
use std::process::Stdio;

#[test]
fn a_baseline_that_is_none_is_refused_before_any_work() {
    let folder = Folder::new();
    let line = format!("{BENCH} demo:hall?n=50000000 --compare F/b.json");
    let compare = || folder.run(&line).fails(3);
    let missing = compare();
    assert_has(&missing, "b.json");
    assert_has(&missing, "--save");
    for (text, line) in [
        ("v 0 0 0\n", 1),
        ("{\n\"schema\": \"estoc.info/1\"}", 2),
        ("{\"schema\": \"estoc.bench/1\",\n\n\"version\": 3}", 3),
        ("{\"schema\": \"estoc.bench/1\"", 1),
    ] {
        folder.put("b.json", text);
        assert_has(&compare(), &format!("b.json:{line}: not a result"));
    }
    // Impossible times.
    let line = format!("{BENCH} demo:solids?n=1 --save F/b.json");
    folder.run(&line).ok();
    let mut kept = folder.json("b.json");
    kept["meshes"][0]["rays"][0]["ns"] = 0.0.into();
    folder.put("b.json", format!("{kept:#}"));
    assert_has(&compare(), "invalid time: 0 ns");
}

#[test]
fn wrong_arguments_are_refused_before_any_work() {
    // This mesh takes long to build, and comes first.
    let large = "demo:hall?n=50000000";
    for (rest, told) in [
        (
            "--kinds primary,sideways",
            "possible values: primary, diffuse, random",
        ),
        ("--qualities good", "fast, balanced, best"),
        ("--calls none", "single, batch"),
        ("--thread-counts 0", "1..=1024"),
        ("--thread-counts 1,,2", "invalid"),
        ("--threads 1,2", "invalid"),
        ("--rays primary", "unexpected argument '--rays'"),
        ("--rounds 0", "1..=10000"),
        ("--count 0", "1..="),
        ("--seconds 0", "above 0"),
        ("--seconds -1", "above 0"),
        ("--seconds NaN", "above 0"),
        ("--seconds 1e9", "at most 3600"),
        ("demo:kettle", "no demo scene \"kettle\""),
        ("--csv - --svg -", "--csv and --svg both go to stdout"),
        ("--csv - --json", "--csv and --json both go to stdout"),
        ("--save - --out -", "--save and --out both go to stdout"),
    ] {
        // Without the small settings, which would be given twice.
        let ran = run(&format!("bench {large} {rest}"));
        assert_eq!(ran.status, 2, "{rest}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{rest}: {}", ran.stderr);
        // With --json the failure is on stdout, too.
        let is_told = ran.stdout.contains(told);
        assert_eq!(is_told, rest.contains("--json"), "{rest}: {}", ran.stdout);
    }
    run("bench").fails_with(2, "<MESH>");
    let message = run(&format!("bench {large} no-such.obj")).fails(3);
    assert_has(&message, "no-such.obj");
    assert_has(&message, "check the path");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    estoc(["bench", large, folder]).fails_with(3, folder);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_refused_before_any_work() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let path = folder.put("locked.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
    // Root may read everything.
    if std::fs::File::open(&path).is_ok() {
        return;
    }
    let ran = folder.run("bench demo:hall?n=50000000 F/locked.obj");
    ran.fails_with(3, "locked.obj");
}

#[test]
fn a_file_is_written_whole_and_replaces_nothing_that_is_needed() {
    let folder = Folder::with(&[
        ("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        ("broken.obj", "v 0 0 0\nf 1 2 9\n"),
    ]);
    let bench = |rest: &str| folder.run(&format!("{BENCH} {rest}"));
    for (rest, option) in [
        ("--csv F/m.obj", "--csv"),
        ("--svg F/result --markdown F/result", "--svg"),
        ("--out F/result --save F/result", "--save"),
    ] {
        let ran = bench(&format!("F/m.obj {rest}"));
        ran.fails_with(2, &format!("{option} would replace"));
    }
    let ran = bench("demo:hall?n=50000000 --svg F/no/such/folder/r.svg");
    ran.fails_with(3, "cannot write");
    // A mesh that fails to load leaves no files behind.
    bench("F/broken.obj --csv F/result").fails_with(3, "broken.obj:2:");
    assert_eq!(folder.names(), ["broken.obj", "m.obj"]);
}

/// A closed pipe is no failure, so every file must exist.
#[test]
fn a_pipe_that_closes_takes_no_file_away() {
    for stdout in ["--csv", "--markdown", "--out"] {
        let folder = Folder::new();
        let line = format!(
            "bench demo:solids?n=1 --kinds random {stdout} - --seconds 0.01 --rounds 1 --count 256 \
             --thread-counts 1 --svg F/chart.svg --save F/before.json"
        );
        let mut child = command()
            .args(folder.words(&line))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*told), (Some(0), ""), "{stdout}");
        assert_eq!(folder.names(), ["before.json", "chart.svg"], "{stdout}");
        let kept = folder.json("before.json");
        assert_eq!(kept["schema"], "estoc.bench/1", "{stdout}");
    }
}

/// Both files exist early as temporary files, and neither stays.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_file() {
    if crate::common::is_ignored("-INT") {
        return;
    }
    let folder = Folder::new();
    let line = "bench demo:solids?n=1 --seconds 3000 --csv F/r.csv --out F/r.txt";
    let mut child = command()
        .args(folder.words(line))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    crate::common::wait_for_files(folder.path("").as_ref(), 2, &mut child);
    crate::common::send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(folder.names(), Vec::<String>::new());
}

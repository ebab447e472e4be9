//! Arguments that `estoc bench` rejects before any work, and the files left when it is stopped.

use crate::common::{bench, estoc, names};
use serde_json::Value;

#[test]
fn a_baseline_that_is_none_is_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.json");
    let name = path.to_str().unwrap();
    let compare = || bench(&["demo:hall?n=50000000"], &["--compare", name]).fails(3);
    let missing = compare();
    assert!(
        missing.contains("b.json") && missing.contains("--save"),
        "{missing}"
    );
    for (text, line) in [
        ("v 0 0 0\n", 1),
        ("{\n\"schema\": \"estoc.info/1\"}", 2),
        ("{\"schema\": \"estoc.bench/1\",\n\n\"version\": 3}", 3),
        ("{\"schema\": \"estoc.bench/1\"", 1),
    ] {
        std::fs::write(&path, text).unwrap();
        let message = compare();
        assert!(
            message.contains(&format!("b.json:{line}: not a result")),
            "{message}"
        );
    }
    // Impossible times.
    bench(&["demo:solids?n=1"], &["--save", name]).ok();
    let kept = std::fs::read_to_string(&path).unwrap();
    let mut kept: Value = serde_json::from_str(&kept).unwrap();
    kept["meshes"][0]["rays"][0]["ns"] = 0.0.into();
    std::fs::write(&path, format!("{kept:#}")).unwrap();
    assert!(compare().contains("invalid time: 0 ns"));
}

#[test]
fn wrong_arguments_are_refused_before_any_work() {
    // This mesh takes long to build, and comes first.
    let large = "demo:hall?n=50000000";
    for (rest, told) in [
        (
            &["--kinds", "primary,sideways"][..],
            "possible values: primary, diffuse, random",
        ),
        (&["--qualities", "good"], "fast, balanced, best"),
        (&["--calls", "none"], "single, batch"),
        (&["--thread-counts", "0"], "1..=1024"),
        (&["--thread-counts", "1,,2"], "invalid"),
        (&["--threads", "1,2"], "invalid"),
        (&["--rays", "primary"], "unexpected argument '--rays'"),
        (&["--rounds", "0"], "1..=10000"),
        (&["--count", "0"], "1..="),
        (&["--seconds", "0"], "above 0"),
        (&["--seconds", "-1"], "above 0"),
        (&["--seconds", "NaN"], "above 0"),
        (&["--seconds", "1e9"], "at most 3600"),
        (&["demo:kettle"], "no demo scene \"kettle\""),
        (
            &["--csv", "-", "--svg", "-"],
            "--csv and --svg both go to stdout",
        ),
        (
            &["--csv", "-", "--json"],
            "--csv and --json both go to stdout",
        ),
        (
            &["--save", "-", "--out", "-"],
            "--save and --out both go to stdout",
        ),
    ] {
        // Without the small settings, which would be given twice.
        let args = ["bench", large].into_iter().chain(rest.iter().copied());
        let ran = estoc(args);
        assert_eq!(ran.status, 2, "{rest:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{rest:?}: {}", ran.stderr);
        // With --json the failure is on stdout, too.
        let is_json = rest.contains(&"--json");
        assert_eq!(
            ran.stdout.contains(told),
            is_json,
            "{rest:?}: {}",
            ran.stdout
        );
    }
    assert!(estoc(["bench"]).fails(2).contains("<MESH>"));
    let message = estoc(["bench", large, "no-such.obj"]).fails(3);
    assert!(
        message.contains("no-such.obj") && message.contains("check the path"),
        "{message}"
    );
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let message = estoc(["bench", large, folder]).fails(3);
    assert!(message.contains(folder), "{message}");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_refused_before_any_work() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("locked.obj");
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
    // Root may read everything.
    if std::fs::File::open(&path).is_ok() {
        return;
    }
    let message = estoc(["bench", "demo:hall?n=50000000", path.to_str().unwrap()]).fails(3);
    assert!(message.contains("locked.obj"), "{message}");
}

#[test]
fn a_file_is_written_whole_and_replaces_nothing_that_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("m.obj");
    std::fs::write(&mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let mesh = mesh.to_str().unwrap();
    let other = folder.path().join("result");
    let other = other.to_str().unwrap();
    for (rest, option) in [
        (&["--csv", mesh][..], "--csv"),
        (&["--svg", other, "--markdown", other], "--svg"),
        (&["--out", other, "--save", other], "--save"),
    ] {
        let message = bench(&[mesh], rest).fails(2);
        assert!(
            message.contains(&format!("{option} would replace")),
            "{message}"
        );
    }
    let gone = folder.path().join("no/such/folder/r.svg");
    let message = bench(
        &["demo:hall?n=50000000"],
        &["--svg", gone.to_str().unwrap()],
    )
    .fails(3);
    assert!(message.contains("cannot write"), "{message}");
    // A mesh that fails to load leaves no files behind.
    let broken = folder.path().join("broken.obj");
    std::fs::write(&broken, "v 0 0 0\nf 1 2 9\n").unwrap();
    let message = bench(&[broken.to_str().unwrap()], &["--csv", other]).fails(3);
    assert!(message.contains("broken.obj:2:"), "{message}");
    assert_eq!(names(folder.path()), ["broken.obj", "m.obj"]);
}

/// A closed pipe is no failure, so every file must exist.
#[test]
fn a_pipe_that_closes_takes_no_file_away() {
    use std::process::Stdio;
    for stdout in ["--csv", "--markdown", "--out"] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut child = crate::common::command()
            .args(["bench", "demo:solids?n=1", "--kinds", "random", stdout, "-"])
            .args(["--seconds", "0.01", "--rounds", "1", "--count", "256"])
            .args(["--thread-counts", "1", "--svg"])
            .arg(path("chart.svg"))
            .arg("--save")
            .arg(path("before.json"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*told), (Some(0), ""), "{stdout}");
        assert_eq!(
            names(folder.path()),
            ["before.json", "chart.svg"],
            "{stdout}"
        );
        let kept = std::fs::read_to_string(path("before.json")).unwrap();
        let kept: Value = serde_json::from_str(&kept).unwrap();
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
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut child = crate::common::command()
        .args(["bench", "demo:solids?n=1", "--seconds", "3000", "--csv"])
        .arg(path("r.csv"))
        .arg("--out")
        .arg(path("r.txt"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while names(folder.path()).len() < 2 {
        assert_eq!(child.try_wait().unwrap(), None, "ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

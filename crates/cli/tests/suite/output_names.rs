//! Output names that contradict the format written, and terminals.

use crate::common::{estoc, names};

#[test]
fn names_that_contradict_the_result_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let missing = "no-such-mesh.obj";
    let ray = "--ray=0,0,1,0,0,-1";
    for (args, name, told) in [
        (
            &["render", missing][..],
            "x.jpg",
            "the result is a PNG picture, but the extension .jpg is for JPEG pictures; name it ",
        ),
        (&["cast", missing, ray], "x.png", "the result is CSV"),
        (&["cast", missing, ray], "x.json", "add --json for JSON"),
        (
            &["cast", missing, ray, "--json"],
            "x.csv",
            "the result is JSON",
        ),
        (&["cast", missing, ray], "x.csv.gz", "gzip-compressed files"),
        (&["build", missing], "x.OBJ", "the result is a tree file"),
        (&["info", missing], "x.csv", "the result is text"),
        (&["verify", missing], "x.estoc", "the result is text"),
        (&["check", missing], "x.csv", "the result is text"),
        (&["contains", missing, "--points", missing], "x.txt", ""),
        (&["near", missing, "--points", missing], "x.txt", ""),
    ] {
        let ran = estoc(args.iter().copied().chain(["--out", &at(name)]));
        let status = if told.is_empty() { 3 } else { 2 };
        assert_eq!(ran.status, status, "{args:?} {name}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{args:?} {name}: {}", ran.stderr);
    }
    for (option, name) in [("--csv", "x.svg"), ("--svg", "x.png"), ("--save", "x.csv")] {
        let told = estoc(["bench", "demo:soup?n=5", option, &at(name)]).fails(2);
        assert!(told.contains(&format!("{option} ")), "{told}");
        assert!(told.contains("the result is "), "{told}");
    }
    let told = estoc(["demo", "--picture", &at("x.jpg")]).fails(2);
    assert!(told.contains("--picture "), "{told}");
    assert_eq!(names(folder.path()), [""; 0]);
    // Names without a known extension are allowed.
    estoc(["cast", "demo:soup?n=5", ray, "--out", &at("hits.part1")]).ok();
    assert_eq!(names(folder.path()), ["hits.part1"]);
}

/// `script` provides a terminal; where it is missing or of another kind, the test is skipped.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_bytes() {
    use std::process::{Command, Stdio};
    let on_terminal = |args: &str| {
        let command = format!("{} {args}", env!("CARGO_BIN_EXE_estoc"));
        let ran = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .stdin(Stdio::null())
            .output()
            .ok()?;
        Some((
            ran.status.code(),
            String::from_utf8_lossy(&ran.stdout).into_owned(),
        ))
    };
    if on_terminal("--version").is_none_or(|(status, _)| status != Some(0)) {
        eprintln!("skipped: no script(1)");
        return;
    }
    for (args, told) in [
        (
            "render demo:soup?n=5 --out -",
            "a PNG picture cannot be shown on a terminal",
        ),
        (
            "build demo:soup?n=5 --out /dev/stdout",
            "a tree file cannot be shown on a terminal",
        ),
    ] {
        let (status, text) = on_terminal(args).unwrap();
        assert_eq!(status, Some(2), "{args}: {text}");
        assert!(text.contains(told), "{args}: {text}");
    }
    let (status, text) = on_terminal("cast demo:soup?n=5 --ray=0,0,1,0,0,-1").unwrap();
    assert!(
        status == Some(0) && text.contains("ray,hit,t,prim,u,v"),
        "{text}"
    );
}

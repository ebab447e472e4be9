//! Output names that contradict the format written, and terminals.

use crate::common::{Folder, assert_has};

#[test]
fn names_that_contradict_the_result_are_refused_before_any_work() {
    let folder = Folder::new();
    let ray = "--ray=0,0,1,0,0,-1";
    let cast = format!("cast no-such-mesh.obj {ray}");
    for (line, name, told) in [
        (
            "render no-such-mesh.obj",
            "x.jpg",
            "the result is a PNG picture, but the extension .jpg is for JPEG pictures; name it ",
        ),
        (&cast, "x.png", "the result is CSV"),
        (&cast, "x.json", "add --json for JSON"),
        (&format!("{cast} --json"), "x.csv", "the result is JSON"),
        (&cast, "x.csv.gz", "gzip-compressed files"),
        (
            "build no-such-mesh.obj",
            "x.OBJ",
            "the result is a tree file",
        ),
        ("info no-such-mesh.obj", "x.csv", "the result is text"),
        ("verify no-such-mesh.obj", "x.estoc", "the result is text"),
        ("check no-such-mesh.obj", "x.csv", "the result is text"),
        (
            "contains no-such-mesh.obj --points no-such-mesh.obj",
            "x.txt",
            "",
        ),
        (
            "near no-such-mesh.obj --points no-such-mesh.obj",
            "x.txt",
            "",
        ),
    ] {
        let ran = folder.run(&format!("{line} --out F/{name}"));
        let status = if told.is_empty() { 3 } else { 2 };
        assert_eq!(ran.status, status, "{line} {name}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{line} {name}: {}", ran.stderr);
    }
    for (option, name) in [("--csv", "x.svg"), ("--svg", "x.png"), ("--save", "x.csv")] {
        let told = folder
            .run(&format!("bench demo:soup?n=5 {option} F/{name}"))
            .fails(2);
        assert_has(&told, &format!("{option} "));
        assert_has(&told, "the result is ");
    }
    folder
        .run("demo --picture F/x.jpg")
        .fails_with(2, "--picture ");
    assert_eq!(folder.names(), [""; 0]);
    // Names without a known extension are allowed.
    folder
        .run(&format!("cast demo:soup?n=5 {ray} --out F/hits.part1"))
        .ok();
    assert_eq!(folder.names(), ["hits.part1"]);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs script(1) of util-linux, which provides a terminal"]
fn a_terminal_gets_no_bytes() {
    use std::process::{Command, Stdio};
    let on_terminal = |args: &str| {
        let command = format!("{} {args}", env!("CARGO_BIN_EXE_estoc"));
        let ran = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .stdin(Stdio::null())
            .output()
            .expect("script(1)");
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        (ran.status.code(), text)
    };
    for (args, told) in [
        ("render demo:soup?n=5 --out -", "a PNG picture"),
        ("build demo:soup?n=5 --out /dev/stdout", "a tree file"),
    ] {
        let (status, text) = on_terminal(args);
        assert_eq!(status, Some(2), "{args}: {text}");
        let told = format!("{told} cannot be shown on a terminal");
        assert!(text.contains(&told), "{args}: {text}");
    }
    let (status, text) = on_terminal("cast demo:soup?n=5 --ray=0,0,1,0,0,-1");
    assert_eq!(status, Some(0), "{text}");
    assert_has(&text, "ray,hit,t,prim,u,v");
}

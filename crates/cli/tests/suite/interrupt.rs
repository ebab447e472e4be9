//! Ctrl-C, closed pipes, and outputs that are not regular files.
#![cfg(unix)]

use crate::common::{command, is_ignored, names};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn ctrl_c_leaves_no_file() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if is_ignored(signal) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("hits.csv");
        let mut child = command()
            .args(["cast", "demo:soup?n=5", "--rays", "-", "--out"])
            .arg(&out)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin
            .write_all(b"ox,oy,oz,dx,dy,dz\n0,0,0,1,0,0\n")
            .unwrap();
        stdin.flush().unwrap();
        // The command waits for more rays now, with its temporary file in the folder.
        while names(folder.path()).is_empty() {
            assert_eq!(child.try_wait().unwrap(), None);
            std::thread::sleep(Duration::from_millis(5));
        }
        let killed = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{signal}");
        let expected = format!("estoc: interrupted; {} was not written\n", out.display());
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert_eq!(names(folder.path()), Vec::<String>::new());
        drop(stdin);
    }
}

/// `nohup` ignores SIGHUP, and shells start background jobs with SIGINT ignored.
#[test]
fn signals_that_were_ignored_at_the_start_stay_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("hits.csv");
    let run = "trap '' HUP INT; exec \"$0\" cast 'demo:soup?n=5' --rays - --out \"$1\"";
    let mut child = Command::new("sh")
        .args(["-c", run, env!("CARGO_BIN_EXE_estoc")])
        .arg(&out)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"ox,oy,oz,dx,dy,dz\n").unwrap();
    while names(folder.path()).is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    for signal in ["-HUP", "-INT"] {
        let killed = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
    }
    // Longer than the command would take to end.
    std::thread::sleep(Duration::from_millis(700));
    stdin.write_all(b"0,0,0,1,0,0\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count(), 2);
}

#[test]
fn ctrl_c_says_what_was_not_written() {
    let verify = ["verify", "demo:sphere?n=2000", "--count", "1000000000"].as_slice();
    let render = [
        "render",
        "demo:sphere?n=2000",
        "--samples=4096",
        "--size=4000x4000",
    ]
    .as_slice();
    for (args, signal, status) in [(verify, "-INT", 130), (render, "-TERM", 143)] {
        if is_ignored(signal) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("result");
        let mut child = command()
            .args(args)
            .arg("--out")
            .arg(&out)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while names(folder.path()).is_empty() {
            assert!(child.try_wait().unwrap().is_none(), "ended by itself");
            std::thread::sleep(Duration::from_millis(5));
        }
        let killed = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status));
        let expected = format!("estoc: interrupted; {} was not written\n", out.display());
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut child = command()
        .args(["cast", "demo:sphere?n=500", "--rays", "-", "--query", "any"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let feeder = std::thread::spawn(move || {
        let rays = "0,0,0,1,0,0\n".repeat(1000);
        let _ = stdin.write_all(b"ox,oy,oz,dx,dy,dz\n");
        for _ in 0..500 {
            if stdin.write_all(rays.as_bytes()).is_err() {
                break;
            }
        }
    });
    let mut first = [0; 8];
    stdout.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"ray,hit\n");
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_device_is_written_to_and_stays_one() {
    let ran = crate::common::estoc(["info", "demo:soup?n=5", "--out", "/dev/null"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""));
    let kind = std::fs::metadata("/dev/null").unwrap().file_type();
    assert!(!kind.is_file());
}

#[test]
fn a_link_stays_a_link_and_new_files_have_the_usual_rights() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let [file, link, usual] = ["file", "link", "usual"].map(|name| folder.path().join(name));
    std::fs::write(&file, "old").unwrap();
    symlink(&file, &link).unwrap();
    let link_text = link.to_str().unwrap();
    crate::common::estoc(["info", "demo:soup?n=5", "--out", link_text]).ok();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .contains("triangles")
    );
    std::fs::write(&usual, "").unwrap();
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&file), mode(&usual));
}

//! Ctrl-C, closed pipes, and outputs that are not regular files.
#![cfg(unix)]

use crate::common::{Folder, command, is_ignored, run, send, wait_for_files};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Checks that a command that was interrupted said so, and left nothing in the folder of its result.
#[track_caller]
fn assert_interrupted(child: Child, status: i32, folder: &Folder, out: &str) {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{out}");
    let expected = format!("estoc: interrupted; {} was not written\n", folder.path(out));
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn ctrl_c_leaves_no_file() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if is_ignored(signal) {
            continue;
        }
        let folder = Folder::new();
        let mut child = command()
            .args(folder.words("cast demo:soup?n=5 --rays - --out F/hits.csv"))
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let rays = b"ox,oy,oz,dx,dy,dz\n0,0,0,1,0,0\n";
        stdin.write_all(rays).unwrap();
        stdin.flush().unwrap();
        // The command waits for more rays now, with its temporary file in the folder.
        wait_for_files(folder.path("").as_ref(), 1, &mut child);
        send(signal, &child);
        assert_interrupted(child, status, &folder, "hits.csv");
        drop(stdin);
    }
}

/// `nohup` ignores SIGHUP, and shells start background jobs with SIGINT ignored.
#[test]
fn signals_that_were_ignored_at_the_start_stay_ignored() {
    let folder = Folder::new();
    let run = "trap '' HUP INT; exec \"$0\" cast 'demo:soup?n=5' --rays - --out \"$1\"";
    let mut child = Command::new("sh")
        .args(["-c", run, env!("CARGO_BIN_EXE_estoc")])
        .arg(folder.path("hits.csv"))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"ox,oy,oz,dx,dy,dz\n").unwrap();
    wait_for_files(folder.path("").as_ref(), 1, &mut child);
    send("-HUP", &child);
    send("-INT", &child);
    // Longer than the command would take to end.
    std::thread::sleep(Duration::from_millis(700));
    stdin.write_all(b"0,0,0,1,0,0\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(folder.read("hits.csv").lines().count(), 2);
}

#[test]
fn ctrl_c_says_what_was_not_written() {
    let verify = "verify demo:sphere?n=2000 --count 1000000000 --out F/result";
    let render = "render demo:sphere?n=2000 --samples=4096 --size=4000x4000 --out F/result";
    for (line, signal, status) in [(verify, "-INT", 130), (render, "-TERM", 143)] {
        if is_ignored(signal) {
            continue;
        }
        let folder = Folder::new();
        let mut child = command()
            .args(folder.words(line))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_files(folder.path("").as_ref(), 1, &mut child);
        send(signal, &child);
        assert_interrupted(child, status, &folder, "result");
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
    let ran = run("info demo:soup?n=5 --out /dev/null");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""));
    let kind = std::fs::metadata("/dev/null").unwrap().file_type();
    assert!(!kind.is_file());
}

#[test]
fn a_link_stays_a_link_and_new_files_have_the_usual_rights() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::with(&[("file", "old"), ("usual", "")]);
    let [file, link, usual] = ["file", "link", "usual"].map(|name| folder.path(name));
    symlink(&file, &link).unwrap();
    folder.run("info demo:soup?n=5 --out F/link").ok();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(folder.read("file").contains("triangles"));
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&file), mode(&usual));
}

//! Lack of memory is a reported error, and never aborts the process.

use crate::common::estoc;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the command with `kilobytes` kilobytes of address space.
fn limited(kilobytes: u32, args: &[&str]) -> Output {
    let script = format!("ulimit -v {kilobytes}; exec \"$@\"");
    let command = env!("CARGO_BIN_EXE_estoc");
    Command::new("sh")
        .args(["-c", &script, "sh", command, "--quiet", "--threads=2"])
        .args(args)
        .output()
        .unwrap()
}

/// Runs the command with more and less memory: each run must give a result, or a message and exit
/// status 3, and at least one must give the latter.
#[track_caller]
fn never_aborts(limits: &[u32], args: &[&str], told: &str) {
    let mut refused = 0;
    for &limit in limits {
        let output = limited(limit, args);
        let message = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {}
            Some(3) => {
                assert!(message.contains(told), "{limit} {args:?}: {message}");
                refused += 1;
            }
            other => panic!("{limit} {args:?}: {other:?}: {message}"),
        }
    }
    assert!(refused > 0, "{args:?}: there was always enough");
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Returns a sheet of `n` by `n` quadrilaterals; vertices count from `first`.
fn sheet(n: usize, first: usize) -> String {
    let mut text = String::new();
    for i in 0..n * n {
        let _ = writeln!(text, "v {} {} {}", i % n, i / n, i % 7);
    }
    for i in 0..n * n - n {
        if i % n + 1 < n {
            let a = i + first;
            let _ = writeln!(text, "f {a} {} {} {}", a + 1, a + n + 1, a + n);
        }
    }
    text
}

#[test]
fn a_mesh_that_memory_does_not_hold_is_3() {
    let folder = tempfile::tempdir().unwrap();
    let obj = write(folder.path(), "sheet.obj", &sheet(300, 1));
    let mut off = String::from("OFF\n90000 89401 0\n");
    off.extend(
        sheet(300, 0)
            .lines()
            .map(|line| match line.split_once(' ') {
                Some(("f", rest)) => format!("4 {rest}\n"),
                Some((_, rest)) => format!("{rest}\n"),
                None => String::new(),
            }),
    );
    let off = write(folder.path(), "sheet.off", &off);
    for mesh in [&obj, &off] {
        let limits = [50_000, 60_000, 70_000, 80_000, 120_000, 160_000];
        never_aborts(&limits, &["info", mesh], "not enough memory");
    }
}

#[test]
fn a_scene_that_memory_does_not_hold_is_3() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("soup.estoc");
    let args = [
        "build",
        "demo:soup?n=3000000",
        "--out",
        out.to_str().unwrap(),
    ];
    never_aborts(
        &[400_000],
        &args,
        "not enough memory for demo:soup?n=3000000",
    );
}

/// Every edge of a soup is open, so that all of them are listed.
#[test]
fn open_edges_that_memory_does_not_hold_are_3() {
    let limits = [90_000, 120_000, 150_000, 180_000, 210_000, 240_000, 300_000];
    let args = ["info", "demo:soup?n=300000"];
    never_aborts(&limits, &args, "not enough memory");
}

#[test]
fn hits_that_memory_does_not_hold_are_3_or_fewer_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let equal = format!(
        "v -1 -1 0\nv 2 -1 0\nv -1 2 0\n{}",
        "f 1 2 3\n".repeat(75_000)
    );
    let mesh = write(folder.path(), "equal.obj", &equal);
    let mut rays = String::from("ox,oy,oz,dx,dy,dz\n");
    rays.push_str(&"0,0,1,0,0,-1\n".repeat(20));
    let rays = write(folder.path(), "rays.csv", &rays);
    let args = ["cast", &mesh, "--query", "all", "--rays", &rays];
    never_aborts(&[50_000, 80_000, 110_000], &args, "not enough memory for ");
    // Reading and writing have threads of their own, each with address space for its heap.
    let output = limited(500_000, &args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let rows = output.stdout.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(rows, 1 + 20 * 75_000);
}

#[test]
fn a_tree_has_the_memory_that_it_is_given() {
    let build = |memory: &str| {
        let args = [
            "build",
            "demo:sphere?n=100000",
            "--out=-",
            "--memory",
            memory,
        ];
        let output = crate::common::command().args(args).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), output.stdout.len(), message)
    };
    let (status, bytes, message) = build("4M");
    assert_eq!((status, bytes), (Some(3), 0), "{message}");
    assert!(
        message.contains("but --memory allows 4.0 MiB; raise --memory to "),
        "{message}"
    );
    assert_eq!(build("1G").0, Some(0));
    // Without --layout, the layout that fits is chosen.
    for (memory, layout) in [("10MiB", "compact"), ("1G", "fast")] {
        let text = estoc(["info", "--json", "--memory", memory, "demo:sphere?n=100000"]).ok();
        let info: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(info["bvh"]["layout"], layout);
    }
}

#[test]
fn input_has_no_more_bytes_than_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = write(
        folder.path(),
        "a.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    );
    estoc(["info", "--max-input=32", &mesh]).ok();
    let told = estoc(["info", "--max-input=31", &mesh]).fails(3);
    let expected = format!(
        "estoc: {mesh}: has more than 31 bytes, counted after decompression; raise the limit with \
         --max-input\n"
    );
    assert_eq!(told, expected);
    let told = estoc(["info", "--max-input=much", &mesh]).fails(2);
    assert!(told.contains("not a number of bytes such as"), "{told}");
}

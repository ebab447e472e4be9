//! Lack of memory is a reported error, and never aborts the process.

use crate::common::{Folder, assert_has, run};
use std::fmt::Write;
use std::process::{Command, Output};

/// Runs a command line with `kilobytes` kilobytes of address space.
fn limited(kilobytes: u32, folder: &Folder, line: &str) -> Output {
    let script = format!("ulimit -v {kilobytes}; exec \"$@\"");
    let command = env!("CARGO_BIN_EXE_estoc");
    Command::new("sh")
        .args(["-c", &script, "sh", command, "--quiet", "--threads=2"])
        .args(folder.words(line))
        .output()
        .unwrap()
}

/// Runs the command with more and less memory: each run must give a result, or a message and exit
/// status 3, and at least one must give the latter.
#[track_caller]
fn never_aborts(limits: &[u32], folder: &Folder, line: &str, told: &str) {
    let mut refused = 0;
    for &limit in limits {
        let output = limited(limit, folder, line);
        let message = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {}
            Some(3) => {
                assert!(message.contains(told), "{limit} {line}: {message}");
                refused += 1;
            }
            other => panic!("{limit} {line}: {other:?}: {message}"),
        }
    }
    assert!(refused > 0, "{line}: there was always enough");
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
    let vertices_and_faces = sheet(300, 0);
    let lines = vertices_and_faces
        .lines()
        .map(|line| match line.split_once(' ') {
            Some(("f", rest)) => format!("4 {rest}\n"),
            Some((_, rest)) => format!("{rest}\n"),
            None => String::new(),
        });
    let off: String = std::iter::once("OFF\n90000 89401 0\n".to_owned())
        .chain(lines)
        .collect();
    let folder = Folder::with(&[("sheet.obj", &sheet(300, 1)), ("sheet.off", &off)]);
    for line in ["info F/sheet.obj", "info F/sheet.off"] {
        let limits = [50_000, 60_000, 70_000, 80_000, 120_000, 160_000];
        never_aborts(&limits, &folder, line, "not enough memory");
    }
}

#[test]
fn a_scene_that_memory_does_not_hold_is_3() {
    let line = "build demo:soup?n=3000000 --out F/soup.estoc";
    let told = "not enough memory for demo:soup?n=3000000";
    never_aborts(&[400_000], &Folder::new(), line, told);
}

/// Every edge of a soup is open, so that all of them are listed.
#[test]
fn open_edges_that_memory_does_not_hold_are_3() {
    let limits = [90_000, 120_000, 150_000, 180_000, 210_000, 240_000, 300_000];
    let line = "info demo:soup?n=300000";
    never_aborts(&limits, &Folder::new(), line, "not enough memory");
}

#[test]
fn hits_that_memory_does_not_hold_are_3_or_fewer_at_a_time() {
    let equal = "f 1 2 3\n".repeat(75_000);
    let equal = format!("v -1 -1 0\nv 2 -1 0\nv -1 2 0\n{equal}");
    let rays = "0,0,1,0,0,-1\n".repeat(20);
    let rays = format!("ox,oy,oz,dx,dy,dz\n{rays}");
    let folder = Folder::with(&[("equal.obj", &equal), ("rays.csv", &rays)]);
    let line = "cast F/equal.obj --query all --rays F/rays.csv";
    let limits = [50_000, 80_000, 110_000];
    never_aborts(&limits, &folder, line, "not enough memory for ");
    // Reading and writing have threads of their own, each with address space for its heap.
    let output = limited(500_000, &folder, line);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let rows = output.stdout.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(rows, 1 + 20 * 75_000);
}

#[test]
fn a_tree_has_the_memory_that_it_is_given() {
    let build = |memory: &str| {
        let line = format!("build demo:sphere?n=100000 --out=- --memory {memory}");
        let output = crate::common::command()
            .args(line.split(' '))
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), output.stdout.len(), message)
    };
    let (status, bytes, message) = build("4M");
    assert_eq!((status, bytes), (Some(3), 0), "{message}");
    assert_has(&message, "but --memory allows 4.0 MiB; raise --memory to ");
    assert_eq!(build("1G").0, Some(0));
    // Without --layout, the layout that fits is chosen.
    for (memory, layout) in [("10MiB", "compact"), ("1G", "fast")] {
        let line = format!("info --json --memory {memory} demo:sphere?n=100000");
        assert_eq!(run(&line).ok_json()["bvh"]["layout"], layout);
    }
}

#[test]
fn input_has_no_more_bytes_than_it_may() {
    let folder = Folder::with(&[("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")]);
    folder.run("info --max-input=32 F/a.obj").ok();
    let told = folder.run("info --max-input=31 F/a.obj").fails(3);
    let expected = "estoc: F/a.obj: has more than 31 bytes, counted after decompression; raise the limit \
                    with --max-input\n";
    assert_eq!(told, expected);
    let much = folder.run("info --max-input=much F/a.obj");
    much.fails_with(2, "not a number of bytes such as");
}

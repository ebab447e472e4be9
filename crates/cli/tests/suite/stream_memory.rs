//! The memory of rays that are streamed does not depend on their number.

use crate::common::command;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;
use std::io::Write;
use std::process::Stdio;

/// How often the same rays are sent.
const TIMES: u64 = 100;

/// Returns the header of an array of `rays` rows of six `f32`s.
fn header(rays: u64) -> Vec<u8> {
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rays}, 6), }}");
    let mut header = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    header.extend_from_slice(text.as_bytes());
    header.resize(127, b' ');
    header.push(b'\n');
    header
}

/// Returns the most memory, in KiB, that a process has had so far.
fn most_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A hundredth of the rays is sent a hundred times: half a million in all, or 10^9 in the long mode
/// (`ESTOC_STREAMED` sets another number).
#[test]
fn memory_does_not_grow_with_the_number_of_rays() {
    let other = std::env::var("ESTOC_STREAMED")
        .ok()
        .map(|text| text.parse::<u64>().unwrap());
    let usual = if Effort::is_long() {
        1_000_000_000
    } else {
        500_000
    };
    let rays = other.unwrap_or(usual) / TIMES * TIMES;
    let mut random = Rng::new(4);
    let mut bytes = Vec::new();
    for _ in 0..rays / TIMES {
        for x in [random.signed(), random.signed(), 3.0, 0.0, 0.0, -1.0] {
            bytes.extend_from_slice(&x.to_le_bytes());
        }
    }
    let line =
        "cast demo:sphere?n=200 --rays=- --threads=2 --memory=4M --query any --out /dev/null";
    let mut child = command()
        .args(line.split(' '))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&header(rays)).unwrap();
    let mut most = Vec::new();
    for time in 1..=TIMES {
        stdin.write_all(&bytes).unwrap();
        if time == TIMES / 2 || time == TIMES {
            most.push(most_kib(child.id()));
        }
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    eprintln!("{rays} rays: {most:?} KiB after a half and at the end");
    assert!(most[1] < most[0] + (4 << 10), "{most:?} KiB");
}

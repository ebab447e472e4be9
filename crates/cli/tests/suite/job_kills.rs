//! `kill -9` at random moments of a job and of a merge: once the same command has ended by itself, the
//! folder has the same bytes as without kills.

use crate::common::{Jobs, command, journaled};
use crate::jobs::FORMATS;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The number of kills of each test.
fn kills() -> usize {
    if Effort::is_long() { 1_000 } else { 50 }
}

/// How a run ended.
enum End {
    /// It was killed when this many parts were finished.
    Killed(usize),
    ByItself,
}

/// Runs a command that works on a folder, and kills it at a random moment: after it finished another few
/// parts, or some time after it started, as always if there is no folder.
fn run_and_kill(mut command: Command, job: Option<&Path>, random: &mut Rng) -> End {
    let journaled = |job: Option<&Path>| job.map_or(0, journaled);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let more = match job.is_none() || random.one_in(4) {
        true => 0,
        false => journaled(job) + 1 + random.below(4),
    };
    let delay = Duration::from_micros(random.below(if more == 0 { 30_000 } else { 3_000 }) as u64);
    while journaled(job) < more && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(100));
    }
    let start = Instant::now();
    while start.elapsed() < delay && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(50));
    }
    // Fails if the run ended meanwhile.
    let _ = child.kill();
    let output = child.wait_with_output().unwrap();
    match output.status.code() {
        Some(0) => End::ByItself,
        None => End::Killed(journaled(job)),
        // Windows gives this status to what is killed; a job or a merge does not end with it.
        Some(1) if cfg!(windows) && output.stderr.is_empty() => End::Killed(journaled(job)),
        Some(status) => panic!("{status}: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// Returns the files of a folder, but for temporary ones that killed commands leave on Windows.
fn files(jobs: &Jobs, name: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = jobs.files(name);
    files.retain(|name, _| cfg!(unix) || !name.ends_with(".part"));
    files
}

/// Kills a command until it has been killed often enough and has then ended by itself, and compares what
/// it wrote each time that it ended.
fn kill_often(jobs: &Jobs, name: &str, whole: &str, start: &dyn Fn() -> Command, random: &mut Rng) {
    let job = jobs.path(name);
    let expected = jobs.files(whole);
    let (mut killed, mut in_the_middle) = (0, 0);
    while killed < kills() {
        match run_and_kill(start(), Some(&job), random) {
            End::Killed(parts) => {
                killed += 1;
                in_the_middle += usize::from(parts > 0);
            }
            End::ByItself => {
                assert_eq!(files(jobs, name), expected, "after {killed} kills");
                std::fs::remove_dir_all(&job).unwrap();
            }
        }
    }
    // Otherwise nothing was tested.
    assert!(
        in_the_middle * 3 > killed,
        "{in_the_middle} of {killed} kills hit work on parts"
    );
    let ended = start().stdout(Stdio::null()).status().unwrap();
    assert!(ended.success());
    assert_eq!(files(jobs, name), expected, "after {killed} kills");
    std::fs::remove_dir_all(&job).unwrap();
}

#[test]
fn a_killed_job_goes_on_with_the_same_bytes() {
    let jobs = Jobs::new(2000);
    for (seed, format) in FORMATS.iter().enumerate() {
        let mut random = Rng::named(seed as u64, "kills of jobs");
        let args = format!("--format {format} --part-rows 50 --threads 2 --resume");
        let whole = format!("whole-{format}");
        jobs.run(&whole, &args).ok();
        let start = || jobs.start("job", &args);
        kill_often(&jobs, "job", &whole, &start, &mut random);
    }
}

#[test]
fn a_killed_merge_goes_on_with_the_same_bytes() {
    let jobs = Jobs::new(2000);
    let args = "--part-rows 50 --query all";
    jobs.run("whole", args).ok();
    jobs.run("1-2", &format!("{args} --shard 1/2")).ok();
    jobs.run("2-2", &format!("{args} --shard 2/2")).ok();
    let mut random = Rng::named(0, "kills of merges");
    let start = |out: &str| {
        let mut command = command();
        let line = format!("merge F/1-2 F/2-2 {out}");
        command.args(jobs.folder.words(&line));
        command
    };
    let merge = || start("--resume --out-dir F/merged");
    kill_often(&jobs, "merged", "whole", &merge, &mut random);
    // One file appears whole or not at all.
    jobs.estoc("merge F/whole --out F/whole.csv").ok();
    let read = |name: &str| std::fs::read(jobs.path(name)).ok();
    let out = jobs.path("killed.csv");
    for _ in 0..kills() / 5 {
        let end = run_and_kill(start("--out F/killed.csv"), None, &mut random);
        if matches!(end, End::ByItself) || out.exists() {
            assert_eq!(read("killed.csv"), read("whole.csv"));
        }
        let _ = std::fs::remove_file(&out);
    }
}

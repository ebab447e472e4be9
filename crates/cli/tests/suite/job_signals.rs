//! Requests to terminate a job: it finishes its part, or stops at once at the second.

use crate::common::{Jobs, command, is_ignored, journaled, names, send};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const PART: usize = 50;

/// Starts a job in the folder `job` on rays from stdin.
fn start_reading(jobs: &Jobs, stdout: Stdio) -> Child {
    let line = format!("cast {} --rays - --part-rows 50 --out-dir F/job", jobs.mesh);
    command()
        .args(jobs.folder.words(&line))
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the job in a folder has finished its first part and works on the second.
fn wait_for_second_part(job: &std::path::Path, child: &mut Child) {
    let is_temporary = |name: &String| name.starts_with(".estoc-") && name.ends_with(".part");
    while journaled(job) < 1 || !names(job).iter().any(is_temporary) {
        assert_eq!(child.try_wait().unwrap(), None, "ended by itself");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The first line of stderr.
fn told(child: &mut Child) -> (String, BufReader<std::process::ChildStderr>) {
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    (line, stderr)
}

#[test]
fn the_first_signal_finishes_the_part_and_the_second_does_not() {
    for (name, status) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
        if is_ignored(name) {
            continue;
        }
        for is_second in [false, true] {
            let jobs = Jobs::new(3 * PART);
            let whole = jobs.run("whole", "--part-rows 50");
            assert_eq!(whole.status, 0);
            let job = jobs.path("job");
            let mut child = start_reading(&jobs, Stdio::piped());
            // One part and a half: the command waits for the rest of the second part.
            let text = jobs.folder.read("rays.csv");
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let (start, end) = lines.split_at(1 + PART * 3 / 2);
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(start.concat().as_bytes()).unwrap();
            stdin.flush().unwrap();
            wait_for_second_part(&job, &mut child);
            send(name, &child);
            let (line, mut stderr) = told(&mut child);
            let expected = "estoc: stopping after this part; a second signal stops at once\n";
            assert_eq!(line, expected);
            assert_eq!(child.try_wait().unwrap(), None);
            match is_second {
                true => send(name, &child),
                false => {
                    stdin.write_all(end.concat().as_bytes()).unwrap();
                    drop(stdin);
                }
            }
            assert_eq!(child.wait().unwrap().code(), Some(status));
            let mut rest = String::new();
            stderr.read_line(&mut rest).unwrap();
            let expected = format!(
                "estoc: interrupted; {} keeps the finished parts, and no run can go on, since its rays came \
                 from stdin or a pipe\n",
                job.display()
            );
            assert_eq!(rest, expected);
            let (files, whole) = (jobs.files("job"), jobs.files("whole"));
            let parts = if is_second { 1 } else { 2 };
            assert_eq!(files.len(), 3 + parts, "{:?}", files.keys());
            for part in 0..parts {
                let name = format!("part-0000000{part}.csv");
                assert_eq!(files[&name], whole[&name]);
            }
        }
    }
}

#[test]
fn a_job_that_was_terminated_goes_on() {
    if is_ignored("-TERM") {
        return;
    }
    let jobs = Jobs::new(3000);
    let args = "--part-rows 10 --threads 2 --resume --json";
    jobs.run("whole", args).ok();
    let mut stops = 0;
    while stops < 3 {
        let mut child = jobs
            .start("job", args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let more = journaled(&jobs.path("job")) + 2;
        while child.try_wait().unwrap().is_none() && journaled(&jobs.path("job")) < more {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status();
        let output = child.wait_with_output().unwrap();
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        match output.status.code() {
            Some(143) => {
                assert_eq!(object["error"]["status"], 143);
                let told = String::from_utf8(output.stderr).unwrap();
                let expected =
                    "keeps the finished parts, and the same command with --resume goes on\n";
                assert!(told.ends_with(expected), "{told}");
                stops += 1;
            }
            // Faster than the signal: once more.
            status => {
                assert_eq!(status, Some(0));
                assert_eq!(object["schema"], "estoc.job-summary/1");
                assert_eq!(jobs.files("job"), jobs.files("whole"));
                std::fs::remove_dir_all(jobs.path("job")).unwrap();
            }
        }
    }
    jobs.run("job", args).ok();
    assert_eq!(jobs.files("job"), jobs.files("whole"));
}

#[test]
fn the_second_run_on_a_folder_is_refused() {
    let jobs = Jobs::new(100);
    let job = jobs.path("job");
    let mut first = start_reading(&jobs, Stdio::null());
    let mut stdin = first.stdin.take().unwrap();
    let text = jobs.folder.read("rays.csv");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    stdin.write_all(lines[..61].concat().as_bytes()).unwrap();
    stdin.flush().unwrap();
    wait_for_second_part(&job, &mut first);
    let expected = "estoc: F/job: another run of estoc works in this folder; wait until it ends, or name \
                    another folder\n";
    for rest in ["--part-rows 50", "--resume"] {
        assert_eq!(jobs.run("job", rest).fails(3), expected);
    }
    let merge = jobs.estoc("merge F/job --out F/x.csv");
    assert_eq!(merge.fails(3), expected);
    // A kill ends the lock.
    first.kill().unwrap();
    first.wait().unwrap();
    let again = jobs.run("job", "--part-rows 50");
    again.fails_with(2, "a job was begun in this folder");
}

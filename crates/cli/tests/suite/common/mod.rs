//! Runs the command and keeps its output.

mod folder;
mod job_runs;

pub(crate) use folder::Folder;
pub(crate) use job_runs::{Jobs, journaled};

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Returns the command, to be run in the root of the repository.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estoc"));
    command.current_dir(root());
    command
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the command without input.
pub(crate) fn estoc(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ran {
    estoc_reading(args, b"")
}

/// Runs the command with these bytes on stdin.
pub(crate) fn estoc_reading(
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    input: &[u8],
) -> Ran {
    let mut child = command()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // The command may end without reading everything.
        scope.spawn(move || stdin.write_all(input).is_ok());
        child.wait_with_output().unwrap()
    });
    Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ran {
    /// Returns stdout, after checking that the command succeeded with nothing on stderr.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(
            (self.status, self.stderr.as_str()),
            (0, ""),
            "{}",
            self.stdout
        );
        self.stdout
    }

    /// Returns stderr, after checking that the command ended with this status and printed no
    /// result.
    #[track_caller]
    pub(crate) fn fails(self, status: i32) -> String {
        assert_eq!(
            (self.status, self.stdout.as_str()),
            (status, ""),
            "{}",
            self.stderr
        );
        self.stderr
    }
}

/// Returns the names in a folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Runs `estoc bench` with as little work as possible: three rounds of casting, enough for a
/// verdict, and two of building, which are not.
pub(crate) fn bench<'a>(meshes: &[&'a str], rest: &[&'a str]) -> Ran {
    let little = [
        "bench",
        "--seconds",
        "0.01",
        "--rounds",
        "3",
        "--build-rounds",
        "2",
    ];
    let args = little.iter().chain(["--count", "256"].iter());
    estoc(args.chain(meshes).chain(rest))
}

/// Returns whether a signal was ignored when these tests started, as by `nohup`: then the command
/// leaves it ignored, as it should, and the signal would not end it.
#[cfg(unix)]
pub(crate) fn is_ignored(signal: &str) -> bool {
    let number = match signal {
        "-HUP" => 1,
        "-INT" => 2,
        _ => 15,
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_ignored = mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1);
    if is_ignored {
        eprintln!("skipped: {signal} is ignored here");
    }
    is_ignored
}

//! Runs the command and keeps its output.

mod folder;
mod job_runs;

pub(crate) use folder::Folder;
pub(crate) use job_runs::{Jobs, journaled};

use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Child;
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

/// Runs a command line, in which spaces separate words, without input.
pub(crate) fn run(line: &str) -> Ran {
    run_reading(line, b"")
}

/// Runs a command line with these bytes on stdin.
pub(crate) fn run_reading(line: &str, input: &[u8]) -> Ran {
    estoc_reading(line.split_whitespace(), input)
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

    /// Checks that the command failed as in [`Self::fails`], with a message that contains `part`.
    #[track_caller]
    pub(crate) fn fails_with(self, status: i32, part: &str) {
        assert_has(&self.fails(status), part);
    }

    /// Returns stdout as JSON, after the checks of [`Self::ok`].
    #[track_caller]
    pub(crate) fn ok_json(self) -> Value {
        let text = self.ok();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Returns stdout as JSON, however the command ended.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }
}

#[track_caller]
pub(crate) fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "no {part:?} in {text}");
}

/// Asserts that a list of names is the one that `tests/data` keeps.
#[track_caller]
pub(crate) fn assert_kept(name: &str, found: &str) {
    let path = root().join("crates/cli/tests/data").join(name);
    if std::env::var_os("ESTOC_KEEP").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        found,
        "ESTOC_KEEP=1 writes the list anew; docs/compatibility.md says what may change"
    );
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

/// `estoc bench` with as little work as possible: three rounds of casting, enough for a verdict, and
/// two of building, which are not.
pub(crate) const BENCH: &str = "bench --seconds 0.01 --rounds 3 --build-rounds 2 --count 256";

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

/// Sends a signal to a command that runs.
#[cfg(unix)]
#[track_caller]
pub(crate) fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let killed = Command::new("kill").args([signal, &id]).status();
    assert!(killed.unwrap().success());
}

/// Makes a named pipe.
#[cfg(unix)]
#[track_caller]
pub(crate) fn make_pipe(path: impl AsRef<OsStr>) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Waits until a folder has `count` files, which a command that runs is making.
#[cfg(unix)]
#[track_caller]
pub(crate) fn wait_for_files(folder: &Path, count: usize, child: &mut Child) {
    while names(folder).len() < count {
        assert_eq!(child.try_wait().unwrap(), None, "ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

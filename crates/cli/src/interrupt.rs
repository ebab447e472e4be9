//! Interruptions: the work ends soon, and no half-written file remains.

use crate::stderr_line::stderr_line;
use estoc::CancelToken;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time that work which checks the token has to end by itself. Waiting for input, for example,
/// does not check it.
const GRACE: Duration = Duration::from_millis(500);

/// The exit status of an interrupted run: 128 plus the number of the signal, as in shells.
/// Initially that of Ctrl-C.
static STATUS: AtomicU8 = AtomicU8::new(130);

/// Whether the interruption was reported to the user.
static IS_TOLD: AtomicBool = AtomicBool::new(false);

/// Whether a file got its final name in this run.
static IS_WRITTEN: AtomicBool = AtomicBool::new(false);

/// The folder of a job, and whether another run can go on with it, once the run works on its parts.
static JOB: Mutex<Option<(PathBuf, bool)>> = Mutex::new(None);

/// Whether a job should stop after the part that it works on.
static STOPS: AtomicBool = AtomicBool::new(false);

/// The temporary files to remove when the run is interrupted.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the job, if the run works on the parts of one.
fn job() -> MutexGuard<'static, Option<(PathBuf, bool)>> {
    JOB.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a token that Ctrl-C, a request to terminate and a hang-up cancel, unless the process was
/// started with that signal ignored, as `nohup` does. Half a second later, work that continues
/// regardless is aborted. While the run works on the parts of a job, only the second signal does this;
/// see [`finish_parts`]. If the system does not allow handlers, the command still works, and
/// signals end it as they end any program. `out` is the file for the result.
pub(crate) fn token(out: Option<PathBuf>) -> CancelToken {
    let token = CancelToken::new();
    let raised = token.clone();
    signals::listen(move |status| {
        STATUS.store(status, Ordering::Relaxed);
        if job().is_some() && !STOPS.swap(true, Ordering::Relaxed) {
            stderr_line("stopping after this part; a second signal stops at once");
            return;
        }
        raised.cancel();
        std::thread::sleep(GRACE);
        // Hold the lock until the end, so that no file gets its final name meanwhile.
        let unfinished = unfinished();
        for path in unfinished.iter() {
            let _ = std::fs::remove_file(path);
        }
        let is_written = IS_WRITTEN.load(Ordering::Relaxed);
        tell(out.as_deref().filter(|_| !is_written));
        std::process::exit(status.into());
    });
    token
}

/// Returns the exit status of an interrupted run.
pub(crate) fn exit_status() -> u8 {
    STATUS.load(Ordering::Relaxed)
}

/// Lets the first signal from now on end the run only after the part of a job that it works on; the run
/// asks [`stops`] before each. `folder` is the folder of the job; `can_resume` tells whether another run can go
/// on with it.
pub(crate) fn finish_parts(folder: &Path, can_resume: bool) {
    *job() = Some((folder.to_owned(), can_resume));
}

/// Returns whether a job should stop now, between two parts.
pub(crate) fn stops() -> bool {
    STOPS.load(Ordering::Relaxed)
}

/// Reports, once, that the run was interrupted and that the file was not written.
pub(crate) fn tell(out: Option<&Path>) {
    if IS_TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    match out {
        _ if job().is_some() => {
            let (folder, can_resume) = job().clone().unwrap_or_default();
            let how = match can_resume {
                true => "the same command with --resume goes on",
                false => "no run can go on, since its rays came from stdin or a pipe",
            };
            let folder = folder.display();
            stderr_line(format_args!(
                "interrupted; {folder} keeps the finished parts, and {how}"
            ));
        }
        Some(out) => stderr_line(format_args!(
            "interrupted; {} was not written",
            out.display()
        )),
        None => stderr_line("interrupted"),
    }
}

/// Marks a file to be removed if the run is interrupted.
pub(crate) fn watch(path: &Path) {
    unfinished().push(path.to_owned());
}

/// A file that is removed if the run is interrupted before this is dropped.
pub(crate) struct Watched(Option<PathBuf>);

impl Watched {
    pub(crate) fn new(path: Option<PathBuf>) -> Self {
        if let Some(path) = &path {
            watch(path);
        }
        Watched(path)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            forget(path, || ());
        }
    }
}

/// Gives the file its final name; meanwhile no interruption can remove it.
pub(crate) fn finish<E>(path: &Path, rename: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    let done = forget(path, rename);
    IS_WRITTEN.fetch_or(done.is_ok(), Ordering::Relaxed);
    done
}

/// Renames or removes the file. Afterwards an interruption no longer removes it, since another
/// process may use its name.
pub(crate) fn forget<T>(path: &Path, end: impl FnOnce() -> T) -> T {
    let mut unfinished = unfinished();
    let done = end();
    unfinished.retain(|other| other != path);
    done
}

#[cfg(unix)]
mod signals {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Calls `end` with the exit status at each signal, in a separate thread.
    pub(super) fn listen(mut end: impl FnMut(u8) + Send + 'static) {
        // Catch and ignore this one, so that exceeding the limit on file sizes is a write error.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter();
        let wanted = wanted.filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let Ok(mut signals) = Signals::new(wanted) else {
            return;
        };
        let _ = crate::thread_start::start("signals", move || {
            for signal in signals.forever() {
                end(128 + signal as u8);
            }
        });
    }

    /// Returns the ignored signals as a bit mask; the lowest bit is signal 1.
    ///
    /// Linux reports them. On other systems only unsafe code could find them out, so a hang-up is
    /// assumed to be ignored and is not caught: it then ends the process at once, or not at all.
    fn ignored() -> u64 {
        let told = std::fs::read_to_string("/proc/self/status").ok();
        told.as_deref()
            .and_then(ignored_in)
            .unwrap_or(1 << (SIGHUP - 1))
    }

    /// Parses the line `SigIgn:` of a process's status on Linux.
    fn ignored_in(status: &str) -> Option<u64> {
        let mut lines = status.lines();
        let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }

    #[test]
    fn ignored_signals_are_read_from_the_status() {
        let status = "Name:\testoc\nSigBlk:\t0000000000000003\nSigIgn:\t0000000000001001\n";
        assert_eq!(ignored_in(status), Some(1 << 12 | 1));
        assert_eq!(ignored_in("Name:\tSigIgn\n"), None);
    }
}

#[cfg(windows)]
mod signals {
    /// Calls `end` with the exit status at each Ctrl-C, in a separate thread.
    pub(super) fn listen(mut end: impl FnMut(u8) + Send + 'static) {
        let _ = ctrlc::set_handler(move || end(130));
    }
}

#[cfg(not(any(unix, windows)))]
mod signals {
    /// Does nothing: there are no signals.
    pub(super) fn listen(_: impl FnMut(u8) + Send + 'static) {}
}

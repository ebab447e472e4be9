//! Ctrl-C: work ends soon, and no half-written file stays behind.

use estoc::CancelToken;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What shells take for ended by Ctrl-C.
pub(crate) const EXIT_STATUS: u8 = 130;

/// How long work that watches the token has to end by itself. Waiting for input, for
/// example, does not watch it.
const GRACE: Duration = Duration::from_millis(500);

/// The temporary files that must not outlive an interrupted run.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A token that Ctrl-C and a request to terminate raise. Where the system lets nobody listen
/// for them the command still works, and they end it as they end any other.
pub(crate) fn token() -> CancelToken {
    let token = CancelToken::new();
    let raised = token.clone();
    let _ = ctrlc::set_handler(move || {
        raised.cancel();
        std::thread::sleep(GRACE);
        // The lock is kept until the end, so that no file gets its name meanwhile.
        let unfinished = unfinished();
        for path in unfinished.iter() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(EXIT_STATUS.into());
    });
    token
}

/// Removes this file when the run is interrupted.
pub(crate) fn watch(path: &Path) {
    unfinished().push(path.to_owned());
}

/// Gives the file its final name while no interruption can remove it.
pub(crate) fn finish<T>(path: &Path, rename: impl FnOnce() -> T) -> T {
    let mut unfinished = unfinished();
    let done = rename();
    unfinished.retain(|other| other != path);
    done
}

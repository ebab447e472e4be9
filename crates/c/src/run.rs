//! How work runs that takes long: threads, progress, and its end before it is done.

use crate::call::Call;
use crate::status::{Failure, estoc_status};
use estoc_batch::Batch;
use estoc_core::{CancelToken, Progress};
use estoc_system::{MAX_THREADS, parallel};
use std::ffi::c_void;
use std::sync::{Mutex, OnceLock};

/// Called with the number of units that are done, and the number of all, or 0 where it is not known; returns 1 to go
/// on, and 0 to end the work, which then fails with `ESTOC_CANCELLED`. It is called from any thread, but never twice
/// at a time. It must not throw or jump out, nor change a scene.
pub type estoc_progress =
    Option<unsafe extern "C" fn(user: *mut c_void, done: u64, total: u64) -> i32>;

/// How work runs. All zeros, or a null pointer in its place, are the usual way.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_run {
    /// The number of threads: 0 for those that the library keeps (`RAYON_NUM_THREADS` in the environment, else one
    /// for each core), else as many that are started for this call, at most 1,024; 1 for questions is the calling
    /// thread alone. The answers do not depend on it.
    pub threads: u32,
    /// The largest number of answers in all lists of a call; more are `ESTOC_TOO_MANY`. 0 for no limit.
    pub max_values: u64,
    /// Told the progress; may be null.
    pub progress: estoc_progress,
    /// Passed to `progress`.
    pub user: *mut c_void,
}

/// A callback of the host with what it passes to it, which any thread may call.
#[derive(Clone, Copy)]
pub(crate) struct Callback<'a, F> {
    pub(crate) call: &'a Call,
    pub(crate) function: F,
    pub(crate) user: *mut c_void,
}

// SAFETY: `estoc.h` tells the host from which threads its callbacks are called, and `user` is only passed to them.
unsafe impl<F: Sync> Sync for Callback<'_, F> {}
// SAFETY: as above.
unsafe impl<F: Send> Send for Callback<'_, F> {}

/// How a call runs.
pub(crate) struct Run<'a> {
    pub(crate) threads: usize,
    pub(crate) max_values: usize,
    progress: Option<Callback<'a, unsafe extern "C" fn(*mut c_void, u64, u64) -> i32>>,
    /// Held while the progress is told.
    telling: Mutex<()>,
    /// Raised when the host ends the work.
    pub(crate) cancel: CancelToken,
}

impl<'a> Run<'a> {
    /// Takes how a call runs. Starts the library's threads, unless it runs in that of the caller.
    pub(crate) fn of(run: Option<&estoc_run>, call: &'a Call) -> Result<Self, Failure> {
        let found = Run {
            threads: run.map_or(0, |run| run.threads as usize),
            max_values: run.map_or(0, |run| usize::try_from(run.max_values).unwrap_or(0)),
            progress: run.and_then(|run| {
                let (function, user) = (run.progress?, run.user);
                Some(Callback {
                    call,
                    function,
                    user,
                })
            }),
            telling: Mutex::new(()),
            cancel: CancelToken::new(),
        };
        if found.threads != 1 {
            start_threads()?;
        }
        Ok(found)
    }

    /// Returns what tells the host the progress, beginning with a number of units.
    pub(crate) fn reporter(&self) -> impl Fn(Progress) + Sync {
        |progress| self.report(progress.done, progress.total.unwrap_or(0))
    }

    /// Tells the host the progress, unless it is just being told.
    pub(crate) fn report(&self, done: u64, total: u64) {
        let (Some(progress), Ok(_telling)) = (&self.progress, self.telling.try_lock()) else {
            return;
        };
        if self.cancel.is_cancelled() {
            return;
        }
        // SAFETY: the host passed the function with this argument for it, and no other thread is calling it.
        let goes_on = progress
            .call
            .back(|| unsafe { (progress.function)(progress.user, done, total) });
        if goes_on == 0 {
            self.cancel.cancel();
        }
    }

    /// Returns whether the host is told the progress.
    pub(crate) fn is_watched(&self) -> bool {
        self.progress.is_some()
    }

    /// Does work in the threads of the call.
    pub(crate) fn in_threads<T: Send>(
        &self,
        work: impl FnOnce() -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        let done = match self.threads.min(MAX_THREADS) {
            0 => work(),
            threads => parallel::new_pool(threads)
                .map_err(no_threads)?
                .install(work),
        };
        self.check().and(done)
    }

    /// Fails if the host has ended the work, also when that came too late to save any.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.cancel.is_cancelled() {
            true => Err(Failure::new(
                estoc_status::ESTOC_CANCELLED,
                "the callback for the progress ended the work",
            )),
            false => Ok(()),
        }
    }

    /// Returns a batch that runs so, with what tells its progress.
    pub(crate) fn batch<'b, I: Copy>(
        &'b self,
        report: &'b (dyn Fn(Progress) + Sync),
    ) -> Batch<'b, I> {
        let mut batch = Batch::new().threads(self.threads);
        if self.progress.is_some() {
            batch = batch.cancel(&self.cancel).progress(report);
        }
        match self.max_values {
            0 => batch,
            most => batch.max_hits(most),
        }
    }
}

#[cold]
pub(crate) fn no_threads(error: String) -> Failure {
    let sentence = format!("the threads cannot be started: {error}; set fewer in estoc_run");
    Failure::new(estoc_status::ESTOC_NO_THREADS, sentence)
}

/// Starts the threads that calls share, if they are not running. They have the mode of this call, which is the
/// default one.
fn start_threads() -> Result<(), Failure> {
    static STARTED: OnceLock<Result<(), String>> = OnceLock::new();
    STARTED
        .get_or_init(parallel::start)
        .clone()
        .map_err(no_threads)
}

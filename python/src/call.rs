//! Runs work without the interpreter's lock, while the calling thread waits for signals.

use crate::failure::Failure;
use crate::pool;
use estoc::{CancelToken, Progress};
use estoc_system::FloatMode;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// How often the calling thread looks for signals and reports progress.
const INTERVAL: Duration = Duration::from_millis(50);

/// What work in a pool knows of the call that it belongs to.
#[derive(Default)]
pub(crate) struct Call {
    /// Raised when the calling thread wants the work to end.
    pub(crate) cancel: CancelToken,
    /// The number of units that are done.
    done: AtomicU64,
    /// The number of all units; 0 where it is not known yet.
    total: AtomicU64,
}

impl Call {
    /// Sets the progress.
    pub(crate) fn report(&self, done: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// Returns what sets the progress that the library tells.
    pub(crate) fn reporter(&self) -> impl Fn(Progress) + Sync {
        |progress| self.report(progress.done, progress.total.unwrap_or(0))
    }

    /// Fails if the calling thread wants the work to end.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.cancel.is_cancelled() {
            true => Err(Failure::Cancelled),
            false => Ok(()),
        }
    }
}

/// The most items that are asked about where the call is made: waking a thread takes longer than their answers,
/// and a signal has not long to wait.
const FEW: usize = 16;

/// Runs work about some items, each of which takes little time: where it is called if they are few, in which
/// case batches do not use the threads of a pool; else as [`run`] does.
pub(crate) fn run_for<T: Send>(
    py: Python<'_>,
    (items, threads): (usize, usize),
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Call) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    if items > FEW || progress.is_some() {
        return run(py, threads, progress, work);
    }
    let done = py.detach(|| FloatMode::DEFAULT.run(|_| work(&Call::default())));
    done.map_err(|failure| failure.raise(py))
}

/// Runs work in a pool of `threads` threads that no other call uses meanwhile. The calling thread waits, without the interpreter's lock;
/// it takes it from time to time to let handlers of signals run, and to call `progress` with the number
/// of units done and their total. An exception that either raises cancels the work, and is returned.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Call) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let progress = progress.map(|progress| progress.clone().unbind());
    let (call, mut result) = (Call::default(), None);
    // Libraries built with -ffast-math may have set another floating-point mode, which threads of the pool would have.
    let compute = |_| {
        let pool = pool::lend(threads)?;
        // The sender is dropped when the work has ended, also by a panic.
        let (at_work, end) = mpsc::channel::<()>();
        let (call, result) = (&call, &mut result);
        let interrupted = pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                let _at_work = at_work;
                *result = Some(work(call));
            });
            watch(call, &end, progress.as_ref())
        });
        Ok(interrupted)
    };
    let interrupted = py.detach(|| FloatMode::DEFAULT.run(compute));
    match (
        interrupted.map_err(|failure: Failure| failure.raise(py))?,
        result,
    ) {
        (Some(error), _) => Err(error),
        (None, Some(result)) => result.map_err(|failure| failure.raise(py)),
        (None, None) => Err(Failure::Cancelled.raise(py)),
    }
}

/// Waits for the end of the work. Returns the exception for which it was cancelled, if any.
fn watch(call: &Call, end: &Receiver<()>, progress: Option<&Py<PyAny>>) -> Option<PyErr> {
    let mut reported = None;
    loop {
        let has_ended = end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Disconnected);
        let now = (
            call.done.load(Ordering::Relaxed),
            call.total.load(Ordering::Relaxed),
        );
        let news = progress.filter(|_| now.1 > 0 && reported != Some(now));
        if has_ended && news.is_none() {
            return None;
        }
        let heard = Python::attach(|py| {
            if let Some(progress) = news {
                progress.call1(py, now)?;
            }
            py.check_signals()
        });
        reported = Some(now);
        match heard {
            Err(error) => {
                call.cancel.cancel();
                // An error: nothing is sent.
                let _ended = end.recv();
                return Some(error);
            }
            Ok(()) if has_ended => return None,
            Ok(()) => {}
        }
    }
}

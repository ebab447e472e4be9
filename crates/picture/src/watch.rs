//! Cancellation and progress of work.

use estoc::{CancelToken, Progress};
use std::sync::{Mutex, PoisonError};

/// The number of items, such as triangles, between checks for cancellation in work that takes nanoseconds
/// for each.
pub(crate) const CHECKED: usize = 1 << 14;

/// The error of cancelled work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkCancelled;

/// What cancels work, and what is told its progress.
#[derive(Clone, Copy, Default)]
pub(crate) struct WorkWatch<'a> {
    pub(crate) cancel: Option<&'a CancelToken>,
    pub(crate) progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl<'a> WorkWatch<'a> {
    pub(crate) fn is_cancelled(self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }

    /// Returns [`WorkCancelled`] if the work was cancelled.
    pub(crate) fn check(self) -> Result<(), WorkCancelled> {
        match self.is_cancelled() {
            true => Err(WorkCancelled),
            false => Ok(()),
        }
    }

    /// Tells that none of `count` steps is done.
    pub(crate) fn steps(self, count: usize) -> ProgressSteps<'a> {
        let steps = ProgressSteps {
            progress: self.progress,
            done: Mutex::new(0),
            count: count as u64,
        };
        if let Some(progress) = steps.progress {
            progress(Progress::new(0, steps.count));
        }
        steps
    }
}

/// Steps of work that threads share.
pub(crate) struct ProgressSteps<'a> {
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    done: Mutex<u64>,
    count: u64,
}

impl ProgressSteps<'_> {
    /// Tells that one more step is done. Other threads wait meanwhile, so that numbers are told in order.
    pub(crate) fn add_one(&self) {
        if let Some(progress) = self.progress {
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            *done += 1;
            progress(Progress::new(*done, self.count));
        }
    }
}

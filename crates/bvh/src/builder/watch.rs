//! Who may stop a build, and who is told how far it is.

use estoc_core::{CancelToken, Progress};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Called with the number of triangles that are done.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) + Sync);

/// A build was cancelled.
#[derive(Clone, Copy, Debug)]
pub struct Cancelled;

/// What a build is made of, by what each takes of the time.
#[derive(Clone, Copy, Debug)]
pub enum Phase {
    /// Triangles were read.
    Read = 1,
    /// Groups of triangles became binary nodes.
    Split = 10,
    /// It was decided which binary nodes become wide ones.
    Plan = 2,
    /// Triangles were written to leaves.
    Fill = 3,
}

const WHOLE: u64 =
    Phase::Read as u64 + Phase::Split as u64 + Phase::Plan as u64 + Phase::Fill as u64;

/// Looks for the cancelling token, and tells the progress.
pub struct Watch<'a> {
    cancel: Option<&'a CancelToken>,
    progress: Option<OnProgress<'a>>,
    /// How many triangles there are.
    total: u64,
    /// Triangles times phases.
    done: AtomicU64,
    /// What was told last, so that it never falls.
    told: Mutex<usize>,
}

impl<'a> Watch<'a> {
    /// Calls `progress` for `total` triangles.
    pub fn new(
        cancel: Option<&'a CancelToken>,
        progress: Option<OnProgress<'a>>,
        total: usize,
    ) -> Self {
        Watch {
            cancel,
            progress,
            total: total as u64,
            done: AtomicU64::new(0),
            told: Mutex::new(0),
        }
    }

    /// The same token, and nobody to tell.
    pub(crate) fn silent(&self) -> Self {
        Watch::new(self.cancel, None, 0)
    }

    /// Fails once the token is raised. Costs next to nothing; to be asked before every piece
    /// of work that takes more than a fraction of a millisecond.
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        match self.cancel.is_some_and(CancelToken::is_cancelled) {
            true => Err(Cancelled),
            false => Ok(()),
        }
    }

    /// So many triangles have passed a phase.
    pub(crate) fn done(&self, phase: Phase, triangles: usize) {
        let Some(progress) = self.progress else {
            return;
        };
        let work = phase as u64 * triangles as u64;
        self.done.fetch_add(work, Ordering::Relaxed);
        // Whoever finds another thread telling goes on: that, or the next, tells for both.
        // Waiting could be for ever, where the one told takes up work of this very build.
        let Ok(mut told) = self.told.try_lock() else {
            return;
        };
        let now = (self.done.load(Ordering::Relaxed) / WHOLE) as usize;
        if now > *told {
            *told = now;
            progress(Progress::new(now as u64, self.total));
        }
    }

    /// All triangles have passed all phases, and no other thread is at work.
    pub(crate) fn finish(&self, triangles: usize) {
        if let (Some(progress), Ok(told)) = (self.progress, self.told.lock())
            && *told < triangles
        {
            progress(Progress::new(triangles as u64, self.total));
        }
    }
}

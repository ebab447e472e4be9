//! Cancellation and progress of a build.

use estoc_core::{CancelToken, Progress};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A callback for the number of finished triangles.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) + Sync);

/// The error of a cancelled build.
#[derive(Clone, Copy, Debug)]
pub struct Cancelled;

/// The phases of a build; each value is the phase's share of the time.
#[derive(Clone, Copy, Debug)]
pub enum Phase {
    /// Reading triangles.
    Read = 1,
    /// Splitting groups of triangles into binary nodes.
    Split = 10,
    /// Deciding which binary nodes become wide ones.
    Plan = 2,
    /// Writing triangles to leaves.
    Fill = 3,
}

const WHOLE: u64 =
    Phase::Read as u64 + Phase::Split as u64 + Phase::Plan as u64 + Phase::Fill as u64;

/// Checks the cancel token, and reports progress.
pub struct BuildWatch<'a> {
    cancel: Option<&'a CancelToken>,
    progress: Option<OnProgress<'a>>,
    /// The number of triangles.
    total: u64,
    /// The sum over phases of their weight times the triangles that passed them.
    done: AtomicU64,
    /// The number reported last, so that it never decreases.
    told: Mutex<usize>,
}

impl<'a> BuildWatch<'a> {
    /// Reports to `progress`, for `total` triangles.
    pub fn new(
        cancel: Option<&'a CancelToken>,
        progress: Option<OnProgress<'a>>,
        total: usize,
    ) -> Self {
        BuildWatch {
            cancel,
            progress,
            total: total as u64,
            done: AtomicU64::new(0),
            told: Mutex::new(0),
        }
    }

    /// Returns a watch with the same token that reports nothing.
    pub(crate) fn silent(&self) -> Self {
        BuildWatch::new(self.cancel, None, 0)
    }

    /// Fails once the token is raised. Costs next to nothing; to be called before every piece of
    /// work that takes more than a fraction of a millisecond.
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        match self.cancel.is_some_and(CancelToken::is_cancelled) {
            true => Err(Cancelled),
            false => Ok(()),
        }
    }

    /// Records that `triangles` triangles have passed a phase.
    pub(crate) fn done(&self, phase: Phase, triangles: usize) {
        let Some(progress) = self.progress else {
            return;
        };
        let work = phase as u64 * triangles as u64;
        self.done.fetch_add(work, Ordering::Relaxed);
        // If another thread is reporting, go on: it, or the next report, includes this work.
        // Waiting could deadlock if the callback takes up work of this build.
        let Ok(mut told) = self.told.try_lock() else {
            return;
        };
        let now = (self.done.load(Ordering::Relaxed) / WHOLE) as usize;
        if now > *told {
            *told = now;
            progress(Progress::new(now as u64, self.total));
        }
    }

    /// Reports completion. All triangles have passed all phases, and no other thread is at work.
    pub(crate) fn finish(&self, triangles: usize) {
        if let (Some(progress), Ok(told)) = (self.progress, self.told.lock())
            && *told < triangles
        {
            progress(Progress::new(triangles as u64, self.total));
        }
    }
}

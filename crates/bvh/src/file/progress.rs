//! Progress and cancellation of reading or writing.

use super::tree_file_error::TreeFileError;
use estoc_core::{CancelToken, Progress};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A callback that takes the bytes done and their total.
pub type OnProgress<'a> = dyn Fn(Progress) + Sync + 'a;

/// The reading or writing of a file.
pub struct FileWork<'a> {
    pub(super) file: &'a str,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a OnProgress<'a>>,
    total: u64,
    done: AtomicU64,
    /// The number reported last, so that the progress never decreases.
    told: Mutex<u64>,
}

impl<'a> FileWork<'a> {
    pub fn new(
        file: &'a str,
        cancel: Option<&'a CancelToken>,
        progress: Option<&'a OnProgress<'a>>,
        total: u64,
    ) -> Self {
        FileWork {
            file,
            cancel,
            progress,
            total,
            done: AtomicU64::new(0),
            told: Mutex::new(0),
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }

    pub(super) fn check(&self) -> Result<(), TreeFileError> {
        match self.is_cancelled() {
            false => Ok(()),
            true => Err(TreeFileError::Cancelled {
                file: self.file.to_owned(),
            }),
        }
    }

    /// Adds `bytes` to the bytes done. Reports from one thread at a time, in ascending order.
    pub(super) fn done(&self, bytes: usize) {
        let Some(progress) = self.progress.filter(|_| bytes > 0) else {
            return;
        };
        self.done.fetch_add(bytes as u64, Ordering::Relaxed);
        // If another thread is reporting, that report or the next one covers both. Waiting could
        // deadlock: the callback of the other thread may take up another block of this file.
        let Ok(mut told) = self.told.try_lock() else {
            return;
        };
        let now = self.done.load(Ordering::Relaxed);
        if now > *told {
            *told = now;
            progress(Progress::new(now, self.total));
        }
    }

    /// Reports that all bytes are done; no other thread may be at work.
    pub(super) fn finish(&self) {
        if let (Some(progress), Ok(told)) = (self.progress, self.told.lock())
            && *told < self.total
        {
            progress(Progress::new(self.total, self.total));
        }
    }

    pub(super) fn io(&self, done: &'static str, source: std::io::Error) -> TreeFileError {
        TreeFileError::Io {
            file: self.file.to_owned(),
            done,
            source,
        }
    }
}

//! Cancelling long work.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};

/// A flag with which one thread cancels long work in others.
///
/// Clones share the flag. Work that sees it set ends soon, with an error that says so, and keeps no
/// partial result.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Returns a flag that is not set.
    pub fn new() -> Self {
        CancelToken::default()
    }

    /// Sets the flag permanently.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the flag is set.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

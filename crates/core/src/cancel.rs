//! Stopping long work.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};

/// A flag that one thread raises and long work in others looks at now and then.
///
/// Clones share the flag. Work that sees it raised ends soon, with an error that says so,
/// and keeps nothing half done.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A flag that is down.
    pub fn new() -> Self {
        CancelToken::default()
    }

    /// Raises the flag, for good.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag was raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

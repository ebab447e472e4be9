//! Whether stdout has a complete result, so that nothing else may be printed there.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_DONE: AtomicBool = AtomicBool::new(false);

pub(crate) fn set_done() {
    IS_DONE.store(true, Ordering::Relaxed);
}

pub(crate) fn is_done() -> bool {
    IS_DONE.load(Ordering::Relaxed)
}

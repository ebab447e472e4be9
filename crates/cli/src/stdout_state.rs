//! Whether stdout has a whole result, beside which nothing else belongs there.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_DONE: AtomicBool = AtomicBool::new(false);

pub(crate) fn set_done() {
    IS_DONE.store(true, Ordering::Relaxed);
}

pub(crate) fn is_done() -> bool {
    IS_DONE.load(Ordering::Relaxed)
}

//! The floating-point mode of the host.

use crate::scoped::scoped;
use estoc_system::FloatMode;
use std::cell::Cell;

thread_local! {
    /// The mode in which callbacks run on this thread.
    static HOST: Cell<FloatMode> = const { Cell::new(FloatMode::DEFAULT) };
}

/// Returns the mode in which callbacks run on this thread.
pub fn of_callbacks() -> FloatMode {
    HOST.get()
}

/// Runs work whose callbacks run in a mode of the host.
#[inline(always)]
pub fn with_callbacks_in<T>(host: FloatMode, work: impl FnOnce() -> T) -> T {
    match host == HOST.get() {
        true => work(),
        false => scoped(&HOST, host, work),
    }
}

/// Runs a callback in the mode of the host.
#[inline(always)]
pub fn callback<T>(work: impl FnOnce() -> T) -> T {
    HOST.get().run_foreign(work)
}

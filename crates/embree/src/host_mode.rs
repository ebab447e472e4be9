//! The floating-point mode of the host.

use estoc_system::FloatMode;
use std::cell::Cell;

thread_local! {
    /// The mode in which callbacks run on this thread.
    static HOST: Cell<FloatMode> = const { Cell::new(FloatMode::DEFAULT) };
}

/// Runs work whose callbacks run in a mode of the host.
#[inline(always)]
pub(crate) fn with_callbacks_in<T>(host: FloatMode, work: impl FnOnce() -> T) -> T {
    if host == FloatMode::DEFAULT && HOST.get() == host {
        return work();
    }
    let outer = HOST.replace(host);
    let done = work();
    HOST.set(outer);
    done
}

/// Runs a callback in the mode of the host.
#[inline(always)]
pub(crate) fn callback<T>(work: impl FnOnce() -> T) -> T {
    HOST.get().run(|_| work())
}

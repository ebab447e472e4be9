//! The floating-point mode of the host.

use estoc_system::FloatMode;
use std::cell::Cell;

thread_local! {
    /// The floating-point mode of the host in the call that runs on this thread.
    static HOST: Cell<FloatMode> = const { Cell::new(FloatMode::DEFAULT) };
}

/// Runs a call of the host in the default mode.
#[inline(always)]
pub(crate) fn in_default_mode<T>(work: impl FnOnce() -> T) -> T {
    let host = FloatMode::current();
    match host == FloatMode::DEFAULT {
        true => work(),
        false => from_other_mode(host, work),
    }
}

#[cold]
fn from_other_mode<T>(host: FloatMode, work: impl FnOnce() -> T) -> T {
    let outer = HOST.replace(host);
    let done = FloatMode::DEFAULT.run(work);
    HOST.set(outer);
    done
}

/// Runs a callback in the floating-point mode of the host.
#[inline(always)]
pub(crate) fn callback<T>(work: impl FnOnce() -> T) -> T {
    let host = HOST.get();
    HOST.set(FloatMode::DEFAULT);
    let done = host.run(work);
    HOST.set(host);
    done
}

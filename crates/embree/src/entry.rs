//! How every call of the host runs.

use crate::abi::error;
use crate::device::Device;
use crate::failure::{Failure, report};
use estoc_system::FloatMode;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The floating-point mode of the host in the call that runs on this thread.
    static HOST: Cell<FloatMode> = const { Cell::new(FloatMode::DEFAULT) };
}

/// Runs a call in the default floating-point mode. A failure is reported to the device, and `on_failure` is returned; so is
/// a panic, which would be a defect of this library.
#[inline(always)]
pub(crate) fn call<T>(
    device: Option<&Device>,
    on_failure: T,
    work: impl FnOnce() -> Result<T, Failure>,
) -> T {
    let host = FloatMode::current();
    let work = || catch_unwind(AssertUnwindSafe(work));
    let done = match host == FloatMode::DEFAULT {
        true => work(),
        false => in_default_mode(host, work),
    };
    let failure = match done {
        Ok(Ok(done)) => return done,
        Ok(Err(failure)) => failure,
        Err(panic) => of_panic(&*panic),
    };
    report(device, failure);
    on_failure
}

#[cold]
fn of_panic(panic: &dyn std::any::Any) -> Failure {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or(panic.downcast_ref::<&str>().copied());
    Failure {
        code: error::UNKNOWN,
        message: format!("a defect of estoc: {}", message.unwrap_or("unknown panic")),
    }
}

#[cold]
fn in_default_mode<T>(host: FloatMode, work: impl FnOnce() -> T) -> T {
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

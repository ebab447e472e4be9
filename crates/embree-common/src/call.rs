//! How every call of the host runs.

use crate::abi::error;
use crate::device::{Device, report};
use crate::failure::Failure;
use crate::host_mode::with_callbacks_in;
use estoc_system::FloatMode;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Defines functions that the library exports. The function for errors of the host may throw through them.
#[macro_export]
macro_rules! exports {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $answer:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name($($argument: $type),*) $(-> $answer)? $body
    )*};
}

/// Runs a call in the default floating-point mode. A failure is reported to the device, and `on_failure` is returned; so is
/// a panic, which would be a defect of this library.
pub fn call<T>(
    device: Option<&Device>,
    on_failure: T,
    work: impl FnOnce() -> Result<T, Failure>,
) -> T {
    let with = |host| with_callbacks_in(host, work);
    query(|| device, on_failure, with)
}

/// Does the same for a query, which gets the mode of the host: one without callbacks need not store it.
#[inline(always)]
pub fn query<'a, T>(
    device: impl FnOnce() -> Option<&'a Device>,
    on_failure: T,
    work: impl FnOnce(FloatMode) -> Result<T, Failure>,
) -> T {
    let work = |host| catch_unwind(AssertUnwindSafe(|| work(host)));
    let failure = match FloatMode::DEFAULT.run(work) {
        Ok(Ok(done)) => return done,
        Ok(Err(failure)) => failure,
        Err(panic) => of_panic(&*panic),
    };
    // In the mode of the host, in which its function is called; it may throw.
    report(device(), failure);
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

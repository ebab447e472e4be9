//! What surrounds the work of every function: the floating-point mode, panics, and the status.

use crate::handles::{self, Held};
use crate::last_error;
use crate::status::{Failure, estoc_status};
use estoc_mesh::parts::without_error_numbers;
use estoc_system::FloatMode;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A call of a function by the host program.
pub struct Call {
    /// The host's floating-point mode, in which its callbacks run.
    pub(crate) host: FloatMode,
}

/// Runs the work of a function in the default floating-point mode, and returns its status. A panic ends the work
/// only.
#[inline(always)]
pub fn call(work: impl FnOnce(&Call) -> Result<(), Failure>) -> estoc_status {
    let work = |host| catch_unwind(AssertUnwindSafe(|| work(&Call { host })));
    let done = FloatMode::DEFAULT.run(work);
    match done {
        Ok(Ok(())) => estoc_status::ESTOC_OK,
        Ok(Err(failure)) => failed(&failure),
        Err(panic) => {
            let owned = panic.downcast_ref::<String>().map(String::as_str);
            let text = panic
                .downcast_ref::<&str>()
                .copied()
                .or(owned)
                .unwrap_or("no message");
            let sentence = format!("a fault of estoc, please report it: {text}");
            failed(&Failure::new(estoc_status::ESTOC_FAULT, sentence))
        }
    }
}

#[cold]
fn failed(failure: &Failure) -> estoc_status {
    last_error::set(&without_error_numbers(&failure.sentence));
    failure.status
}

impl Call {
    /// Returns the object of a handle, which the host does not release before the call returns.
    #[inline(always)]
    #[expect(
        clippy::not_unsafe_ptr_arg_deref,
        reason = "a handle is a number of a table, where it is looked up"
    )]
    pub fn get<T: Held>(&self, handle: *const T::Handle) -> Result<&T, Failure> {
        // SAFETY: the reference does not outlive the call, in which the host does not release the last reference to
        // an object that the call was given: `estoc.h` requires it of every function.
        unsafe { handles::get(handle) }
    }

    /// Runs a callback in the mode of the host.
    #[inline(always)]
    pub(crate) fn back<T>(&self, callback: impl FnOnce() -> T) -> T {
        self.host.run_foreign(callback)
    }
}

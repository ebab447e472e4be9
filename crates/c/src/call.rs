//! What surrounds the work of every function: the floating-point mode, panics, and the status.

use crate::handles::{self, Held};
use crate::last_error;
use crate::status::{Failure, estoc_status};
use estoc_mesh::parts::without_error_numbers;
use estoc_system::FloatMode;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A call of a function by the host program.
pub(crate) struct Call {
    /// The host's floating-point mode, in which its callbacks run.
    pub(crate) host: FloatMode,
}

/// Runs the work of a function in the default floating-point mode, and returns its status. A panic ends the work only.
#[inline(always)]
pub(crate) fn call(work: impl FnOnce(&Call) -> Result<(), Failure>) -> estoc_status {
    let call = Call {
        host: FloatMode::current(),
    };
    let done = FloatMode::DEFAULT.run(|| catch_unwind(AssertUnwindSafe(|| work(&call))));
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
    pub(crate) fn get<T: Held>(&self, handle: *const T::Handle) -> Result<&T, Failure> {
        handles::get(self, handle)
    }

    /// Runs a callback in the mode of the host.
    #[inline(always)]
    pub(crate) fn back<T>(&self, callback: impl FnOnce() -> T) -> T {
        self.host.run(callback)
    }
}

/// Returns what is given; a failure for a null pointer, which has this name.
#[inline(always)]
pub(crate) fn given<'a, T>(pointer: Option<&'a T>, name: &str) -> Result<&'a T, Failure> {
    pointer.ok_or_else(|| null(name))
}

/// Returns where an answer is written; a failure for a null pointer, which has this name.
#[inline(always)]
pub(crate) fn room<'a, T>(
    pointer: Option<&'a mut MaybeUninit<T>>,
    name: &str,
) -> Result<&'a mut MaybeUninit<T>, Failure> {
    pointer.ok_or_else(|| null(name))
}

#[cold]
pub(crate) fn null(name: &str) -> Failure {
    let sentence = format!("{name} is a null pointer; the function needs it");
    Failure::new(estoc_status::ESTOC_NULL, sentence)
}

/// Returns the failure of an argument.
#[cold]
pub(crate) fn bad(sentence: String) -> Failure {
    Failure::new(estoc_status::ESTOC_BAD_ARGUMENT, sentence)
}

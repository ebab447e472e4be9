//! Errors as Embree has them: a code and a sentence, kept for each thread and device.

use crate::abi::error;
use crate::device::Device;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char};

/// Why a call failed.
pub(crate) struct Failure {
    pub(crate) code: u32,
    pub(crate) message: String,
}

pub(crate) fn invalid_argument(message: impl Into<String>) -> Failure {
    Failure {
        code: error::INVALID_ARGUMENT,
        message: message.into(),
    }
}

pub(crate) fn invalid_operation(message: impl Into<String>) -> Failure {
    Failure {
        code: error::INVALID_OPERATION,
        message: message.into(),
    }
}

pub(crate) fn out_of_memory(message: impl Into<String>) -> Failure {
    Failure {
        code: error::OUT_OF_MEMORY,
        message: message.into(),
    }
}

/// The first code since the host asked, and the last sentence.
#[derive(Default)]
struct Stored {
    code: u32,
    message: CString,
}

thread_local! {
    /// The errors of this thread, by the number of the device; 0 is where there is none.
    static ERRORS: RefCell<HashMap<u64, Stored>> = RefCell::default();
}

fn number(device: Option<&Device>) -> u64 {
    device.map_or(0, |device| device.number)
}

/// Stores an error and tells it to the device's function.
#[cold]
pub(crate) fn report(device: Option<&Device>, failure: Failure) {
    // A sentence has no byte 0, unless a name of the host brought it.
    let message = CString::new(failure.message.replace('\0', " ")).unwrap_or_default();
    if let Some(device) = device {
        device.tell_error(failure.code, &message);
    }
    // While a thread ends, nobody asks any more.
    let _ = ERRORS.try_with(|errors| {
        let mut errors = errors.borrow_mut();
        let stored = errors.entry(number(device)).or_default();
        if stored.code == error::NONE {
            stored.code = failure.code;
        }
        stored.message = message;
    });
}

/// Returns the first error of this thread since the last call, and forgets it.
pub(crate) fn taken(device: Option<&Device>) -> u32 {
    let take = |errors: &RefCell<HashMap<u64, Stored>>| {
        let mut errors = errors.borrow_mut();
        let stored = errors.get_mut(&number(device));
        stored.map_or(error::NONE, |stored| std::mem::take(&mut stored.code))
    };
    ERRORS.try_with(take).unwrap_or(error::NONE)
}

/// Returns the last sentence of this thread, which stays valid until its next error; empty if there was none.
pub(crate) fn last_message(device: Option<&Device>) -> *const c_char {
    let none: &CStr = c"";
    let find = |errors: &RefCell<HashMap<u64, Stored>>| {
        let errors = errors.borrow();
        let stored = errors.get(&number(device));
        stored.map_or(none.as_ptr(), |stored| stored.message.as_ptr())
    };
    ERRORS.try_with(find).unwrap_or(none.as_ptr())
}

/// Returns the name of a code.
pub(crate) fn name(code: u32) -> &'static CStr {
    match code {
        0 => c"RTC_ERROR_NONE",
        1 => c"RTC_ERROR_UNKNOWN",
        2 => c"RTC_ERROR_INVALID_ARGUMENT",
        3 => c"RTC_ERROR_INVALID_OPERATION",
        4 => c"RTC_ERROR_OUT_OF_MEMORY",
        5 => c"RTC_ERROR_UNSUPPORTED_CPU",
        6 => c"RTC_ERROR_CANCELLED",
        7 => c"RTC_ERROR_LEVEL_ZERO_RAYTRACING_SUPPORT_MISSING",
        _ => c"invalid error code",
    }
}

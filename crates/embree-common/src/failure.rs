//! Errors as Embree has them: a code and a sentence.

use crate::abi::error;
use std::ffi::CStr;

/// Why a call failed.
pub struct Failure {
    pub code: u32,
    pub message: String,
}

pub fn invalid_argument(message: impl Into<String>) -> Failure {
    Failure {
        code: error::INVALID_ARGUMENT,
        message: message.into(),
    }
}

pub fn invalid_operation(message: impl Into<String>) -> Failure {
    Failure {
        code: error::INVALID_OPERATION,
        message: message.into(),
    }
}

pub fn out_of_memory(message: impl Into<String>) -> Failure {
    Failure {
        code: error::OUT_OF_MEMORY,
        message: message.into(),
    }
}

/// Returns the name of a code.
pub fn name(code: u32) -> &'static CStr {
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

//! Strings of C.

use crate::call::Call;
use crate::status::{Failure, bad, null};
use std::ffi::{CStr, c_char};
use std::path::Path;

/// Returns a string for the time of a call.
fn c_str<'a>(_call: &'a Call, pointer: *const c_char, name: &str) -> Result<&'a CStr, Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: the host passes a string that ends with a 0, and does not change it during the call.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

/// Returns a string in UTF-8.
pub(crate) fn text<'a>(
    call: &'a Call,
    pointer: *const c_char,
    name: &str,
) -> Result<&'a str, Failure> {
    let text = c_str(call, pointer, name)?.to_str();
    text.map_err(|_| bad(format!("{name} is not in UTF-8")))
}

/// Returns the path of a file: any bytes on Unix, else in UTF-8.
#[cfg_attr(target_family = "wasm", allow(dead_code))]
pub(crate) fn path(call: &Call, pointer: *const c_char) -> Result<&Path, Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let bytes = c_str(call, pointer, "path")?.to_bytes();
        Ok(Path::new(std::ffi::OsStr::from_bytes(bytes)))
    }
    #[cfg(not(unix))]
    text(call, pointer, "path").map(Path::new)
}

/// Returns bytes in the host's memory for the time of a call.
pub(crate) fn bytes(_call: &Call, pointer: *const u8, count: usize) -> Result<&[u8], Failure> {
    match (pointer.is_null(), isize::try_from(count)) {
        (true, Ok(1..)) => Err(null("bytes")),
        (true, Ok(_)) => Ok(&[]),
        // SAFETY: the host passes as many bytes, and does not change them during the call.
        (false, Ok(_)) => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
        (_, Err(_)) => Err(bad(format!("{count} bytes are more than all memory holds"))),
    }
}

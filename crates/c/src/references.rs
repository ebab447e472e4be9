//! The functions that count references to objects.

use crate::call::call;
use crate::handles;
use crate::status::estoc_status;
use std::ffi::c_void;

/// Adds a reference to an object of any kind, which then has to be released once more. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_retain(handle: *const c_void) -> estoc_status {
    call(|_| handles::retain(handle.addr()))
}

/// Releases a reference to an object of any kind. With the last one the object is freed, and all pointers into it
/// end; no call that was given it may be running then. Does nothing for null. A handle that was released is told
/// (`ESTOC_RELEASED`), as long as nobody else has a reference to the object. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_release(handle: *const c_void) -> estoc_status {
    call(|_| match handle.is_null() {
        true => Ok(()),
        false => handles::release(handle.addr()),
    })
}

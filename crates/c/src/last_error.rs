//! The sentence about the last failure of each thread.

use std::cell::RefCell;
use std::ffi::c_char;

thread_local! {
    /// The sentence with a 0 behind it, or nothing.
    static LAST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns the sentence of this thread.
pub(crate) fn get() -> *const c_char {
    // While a thread ends, its sentence is gone.
    let text = LAST.try_with(|last| match &**last.borrow() {
        [] => c"".as_ptr(),
        text => text.as_ptr().cast(),
    });
    text.unwrap_or(c"".as_ptr())
}

/// Sets the sentence of this thread, on one line.
#[cold]
pub(crate) fn set(sentence: &str) {
    let _at_end_of_thread = LAST.try_with(|last| {
        let mut text = last.borrow_mut();
        text.clear();
        // Without memory there is no sentence.
        if text.try_reserve(sentence.len() + 1).is_ok() {
            let bytes = sentence.bytes();
            text.extend(bytes.map(|byte| if byte == 0 { b' ' } else { byte }));
            text.push(0);
        }
    });
}

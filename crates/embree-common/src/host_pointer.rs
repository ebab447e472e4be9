//! Pointers and memory of the host.
//!
//! Every proof rests on what the host promises by Embree's documentation: what it passes is valid for the time that the
//! documentation names, and it does not write to it meanwhile.
// Only the libraries of this workspace call these functions, with what hosts promise.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};

/// A pointer that is only handed back to the host.
#[derive(Clone, Copy)]
pub struct HostPointer(*mut c_void);

// SAFETY: the pointer is never followed here.
unsafe impl Send for HostPointer {}
// SAFETY: as above.
unsafe impl Sync for HostPointer {}

impl HostPointer {
    pub fn of(pointer: *mut c_void) -> Self {
        HostPointer(pointer)
    }

    pub fn get(self) -> *mut c_void {
        self.0
    }
}

/// Returns a text of the host; empty for null.
pub fn text<'a>(text: *const c_char) -> Cow<'a, str> {
    match text.is_null() {
        true => Cow::Borrowed(""),
        // SAFETY: the host passes a text that ends with 0 and stays for the time of the call.
        false => unsafe { CStr::from_ptr(text) }.to_string_lossy(),
    }
}

/// Memory of a number of bytes that the host writes to, by the pointer that it is given, or that is its own.
pub struct Memory {
    start: *mut u8,
    bytes: usize,
    /// How it was allocated, if it is not the host's.
    owned: Option<Layout>,
}

// SAFETY: the memory is only read, by `read`, whose proof holds on every thread; else the pointer is handed to the host.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(layout) = self.owned {
            // SAFETY: allocated in this way by `zeroed`, and freed only here.
            unsafe { dealloc(self.start, layout) };
        }
    }
}

impl Memory {
    /// Returns memory of the host.
    pub fn shared(start: *mut c_void, bytes: usize) -> Self {
        Memory {
            start: start.cast(),
            bytes,
            owned: None,
        }
    }

    /// Returns new memory of zeros, with 16 bytes after its end that may be read; `None` if there is not enough.
    pub fn zeroed(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.checked_add(16)?, 64).ok()?;
        // SAFETY: the layout has a size, of 16 bytes at least.
        let start = unsafe { alloc_zeroed(layout) };
        (!start.is_null()).then_some(Memory {
            start,
            bytes,
            owned: Some(layout),
        })
    }

    pub fn start(&self) -> *mut c_void {
        self.start.cast()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns numbers from a place in bytes on, or `None` if they are not within the memory.
    #[inline(always)]
    pub fn read<const N: usize>(&self, place: usize) -> Option<[u32; N]> {
        let end = place.checked_add(size_of::<[u32; N]>())?;
        // SAFETY: the bytes are within the memory, which its owner, this or the host, keeps until the last reference to the
        // buffer is released; they are numbers of any bits, are read wherever they lie, and the host does not write to
        // them during a call that reads them.
        (end <= self.bytes)
            .then(|| unsafe { self.start.add(place).cast::<[u32; N]>().read_unaligned() })
    }
}

/// Numbers that a call reads, or writes its results to.
pub fn read<T: Copy>(from: *const T) -> Option<T> {
    // SAFETY: null, or a pointer of the host to plain numbers, for the time of the call; it is read wherever it lies.
    (!from.is_null()).then(|| unsafe { from.read_unaligned() })
}

/// Returns the item at a place of an array of the host, which is not null.
pub fn read_at<T: Copy>(from: *const T, place: usize) -> Option<T> {
    // SAFETY: null, or an array of the host that has this place by the number that it passed with it.
    (!from.is_null()).then(|| unsafe { from.add(place).read_unaligned() })
}

/// Writes values to an array of the host; nothing where it is null.
pub fn write<T: Copy>(to: *mut T, place: usize, value: T) {
    if !to.is_null() {
        // SAFETY: an array of the host that has this place by the number that it passed with it.
        unsafe { to.add(place).write_unaligned(value) };
    }
}

/// Returns what a pointer of the host points to, for the time of the call.
pub fn borrowed<'a, T: Copy>(at: *mut T) -> Option<&'a mut T> {
    // SAFETY: null, or a pointer of the host to plain numbers, to which nothing else refers for the time of the call.
    unsafe { at.as_mut() }
}

/// Writes a value where the host, or the caller, has one, and returns that.
pub fn exchange<T: Copy>(at: *mut T, value: T) -> T {
    // SAFETY: the address of a value of this library, or of one that the host passed to the call that runs and does not use
    // meanwhile; it is not null.
    unsafe {
        let old = at.read_unaligned();
        at.write_unaligned(value);
        old
    }
}

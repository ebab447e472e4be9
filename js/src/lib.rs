//! The C library of estoc as a WebAssembly module, with what JavaScript needs beside it: memory for what it passes, and
//! functions of its own that the library calls back.
#![allow(unsafe_code, reason = "the border; each block has its proof")]

mod gpu;

use std::alloc::Layout;
use std::ffi::c_void;

// The functions of the library, which the module exports.
extern crate estoc_c;

// Without them the kernels would have no vectors, and no other code would tell.
const _: () = assert!(
    cfg!(target_feature = "simd128"),
    "compile it by js/build, with the vectors of WebAssembly"
);

#[link(wasm_import_module = "estoc")]
unsafe extern "C" {
    fn failed(sentence: *const u8, length: usize);
    fn progress(user: *mut c_void, done: u64, total: u64) -> i32;
    fn filter(user: *mut c_void, ray: *const c_void, hit: *const c_void) -> i32;
    fn visit(user: *mut c_void, what: usize) -> i32;
    fn write(user: *mut c_void, bytes: *const u8, size: usize) -> i32;
    fn visit_pair(user: *mut c_void, first: u32, second: u32, common: i32) -> i32;
    fn visit_node(user: *mut c_void, children: *const c_void, count: u32) -> i32;
}

/// Makes JavaScript read the sentence of a panic, which is a trap here.
#[unsafe(no_mangle)]
extern "C" fn estoc_js_start() {
    std::panic::set_hook(Box::new(|panic| {
        let sentence = format!("a fault of estoc: {panic}");
        // SAFETY: the function reads these bytes, and calls nothing.
        unsafe { failed(sentence.as_ptr(), sentence.len()) };
    }));
}

/// Returns the places of JavaScript's functions in the table of functions: for the progress, a filter of hits, a visit of
/// a triangle or a polyline, one of a pair, what takes bytes, and a visit of a node.
#[unsafe(no_mangle)]
extern "C" fn estoc_js_callback(which: usize) -> usize {
    let all = [
        progress as *const (),
        filter as _,
        visit as _,
        visit_pair as _,
        write as _,
        visit_node as _,
    ];
    all[which].addr()
}

/// How what JavaScript passes is aligned.
const ALIGN: usize = 16;

/// Returns memory for a number of bytes, which is not zero, or null where there is none.
#[unsafe(no_mangle)]
extern "C" fn estoc_js_allocate(size: usize) -> *mut u8 {
    match Layout::from_size_align(size, ALIGN) {
        // SAFETY: the size is not zero.
        Ok(layout) if size > 0 => unsafe { std::alloc::alloc(layout) },
        _ => std::ptr::null_mut(),
    }
}

/// Gives such memory back, with its size.
#[unsafe(no_mangle)]
extern "C" fn estoc_js_free(start: *mut u8, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size, ALIGN) {
        // SAFETY: `library.js` passes what the function above returned, once, with its size.
        unsafe { std::alloc::dealloc(start, layout) };
    }
}

//! Reads arbitrary bytes as rays in NPY.

#![no_main]

#[path = "common/rays.rs"]
mod rays;

use estoc_rays_io::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The bytes after the magic number.
    let whole = [b"\x93NUMPY", bytes].concat();
    rays::read(|| Input::of_bytes("rays.file", whole.clone()), "rays.file");
});

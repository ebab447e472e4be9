//! Reads arbitrary bytes as rays in CSV.

#![no_main]

#[path = "common/rays.rs"]
mod rays;

use estoc_rays_io::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let whole = bytes.to_vec();
    rays::read(|| Input::of_bytes("rays.file", whole.clone()), "rays.file");
});

//! Reads arbitrary bytes as points, in whatever format they seem to be.

#![no_main]

#[path = "common/rays.rs"]
#[allow(dead_code, reason = "other targets read rays")]
mod rays;

use estoc_core::glam::Vec3;
use estoc_rays_io::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let input = Input::<Vec3>::of_bytes("points.file", bytes.to_vec());
    rays::read_as(input, "points.file");
});

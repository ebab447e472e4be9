//! Reads arbitrary bytes in the format detected, decompressed if compressed.

#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| common::read(bytes, None));

//! Arbitrary bytes, read as what they look like: the door that tells formats, and unpacks.

#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| common::read(bytes, None));

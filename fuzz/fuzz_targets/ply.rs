//! Reads arbitrary bytes as PLY, without format detection.

#![no_main]

mod common;

use estoc_mesh::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| common::read(bytes, Some(Format::Ply)));

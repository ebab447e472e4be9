//! Reads arbitrary bytes as OBJ text and as a material library: the third line of defence, after
//! the tables and the property tests. Nothing may panic or hang, and every resulting mesh must
//! satisfy its invariants.

#![no_main]

mod common;

use estoc_mesh::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| common::read(bytes, Some(Format::Obj)));

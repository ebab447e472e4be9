//! Arbitrary bytes as OBJ text and as a material library: the third line of defence, behind
//! the tables and the property tests. Nothing may panic or hang, and every mesh that comes out
//! keeps its promises.

#![no_main]

mod common;

use estoc_mesh::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| common::read(bytes, Some(Format::Obj)));

//! One program: a program for each file would be linked, and what it uses compiled, for each anew.

mod bench;
mod bench_refusals;
mod cast;
mod cast_lists;
mod common;
mod contains;
mod data;
mod demo;
mod empty_input;
mod info;
mod interrupt;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod output_files;
mod pick;
mod reference;
mod refusals;
mod render;
mod tree_file;
mod verify;

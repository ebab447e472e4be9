//! One program: a program for each file would be linked, and what it uses compiled, for each anew.

mod bench;
mod bench_refusals;
mod cast;
mod cast_lists;
mod common;
mod contains;
mod data;
mod demo;
mod info;
mod interrupt;
mod pick;
mod reference;
mod refusals;
mod render;
mod tree_file;
mod verify;

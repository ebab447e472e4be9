//! Embree 4's calls, answered by estoc: exactly, with any flags.
//!
//! A program that loads `libembree4.so.4` and finds this library in its place casts its rays on estoc's trees. What is served
//! and what is not is in the README; names, numbers and layouts are those of Embree 4.4's
//! public interface.
//!
//! Handles of the host are followed in `handle`, its memory in `host_pointer`, and what a commit publishes in `swap_cell`; all
//! else is safe code. References among the arguments are pointers of the host that are valid, or null where it is an `Option`;
//! functions among them can be called.
// Rust takes the export of a name for unsafe code. Blocks of it are in those three files alone; the crate's test checks that.
#![allow(unsafe_code)]
// Calls of one line return what they run.
#![allow(clippy::semicolon_if_nothing_returned, clippy::unit_arg)]
#![allow(non_snake_case)]

mod abi;
mod buffer;
mod call;
mod calls;
mod device;
mod failure;
mod handle;
mod host_mode;
mod host_pointer;
mod point_query;
mod query;
mod scene;
mod scoped;
mod swap_cell;
#[cfg(test)]
mod tests;
mod transform;

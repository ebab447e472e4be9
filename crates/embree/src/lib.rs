//! Embree 4's calls, answered by estoc: exactly, with any flags.
//!
//! A program that loads `libembree4.so.4` and finds this library in its place casts its rays on estoc's trees. What is served
//! and what is not is in the README; names, numbers and layouts are those of Embree 4.4's
//! public interface.
//!
//! Here is what Embree 3 does not have, or has otherwise. All else is in `estoc_embree_common`, whose calls this library
//! exports, too. References among the arguments are pointers of the host that are valid, or null where it is an `Option`.
// Rust takes the export of a name for unsafe code; there are no blocks of it.
#![allow(unsafe_code)]
// Calls of one line return what they run.
#![allow(clippy::semicolon_if_nothing_returned, clippy::unit_arg)]
#![allow(non_snake_case)]

mod arguments;
mod calls;
mod forward;
mod points;
mod rays;
mod rejections;
#[cfg(test)]
mod tests;

//! What the libraries in the places of Embree 3 and of Embree 4 share: scenes, queries, and the calls that both versions
//! have alike, which a library exports that depends on this crate.
//!
//! A version adds its layouts and the calls that differ. Where what callbacks get differs, it is lent so that either version
//! reads it: see `abi` and `scene::user_shape::Context`.
//!
//! Handles of the host are followed in `handle`, its memory in `host_pointer`, and what a commit publishes in `swap_cell`; all
//! else is safe code. References among the arguments are pointers of the host that are valid, or null where it is an `Option`;
//! functions among them can be called.
// Rust takes the export of a name for unsafe code. Blocks of it are in those three files alone; the tests of both libraries
// check that.
#![allow(unsafe_code)]
// Calls of one line return what they run.
#![allow(clippy::semicolon_if_nothing_returned, clippy::unit_arg)]
#![allow(non_snake_case)]
// Only the two libraries use this; names are those of Embree's documentation.
#![allow(missing_docs, clippy::len_without_is_empty)]

pub mod abi;
pub mod buffer;
pub mod call;
pub mod calls;
pub mod device;
pub mod failure;
pub mod handle;
pub mod host_mode;
pub mod host_pointer;
pub mod point_query;
pub mod query;
pub mod scene;
mod scoped;
pub mod swap_cell;
pub mod transform;

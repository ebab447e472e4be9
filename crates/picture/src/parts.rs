//! Internals that the command shares; not covered by semantic versioning.

pub use crate::short_number::short_number;

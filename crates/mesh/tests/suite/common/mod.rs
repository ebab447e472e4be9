//! Shared by the tests of this crate: meshes to write and to read, and random numbers.

pub(crate) mod decimals;
pub(crate) mod model;
pub(crate) mod obj_text;
pub(crate) mod written;

pub(crate) use estoc_testkit::tables::Rng;

//! Tests of rays in SQL.

mod answers;
mod cancellation;
#[cfg(feature = "cluster")]
mod cluster;
mod codecs;
mod command;
mod data;
mod doubles;
mod evaluations;
mod masks;
mod mesh_files;
mod refusals;

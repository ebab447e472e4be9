//! One program: what engines are compiled to is large, and would be compiled for each anew.

#[path = "../common/mod.rs"]
mod common;
mod conformance;
mod degenerate;
mod engine_pointers;
mod intervals;
mod layouts;
mod levels;
mod masks;
mod presets;
mod queries;
mod queries_watertight;
mod refit;
mod spawn;
mod techniques;
mod tree_file;
mod tree_file_damage;
mod tree_file_masks;
mod trees;
mod views;

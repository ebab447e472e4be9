//! One program: what engines are compiled to is large, and would be compiled for each anew.

#[path = "../common/mod.rs"]
mod common;
mod conformance;
mod degenerate;
mod details;
mod format_mutations;
mod formats;
mod formats_gltf;
mod formats_off;
mod formats_packed;
mod formats_ply;
mod formats_stl;
mod hostile;
mod intervals;
mod layouts;
mod levels;
mod material_libraries;
mod materials;
mod mesh;
mod ngon;
mod obj;
mod obj_dialects;
mod obj_messages;
mod obj_oracle;
mod presets;
mod queries;
mod queries_watertight;
mod refit;
mod spawn;
mod techniques;
mod tree_file;
mod tree_file_damage;
mod trees;
mod views;

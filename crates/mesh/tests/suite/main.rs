//! Meshes, their file formats, and their reports.

mod changed_meshes;
mod common;
mod detail_columns;
mod details;
mod format_mutations;
mod formats;
mod formats_gltf;
mod formats_gltf_nodes;
mod formats_off;
mod formats_packed;
mod formats_ply;
mod formats_stl;
mod hostile;
mod local_frame;
mod local_frame_decimals;
mod local_frame_meshes;
mod masks;
mod material_libraries;
mod materials;
mod mesh;
mod ngon;
mod obj;
mod obj_dialects;
mod obj_messages;
mod obj_oracle;
mod world_arrays;

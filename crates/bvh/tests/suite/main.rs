//! One program, because engines compile to much code, which each test program would repeat.

mod bounds;
mod build_steps;
mod build_threads;
#[path = "../common/mod.rs"]
mod common;
mod conformance;
mod degenerate;
mod end_point_overlap;
mod engine_pointers;
mod every_split_tried;
mod file_parts;
mod intervals;
mod layouts;
mod leaf_writer;
mod levels;
mod masks;
mod moving_spheres;
mod near_queries;
mod plain_ray_doubts;
mod plain_ray_limits;
mod plain_rays;
mod presets;
mod queries;
mod queries_watertight;
mod refit;
mod spawn;
mod technique_agreement;
mod techniques;
mod traversal_parts;
mod tree_file;
mod tree_file_damage;
mod tree_file_masks;
mod trees;
mod validate;
mod views;

//! One program, because each test program would compile and link its dependencies again.

mod bench;
mod bench_refusals;
mod cast;
mod cast_lists;
mod check;
mod columns;
mod common;
mod contains;
mod data;
mod demo;
mod devices;
#[cfg(unix)]
mod docs;
mod empty_input;
mod gltf_scenes;
mod info;
mod interrupt;
mod job_faults;
mod job_kills;
#[cfg(unix)]
mod job_signals;
mod jobs;
mod json_failures;
mod json_fields;
mod local_frame;
mod local_frame_points;
#[cfg(target_os = "linux")]
mod memory;
mod near;
mod options;
#[cfg(unix)]
mod output_files;
mod output_names;
mod pick;
mod pictures;
mod precision;
mod precision_pictures;
mod precision_scenes;
mod precision_solids;
mod ray_formats;
mod ray_masks;
mod reference;
mod refusals;
mod release_files;
mod render;
mod scene_points;
mod scene_shapes;
mod scenes;
mod section;
#[cfg(target_os = "linux")]
mod stream_memory;
mod tree_file;
mod verify;
#[cfg(feature = "view")]
mod view;
mod weld;

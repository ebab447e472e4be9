//! One program, because each test program would compile and link its dependencies again.

mod bundles;
mod common;
mod conformance;
mod edits;
mod far_from_origin;
mod flattened;
mod gltf_scenes;
mod least_distances;
mod mapped_rays;
mod mesh_details;
mod mesh_precision;
mod points;
mod published_cases;
mod refits;
mod refusals;
mod scene_file_errors;
mod scene_file_shapes;
mod scene_files;
mod seam;
mod shapes;
mod sole_batches;
mod sole_mesh;
mod sphere_thickness;
mod tiles;
// Its unit test runs here: the library itself is not compiled for tests.
#[path = "../../src/spectral_norm.rs"]
mod spectral_norm;
mod user_shapes;

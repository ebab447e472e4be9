//! Searches for hits and boxes that kernels lose, and for false hits: hostile triangles, rays that
//! graze them, and exact arithmetic as the reference. `ESTOC_LONG=1` tests more than ten million
//! cases per level.

mod bundle_bounds;
mod hostile_triangles;
mod leaf_kernels;
pub(crate) mod leaf_scene;
mod near_bounds;
mod placed_case;
mod prepared_rays;
mod single_ray_bounds;
mod swept_bounds;
mod t_span_bounds;
mod tile_bounds;
mod violation_search;
mod wide_case;

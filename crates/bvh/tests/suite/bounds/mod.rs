//! Searches for hits and boxes that kernels lose, and for hits that they make up: hostile
//! triangles, rays that graze them, and exact arithmetic as the judge. `ESTOC_LONG=1` looks at
//! more than ten million cases a level.

mod hostile_triangles;
mod leaf_scene;
mod packet_bounds;
mod prepared_rays;
mod single_ray_bounds;
mod t_span_bounds;
mod violation_search;

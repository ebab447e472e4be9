//! Searches for hits and boxes that kernels lose, and for hits that they make up: hostile
//! triangles, rays that graze them, and exact arithmetic as the judge. `ESTOC_LONG=1` looks at
//! more than ten million cases a level.

mod cases;
mod packets;
mod prepared_rays;
mod scene;
mod search;
mod single_rays;
mod spans;

//! The calls, but for those about buffers, rays and points.

pub mod device;
pub mod geometry;
pub mod interpolate;
pub mod rejections;
pub mod scene;

//! The calls, but for those about buffers, rays and points.

pub(crate) mod device;
pub(crate) mod forward;
pub(crate) mod geometry;
pub(crate) mod interpolate;
pub(crate) mod rejections;
pub(crate) mod scene;

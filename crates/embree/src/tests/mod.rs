//! The calls, as a host makes them.

mod calls;
mod commits;
mod errors;
mod filters;
mod float_modes;
mod host;
mod host_device;
mod instances;
mod points;
mod rays;
mod user_geometry;
mod values;

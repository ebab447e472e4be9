//! The calls that differ from Embree 4's, as a host makes them; the others are tested there.

mod callbacks;
mod host;
mod names;
mod points;
mod rays;

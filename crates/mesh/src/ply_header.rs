//! The header of PLY, for readers of points; not covered by semantic versioning.

pub use crate::formats::ply::{
    Element as PlyElement, Encoding as PlyEncoding, PlyHeader, Property as PlyProperty,
    Scalar as PlyScalar,
};

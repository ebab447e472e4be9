//! Triangles of meshes.

use super::Primitive;
use crate::exact::pair::PairTriangle;
use crate::shapes::{Coordinate, PrimId, Triangle, Triangle64};

/// A triangle of a mesh: a [`Triangle`], or a [`Triangle64`].
pub trait MeshTriangle: Primitive<Id = PrimId> + PairTriangle + Into<Triangle64> {
    /// The numbers of its corners, and of answers about it.
    type Coordinate: Coordinate;
}

impl MeshTriangle for Triangle {
    type Coordinate = f32;
}

impl MeshTriangle for Triangle64 {
    type Coordinate = f64;
}

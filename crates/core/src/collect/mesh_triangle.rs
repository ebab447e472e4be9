//! Triangles of meshes.

use super::RayTest;
use crate::exact::pair::PairTriangle;
use crate::shapes::{JoinedTriangle, PrimId, Triangle, Triangle64};

/// A triangle of a mesh: a [`Triangle`], or a [`Triangle64`].
pub trait MeshTriangle:
    RayTest<Id = PrimId>
    + JoinedTriangle
    + PairTriangle<
        Space = <Self as JoinedTriangle>::Coordinate,
        Length = <Self as JoinedTriangle>::Coordinate,
    > + Into<Triangle64>
{
}

impl MeshTriangle for Triangle {}

impl MeshTriangle for Triangle64 {}

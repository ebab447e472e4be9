//! The coordinates that files have.

use crate::wide::WideTriangles;
use estoc_core::glam::DVec3;
use estoc_core::{Aabb, Coordinate};

/// A type of coordinates that files have.
pub(super) trait FileCoordinate: Coordinate {
    /// Whether files hold vertices in `f64`.
    const IS_F64: bool;

    /// Returns what a tree keeps beside its `f32`s, and the box around its triangles: these, or those in `f64`.
    fn beside<E>(
        narrow: Aabb,
        wide: impl FnOnce() -> Result<(WideTriangles, [DVec3; 2]), E>,
    ) -> Result<(Self::Beside<WideTriangles>, Self::Bounds), E>;
}

impl FileCoordinate for f32 {
    const IS_F64: bool = false;

    fn beside<E>(
        narrow: Aabb,
        _: impl FnOnce() -> Result<(WideTriangles, [DVec3; 2]), E>,
    ) -> Result<((), Aabb), E> {
        Ok(((), narrow))
    }
}

impl FileCoordinate for f64 {
    const IS_F64: bool = true;

    fn beside<E>(
        _: Aabb,
        wide: impl FnOnce() -> Result<(WideTriangles, [DVec3; 2]), E>,
    ) -> Result<(WideTriangles, [DVec3; 2]), E> {
        wide()
    }
}

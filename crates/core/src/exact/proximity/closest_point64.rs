//! The answer to a query for the closest point of triangles in `f64`.

use super::Feature;
use crate::shapes::PrimId;
use glam::DVec3;

/// The point of a triangle in `f64` that is closest to a given point: a [`ClosestPoint`](super::ClosestPoint) whose
/// numbers are the `f64` nearest to the exact values, ties to even; zero is +0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPoint64 {
    /// The distance from the given point. Infinite where the exact value overflows `f64`; it is
    /// still an answer.
    pub distance: f64,
    /// The triangle.
    pub prim: PrimId,
    /// Weight of the triangle's second vertex: `point = (1-u-v) p0 + u p1 + v p2`.
    pub u: f64,
    /// Weight of the triangle's third vertex.
    pub v: f64,
    /// The closest point, each coordinate rounded on its own.
    pub point: DVec3,
    /// The part of the triangle that the closest point lies on.
    pub feature: Feature,
}

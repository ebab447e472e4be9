//! The hit on a triangle in `f64`.

use crate::shapes::PrimId;

/// One triangle in `f64` hit by a ray: a [`Hit`](crate::Hit) whose numbers are the `f64` nearest to the exact
/// values, ties to even; zero is +0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit64 {
    /// The parameter along the ray, in units of the direction's length. Infinite when the exact value
    /// overflows `f64`; it is still a hit.
    pub t: f64,
    /// Weight of the triangle's second vertex: `p = (1-u-v) p0 + u p1 + v p2`.
    pub u: f64,
    /// Weight of the triangle's third vertex.
    pub v: f64,
    /// The triangle.
    pub prim: PrimId,
}

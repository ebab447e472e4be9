//! What a query answers.

use crate::PrimId;

/// One triangle hit by a ray.
///
/// `t`, `u` and `v` are the `f32` nearest to the exact values, ties to even. They are what a
/// caller sees, not what decisions were made with: two hits with the same `t` may differ in
/// their exact parameter, so a `Hit` alone has no order. The order lives in the query that
/// made it (see [`RayQuery::all_hits`](crate::RayQuery::all_hits)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The parameter along the ray, in units of the direction's length: the hit point is
    /// `origin + t * dir`. May be infinite when the exact value overflows `f32`; it is still
    /// a hit.
    pub t: f32,
    /// Weight of the triangle's second vertex: `p = (1-u-v) p0 + u p1 + v p2`.
    pub u: f32,
    /// Weight of the triangle's third vertex.
    pub v: f32,
    /// The triangle.
    pub prim: PrimId,
}

const _: () = assert!(size_of::<Option<Hit>>() == 16);

/// Which side of a triangle a ray meets, by the exact sign of `n . dir` with
/// `n = (p1-p0) x (p2-p0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// `n . dir < 0`: the corners run counter-clockwise as seen from the origin.
    Front,
    /// `n . dir > 0`: the corners run clockwise as seen from the origin.
    Back,
}

//! Whether two triangles have common points, and of which kind, decided exactly.
//!
//! Everything is a sign of `orient(a, b, c, d) = (a-d) . ((b-d) x (c-d))`, of degree 3, or, for
//! triangles in one plane, of the orientation of three points seen along an axis, of degree 2; both
//! in `f64` with a bound first, then exactly (`orientation.rs`). Triangles whose planes differ meet
//! where both meet the common line of the planes (`crossing.rs`, after Guigue and Devillers 2003),
//! triangles of one plane are compared by separating edges (`coplanar.rs`), and triangles of one mesh
//! by the corners that they share as well (`shared_corners.rs`).

mod coplanar;
mod crossing;
mod nearest_pair;
mod orientation;
mod pair_triangle;
mod part_certificate;
mod parts_apart;
mod shared_corners;

pub use nearest_pair::{LeastDistance, LeastOf, NearestPair};
pub(crate) use orientation::orient;
pub use orientation::orient_in_plane;
pub use pair_triangle::PairTriangle;
pub(crate) use pair_triangle::difference;
pub(crate) use shared_corners::self_intersect;

use crate::shapes::{PrimId, Triangle64};
use orientation::heights;

/// Two triangles that intersect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Intersection {
    /// The triangle of the first mesh; of one mesh, that with the lower id.
    pub first: PrimId,
    /// The triangle of the second mesh, or of the same mesh.
    pub second: PrimId,
    /// What they have in common.
    pub kind: IntersectionKind,
}

/// What two triangles have in common. Both are closed: edges and corners belong to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum IntersectionKind {
    /// They lie in one plane and have a common area.
    CoplanarOverlap,
    /// They have a common point inside both, and different planes.
    Crossing,
    /// They have common points, but none inside both: a corner or an edge of one lies on the other,
    /// or edges meet.
    Touching,
}

/// Returns what two triangles with area have in common.
pub(crate) fn intersect(a: &Triangle64, b: &Triangle64) -> Option<IntersectionKind> {
    let (p, q) = (a.coordinates(), b.coordinates());
    let above_q = heights(&q, &p);
    if are_beside(above_q) {
        return None;
    }
    let above_p = heights(&p, &q);
    if are_beside(above_p) {
        return None;
    }
    match above_q {
        [0, 0, 0] => coplanar::intersect(&p, &q),
        _ => crossing::intersect((p, above_q), (q, above_p)),
    }
}

/// Returns whether all are on the same side, and none is in the plane.
fn are_beside(heights: [i32; 3]) -> bool {
    heights == [1; 3] || heights == [-1; 3]
}

//! The answer to a query for the closest point.

use crate::shapes::{Coordinate, PrimId};

/// The point of a triangle that is closest to a given point. Its numbers are `f32`s, those of a point of a triangle
/// in `f64` `f64`s.
///
/// All are the numbers of that type nearest to the exact values, ties to even; zero is +0. They are
/// results only: no decision is made with them. Two answers with the same `distance` may differ in
/// their exact distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "C: serde::Serialize, C::Point: serde::Serialize",
        deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
    ))
)]
pub struct ClosestPoint<C: Coordinate = f32> {
    /// The distance from the given point. Infinite where the exact value overflows; it is
    /// still an answer.
    pub distance: C,
    /// The triangle.
    pub prim: PrimId,
    /// Weight of the triangle's second vertex: `point = (1-u-v) p0 + u p1 + v p2`.
    pub u: C,
    /// Weight of the triangle's third vertex.
    pub v: C,
    /// The closest point, each coordinate rounded on its own.
    pub point: C::Point,
    /// The part of the triangle that the closest point lies on.
    pub feature: Feature,
}

/// A part of a triangle: a vertex, an edge without its ends, or the face without its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Feature {
    /// The vertex of this number: 0, 1 or 2.
    Vertex(u8),
    /// The edge that starts at the vertex of this number: 0 from `p0` to `p1`, 1 from `p1` to `p2`,
    /// 2 from `p2` to `p0`.
    Edge(u8),
    /// The face.
    Face,
}

impl Feature {
    /// Returns the number that stands for the feature in columns: 0, 1 and 2 for the vertices, 3, 4 and 5
    /// for the edges, 6 for the face.
    pub const fn number(self) -> u8 {
        match self {
            Feature::Vertex(vertex) => vertex,
            Feature::Edge(edge) => 3 + edge,
            Feature::Face => 6,
        }
    }

    /// Returns the feature of a [number](Feature::number).
    pub const fn of_number(number: u8) -> Option<Self> {
        match number {
            0..3 => Some(Feature::Vertex(number)),
            3..6 => Some(Feature::Edge(number - 3)),
            6 => Some(Feature::Face),
            _ => None,
        }
    }
}

const _: () = assert!(size_of::<Option<ClosestPoint>>() == 32);

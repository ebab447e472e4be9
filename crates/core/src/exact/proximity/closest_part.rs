//! The closest point of a triangle to a point in `f64`.
//!
//! It is the given point p plus a quotient: with the corner c relative to p, the edge e and the normal n,
//! `c - e (c . e) / |e|^2` on an edge, and `n (n . c) / |n|^2` on the face. Where all corners that it lies
//! between have one coordinate, it has that one too. Written once, and evaluated in numbers of two `f64`s
//! with bounds and, where these leave the rounding open, in dyadic numbers.

use super::Feature;
use crate::arithmetic::{Dyadic, Number, Pair, Ratio, V3, Vector, cross_product, dot};
use core::cell::LazyCell;
use glam::DVec3;

/// A triangle with area near a point, in numbers of any kind.
pub(crate) trait Corners {
    /// Returns a corner, and the same relative to the point.
    fn corner<N: Number>(&self, corner: u8) -> [Vector<N>; 2];

    /// Returns the vector from one corner to another.
    fn edge<N: Number>(&self, from: u8, to: u8) -> Vector<N>;
}

/// Returns the point of a part of a triangle with area that is closest to a finite point, each coordinate
/// the nearest `f64`.
pub(crate) fn round_point(point: V3, corners: &impl Corners, feature: Feature) -> DVec3 {
    let quick = ClosestPart::<Pair>::of(point, corners, feature);
    let exact = LazyCell::new(|| ClosestPart::<Dyadic>::of(point, corners, feature));
    DVec3::from([0, 1, 2].map(|axis| {
        let PartCoordinate { start, num, den } = quick.coordinate(axis);
        num.over(&den, start).unwrap_or_else(|| {
            let PartCoordinate { start, num, den } = exact.coordinate(axis);
            let start = Dyadic::from_f64(start);
            Ratio::new(start.mul(&den).add(&num), den).to_f64()
        })
    }))
}

/// The number `start + num / den`.
struct PartCoordinate<N> {
    start: f64,
    num: N,
    den: N,
}

/// The part of a triangle that is closest to a point.
struct ClosestPart<N> {
    point: V3,
    /// One of its corners in the world, and relative to the point.
    corner: Vector<N>,
    from_point: Vector<N>,
    along: Along<N>,
}

/// What more the part consists of.
enum Along<N> {
    Nothing,
    Edge {
        edge: Vector<N>,
        /// The product of the corner and the edge, and the square of the edge.
        share: N,
        whole: N,
    },
    Face {
        edges: [Vector<N>; 2],
        normal: Vector<N>,
        /// The product of the corner and the normal, and the square of the normal.
        height: N,
        whole: N,
    },
}

impl<N: Number> ClosestPart<N> {
    fn of(point: V3, corners: &impl Corners, feature: Feature) -> Self {
        let start = match feature {
            Feature::Vertex(i) | Feature::Edge(i) => i,
            Feature::Face => 0,
        };
        let [corner, from_point] = corners.corner(start);
        let along = match feature {
            Feature::Vertex(_) => Along::Nothing,
            Feature::Edge(i) => {
                let edge: Vector<N> = corners.edge(i, (i + 1) % 3);
                Along::Edge {
                    share: dot(&from_point, &edge),
                    whole: dot(&edge, &edge),
                    edge,
                }
            }
            Feature::Face => {
                let edges: [Vector<N>; 2] = [corners.edge(0, 1), corners.edge(0, 2)];
                let normal = cross_product(&edges[0], &edges[1]);
                Along::Face {
                    edges,
                    height: dot(&from_point, &normal),
                    whole: dot(&normal, &normal),
                    normal,
                }
            }
        };
        ClosestPart {
            point,
            corner,
            from_point,
            along,
        }
    }

    fn coordinate(&self, axis: usize) -> PartCoordinate<N> {
        let is_level = |edge: &Vector<N>| edge[axis].sign() == Some(0);
        let (num, den) = match &self.along {
            Along::Edge { edge, share, whole } if !is_level(edge) => {
                let along = share.times(&edge[axis]);
                (self.from_point[axis].times(whole).minus(&along), whole)
            }
            Along::Face {
                edges,
                normal,
                height,
                whole,
            } if !edges.iter().all(is_level) => (height.times(&normal[axis]), whole),
            _ => {
                return PartCoordinate {
                    start: 0.0,
                    num: self.corner[axis].clone(),
                    den: N::exactly(1.0),
                };
            }
        };
        PartCoordinate {
            start: self.point[axis],
            num,
            den: den.clone(),
        }
    }
}

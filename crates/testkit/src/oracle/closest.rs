//! The point of a triangle that is closest to a given point, as explicit weights of its corners.
//!
//! If the foot of the perpendicular on the plane is inside the triangle, it is the closest point.
//! Otherwise that is the nearest of the closest points of the three edges, whose parameters are
//! clamped to 0 ..= 1.

use super::number::{Fraction, Vector};
use estoc_core::Feature;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The closest point of a triangle.
pub(super) struct Closest {
    /// The weights of the corners, times `den`.
    pub(super) weights: [BigInt; 3],
    pub(super) den: BigInt,
    /// The point, times `den`.
    pub(super) point: Vector,
    /// The squared distance.
    pub(super) square: Fraction,
}

impl Closest {
    /// Returns the closest point of a triangle with area.
    pub(super) fn of(corners: &[Vector; 3], to: &Vector) -> Closest {
        let [p0, p1, p2] = corners;
        let normal = p1.minus(p0).cross(&p2.minus(p0));
        let area = |a: &Vector, b: &Vector| normal.dot(&b.minus(a).cross(&to.minus(a)));
        let weights = [area(p1, p2), area(p2, p0), area(p0, p1)];
        if weights.iter().all(BigInt::is_positive) {
            return Closest::weighted(corners, to, weights, normal.dot(&normal));
        }
        let edges = (0..3).map(|i| {
            let next = (i + 1) % 3;
            let edge = corners[next].minus(&corners[i]);
            let whole = edge.dot(&edge);
            let along = edge.dot(&to.minus(&corners[i]));
            let along = along.clamp(BigInt::zero(), whole.clone());
            let mut weights = [BigInt::zero(), BigInt::zero(), BigInt::zero()];
            weights[i] = &whole - &along;
            weights[next] = along;
            Closest::weighted(corners, to, weights, whole)
        });
        let nearest = edges.min_by(|a, b| a.square.cmp(&b.square));
        nearest.expect("three edges")
    }

    fn weighted(corners: &[Vector; 3], to: &Vector, weights: [BigInt; 3], den: BigInt) -> Closest {
        let [p0, p1, p2] = corners;
        let [w0, w1, w2] = &weights;
        let point = p0.times(w0).plus(&p1.times(w1)).plus(&p2.times(w2));
        let gap = point.minus(&to.times(&den));
        Closest {
            square: Fraction {
                num: gap.dot(&gap),
                den: &den * &den,
            },
            weights,
            den,
            point,
        }
    }
}

/// Returns the part of a triangle on which a point lies, by the corners that have a weight.
pub(super) fn feature(has_weight: [bool; 3]) -> Feature {
    match has_weight {
        [true, false, false] => Feature::Vertex(0),
        [false, true, false] => Feature::Vertex(1),
        [false, false, true] => Feature::Vertex(2),
        [true, true, false] => Feature::Edge(0),
        [false, true, true] => Feature::Edge(1),
        [true, false, true] => Feature::Edge(2),
        _ => Feature::Face,
    }
}

//! Points of an oriented box from its own coordinates, in `f64` with bounds and exactly.

use super::frame::{Frame, others};
use crate::arithmetic::{
    Bounded, Dyadic, ExactV3, Interval, Ratio, V3, exact, exact_cross, quotient, vector::cross,
};

/// Twice the weights `w` of the edge directions: each the sum of two `f32`s.
pub(super) type Weights = [[f32; 2]; 3];

/// An exact number and an interval that contains it.
pub(super) struct EnclosedRatio<F: Fn() -> Ratio> {
    pub(super) range: Interval,
    pub(super) exact: F,
}

/// The edge directions of a box, see [`Frame`].
pub(super) struct EdgeDirections<'a> {
    frame: &'a Frame,
    /// Components are rounded at most once; for axes, without the division by `det`.
    edges: [V3; 3],
    det: Bounded,
}

impl<'a> EdgeDirections<'a> {
    pub(super) fn of(frame: &'a Frame) -> Self {
        let vectors = frame.wide_vectors();
        let (edges, det) = match frame {
            Frame::Axes { .. } => {
                let edges = [0, 1, 2].map(|axis| {
                    let (j, k) = others(axis);
                    cross(vectors[j], vectors[k])
                });
                (edges, frame.det())
            }
            Frame::Model { .. } => {
                let one = Bounded {
                    value: 1.0,
                    error: 0.0,
                };
                (vectors, one)
            }
        };
        EdgeDirections { frame, edges, det }
    }

    fn exact(&self, axis: usize) -> ExactV3 {
        let vectors = self.frame.wide_vectors();
        let (j, k) = others(axis);
        match self.frame {
            Frame::Axes { .. } => exact_cross(&exact(vectors[j]), &exact(vectors[k])),
            Frame::Model { .. } => exact(vectors[axis]),
        }
    }

    /// Returns whether a coordinate grows along an axis of the box; decided exactly, since an edge
    /// direction has the right signs.
    pub(super) fn rises(&self, axis: usize, coordinate: usize) -> bool {
        (self.edges[axis][coordinate] > 0.0) == (self.det.value > 0.0)
    }

    /// Returns an upper bound of the distance of a coordinate from the reference point's, for a
    /// determinant near 1.
    pub(super) fn reach(&self, coordinate: usize) -> f64 {
        let along = |axis: usize| {
            let [low, high] = self.frame.extent(axis).map(|x| f64::from(x).abs());
            self.edges[axis][coordinate].abs() * low.max(high)
        };
        1.1 * (along(0) + along(1) + along(2))
    }

    /// Returns a coordinate of `start + w_0 e_0 + w_1 e_1 + w_2 e_2`.
    ///
    /// With u = 2^-53: a weight, an edge direction and their product are rounded once each and the
    /// sum twice, or three times with the start: 7u of the terms cover it. Axes are nearly
    /// orthonormal, so their quotient neither overflows nor underflows, and subnormal errors stay
    /// far below the resolution of an `f32`.
    /// errors stay far below what an `f32` can show.
    pub(super) fn coordinate(
        &self,
        coordinate: usize,
        start: f32,
        weights: Weights,
    ) -> EnclosedRatio<impl Fn() -> Ratio + '_> {
        let start = f64::from(start);
        let (mut value, mut sum) = (0.0f64, 0.0f64);
        for (edge, [a, b]) in self.edges.iter().zip(weights) {
            let term = (f64::from(a) + f64::from(b)) * 0.5 * edge[coordinate];
            value += term;
            sum += term.abs();
        }
        const SEVEN_U: f64 = 3.5 * f64::EPSILON;
        let offset = Bounded {
            value,
            error: SEVEN_U * sum,
        };
        let (low, high) = match self.frame {
            Frame::Axes { .. } => quotient(offset, self.det),
            Frame::Model { .. } => (value - offset.error, value + offset.error),
        };
        let error = (start.abs() + sum) * (2.0 * f64::EPSILON);
        let exact = move || {
            let half = Dyadic::from_f64(0.5);
            let mut offset = Dyadic::from_f64(0.0);
            for (axis, [a, b]) in weights.into_iter().enumerate() {
                let weight = Dyadic::difference(a.into(), (-b).into()).mul(&half);
                offset = offset.add(&weight.mul(&self.exact(axis)[coordinate]));
            }
            let det = match self.frame {
                Frame::Axes { .. } => self.frame.exact_det(),
                Frame::Model { .. } => Dyadic::from_f64(1.0),
            };
            Ratio::new(offset, det).on_line(start, 1.0)
        };
        EnclosedRatio {
            range: (start + low - error, start + high + error),
            exact,
        }
    }
}

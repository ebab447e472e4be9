//! The numbers that an oriented box was given, and what is exactly true of them.
//!
//! Either way the box is the points p with `low_i <= n_i . (p - c) <= high_i` for three
//! normals, and its corners are `c + w_0 e_0 + w_1 e_1 + w_2 e_2` for three edge directions:
//!
//! | given | c | n_i | low_i, high_i | e_i |
//! |---|---|---|---|---|
//! | axes a, half sizes h | centre | a_i | -h_i, h_i | (a_j x a_k) / det |
//! | columns m of a matrix, local box | translation | m_j x m_k | det min_i, det max_i | m_i |
//!
//! with (i, j, k) cyclic and `det` that of the three vectors. All are polynomials, of degree
//! 4 at most, over `det`.

use crate::exact::{
    Bounded, ExactV3, Expansion, Ratio, V3, exact, exact_cross, exact_dot, exact_minus,
    exact_triple, quotient, triple, widen,
};
use glam::Vec3;

/// The numbers as they were given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Frame {
    /// About a centre.
    Axes {
        center: Vec3,
        axes: [Vec3; 3],
        half_sizes: Vec3,
    },
    /// The image of a box.
    Model {
        translation: Vec3,
        columns: [Vec3; 3],
        min: Vec3,
        max: Vec3,
    },
}

/// Twice the weights `w` of the edge directions: each the sum of two `f32`s.
pub(super) type Weights = [[f32; 2]; 3];

/// An exact number and an interval that holds it.
pub(super) struct Within<F: Fn() -> Ratio> {
    pub(super) range: (f64, f64),
    pub(super) exact: F,
}

/// The two other axes, cyclic.
fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

/// `a x b` of `f32`s: their products are exact in `f64`, so each component is rounded once,
/// and its sign is right.
fn cross([ax, ay, az]: V3, [bx, by, bz]: V3) -> V3 {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

impl Frame {
    /// The point c.
    pub(super) fn reference(&self) -> Vec3 {
        match *self {
            Frame::Axes { center, .. } => center,
            Frame::Model { translation, .. } => translation,
        }
    }

    /// Axes or columns.
    pub(super) fn vectors(&self) -> [Vec3; 3] {
        match *self {
            Frame::Axes { axes, .. } => axes,
            Frame::Model { columns, .. } => columns,
        }
    }

    fn wide_vectors(&self) -> [V3; 3] {
        self.vectors().map(widen)
    }

    /// The determinant of axes or columns.
    pub(super) fn det(&self) -> Bounded {
        let [x, y, z] = self.wide_vectors();
        triple(x, y, z)
    }

    pub(super) fn exact_det(&self) -> Expansion {
        let [x, y, z] = self.wide_vectors().map(exact);
        exact_triple(&x, &y, &z)
    }

    /// Each component rounded once at the most.
    pub(super) fn normal(&self, axis: usize) -> V3 {
        let vectors = self.wide_vectors();
        let (j, k) = others(axis);
        match self {
            Frame::Axes { .. } => vectors[axis],
            Frame::Model { .. } => cross(vectors[j], vectors[k]),
        }
    }

    pub(super) fn exact_normal(&self, axis: usize) -> ExactV3 {
        let (j, k) = others(axis);
        let vectors = self.wide_vectors();
        match self {
            Frame::Axes { .. } => exact(vectors[axis]),
            Frame::Model { .. } => exact_cross(&exact(vectors[j]), &exact(vectors[k])),
        }
    }

    /// The bounds along an axis of the box itself, lower then upper, without `det`.
    pub(super) fn extent(&self, axis: usize) -> [f32; 2] {
        match *self {
            Frame::Axes { half_sizes, .. } => [-half_sizes[axis], half_sizes[axis]],
            Frame::Model { min, max, .. } => [min[axis], max[axis]],
        }
    }

    /// The bound of `n_i . (p - c)` on the lower or upper face.
    pub(super) fn exact_bound(&self, axis: usize, is_max: bool) -> Expansion {
        let bound = Expansion::from_f64(self.extent(axis)[usize::from(is_max)].into());
        match self {
            Frame::Axes { .. } => bound,
            Frame::Model { .. } => self.exact_det().mul(&bound),
        }
    }

    /// `n_i . (p - c)`.
    pub(super) fn exact_height(&self, axis: usize, point: Vec3) -> Expansion {
        let delta = exact_minus(widen(point), widen(self.reference()));
        exact_dot(&self.exact_normal(axis), &delta)
    }

    /// What `w` must be multiplied with to get twice the box's own coordinates.
    fn edge(&self, axis: usize) -> V3 {
        let vectors = self.wide_vectors();
        let (j, k) = others(axis);
        match self {
            Frame::Axes { .. } => cross(vectors[j], vectors[k]), // over det
            Frame::Model { .. } => vectors[axis],
        }
    }

    fn exact_edge(&self, axis: usize) -> ExactV3 {
        let vectors = self.wide_vectors();
        let (j, k) = others(axis);
        match self {
            Frame::Axes { .. } => exact_cross(&exact(vectors[j]), &exact(vectors[k])),
            Frame::Model { .. } => exact(vectors[axis]),
        }
    }

    /// Whether the box's extent in this coordinate grows along an axis: -1, 0 or 1.
    pub(super) fn slope(&self, axis: usize, coordinate: usize) -> f64 {
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        let det = match self {
            Frame::Axes { .. } => self.det().value, // nearly 1 or -1
            Frame::Model { .. } => 1.0,
        };
        sign(self.edge(axis)[coordinate]) * sign(det)
    }

    /// A coordinate of `start + w_0 e_0 + w_1 e_1 + w_2 e_2`.
    ///
    /// With u = 2^-53: a weight, an edge direction and their product are rounded once each
    /// and the sum twice, or three times with the start: 7u of the terms cover it. Axes are
    /// nearly orthonormal, so their quotient neither over- nor underflows, and subnormal
    /// errors stay far below what an `f32` can show.
    pub(super) fn coordinate(
        &self,
        coordinate: usize,
        start: f32,
        weights: Weights,
    ) -> Within<impl Fn() -> Ratio + '_> {
        let start = f64::from(start);
        let (mut value, mut sum) = (0.0f64, 0.0f64);
        for (axis, [a, b]) in weights.into_iter().enumerate() {
            let term = (f64::from(a) + f64::from(b)) * 0.5 * self.edge(axis)[coordinate];
            value += term;
            sum += term.abs();
        }
        const SEVEN_U: f64 = 3.5 * f64::EPSILON;
        let offset = Bounded {
            value,
            error: SEVEN_U * sum,
        };
        let (low, high) = match self {
            Frame::Axes { .. } => quotient(offset, self.det()),
            Frame::Model { .. } => (value - offset.error, value + offset.error),
        };
        let error = (start.abs() + sum) * (2.0 * f64::EPSILON);
        let exact = move || {
            let half = Expansion::from_f64(0.5);
            let mut offset = Expansion::from_f64(0.0);
            for (axis, [a, b]) in weights.into_iter().enumerate() {
                let weight = Expansion::difference(a.into(), (-b).into()).mul(&half);
                offset = offset.add(&weight.mul(&self.exact_edge(axis)[coordinate]));
            }
            let one = Expansion::from_f64(1.0);
            let det = match self {
                Frame::Axes { .. } => self.exact_det(),
                Frame::Model { .. } => one.clone(),
            };
            Ratio::new(offset, det).on_line(start, 1.0)
        };
        Within {
            range: (start + low - error, start + high + error),
            exact,
        }
    }
}

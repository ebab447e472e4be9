//! The numbers that define an oriented box, and exact quantities derived from them.
//!
//! In both cases the box is the points p with `low_i <= n_i . (p - c) <= high_i` for three normals,
//! and its corners are `c + w_0 e_0 + w_1 e_1 + w_2 e_2` for three edge directions:
//!
//! | given | c | n_i | low_i, high_i | e_i |
//! |---|---|---|---|---|
//! | axes a, half sizes h | centre | a_i | -h_i, h_i | (a_j x a_k) / det |
//! | columns m of a matrix, local box | translation | m_j x m_k | det min_i, det max_i | m_i |
//!
//! with (i, j, k) cyclic and `det` that of the three vectors. All are polynomials, of degree
//! 4 at most, over `det`.

use crate::arithmetic::{
    Bounded, Dyadic, ExactV3, V3, exact, exact_cross, exact_dot, exact_minus, exact_triple, triple,
    vector::cross, widen,
};
use glam::Vec3;

/// The numbers as given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Frame {
    /// A centre, axes and half sizes.
    Axes {
        center: Vec3,
        axes: [Vec3; 3],
        half_sizes: Vec3,
    },
    /// The image of a box under a matrix.
    Model {
        translation: Vec3,
        columns: [Vec3; 3],
        min: Vec3,
        max: Vec3,
    },
}

/// Returns the two other axes, in cyclic order.
pub(super) fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

impl Frame {
    /// Returns the point c.
    pub(super) fn reference(&self) -> Vec3 {
        match *self {
            Frame::Axes { center, .. } => center,
            Frame::Model { translation, .. } => translation,
        }
    }

    /// Returns the axes or columns.
    pub(super) fn vectors(&self) -> [Vec3; 3] {
        match *self {
            Frame::Axes { axes, .. } => axes,
            Frame::Model { columns, .. } => columns,
        }
    }

    pub(super) fn wide_vectors(&self) -> [V3; 3] {
        self.vectors().map(widen)
    }

    /// Returns the determinant of the axes or columns.
    pub(super) fn det(&self) -> Bounded {
        let [x, y, z] = self.wide_vectors();
        triple(x, y, z)
    }

    pub(super) fn exact_det(&self) -> Dyadic {
        let [x, y, z] = self.wide_vectors().map(exact);
        exact_triple(&x, &y, &z)
    }

    /// Returns a normal. Products of `f32`s are exact in `f64`, so each component is rounded at most
    /// once, and its sign is right.
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

    /// Returns the bounds along an axis of the box itself, lower then upper, without `det`.
    pub(super) fn extent(&self, axis: usize) -> [f32; 2] {
        match *self {
            Frame::Axes { half_sizes, .. } => [-half_sizes[axis], half_sizes[axis]],
            Frame::Model { min, max, .. } => [min[axis], max[axis]],
        }
    }

    /// Returns the bound of `n_i . (p - c)` on the lower or upper face.
    pub(super) fn exact_bound(&self, axis: usize, is_max: bool) -> Dyadic {
        let bound = Dyadic::from_f64(self.extent(axis)[usize::from(is_max)].into());
        match self {
            Frame::Axes { .. } => bound,
            Frame::Model { .. } => self.exact_det().mul(&bound),
        }
    }

    /// Returns `n_i . (p - c)`.
    pub(super) fn exact_height(&self, axis: usize, point: V3) -> Dyadic {
        let delta = exact_minus(point, widen(self.reference()));
        exact_dot(&self.exact_normal(axis), &delta)
    }
}

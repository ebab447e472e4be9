//! Errors of oriented boxes.

use crate::arithmetic::affine::MatrixEntry;
use crate::shapes::coordinates::Coordinates;
use glam::Vec3;

/// The reason why numbers do not define an [`Obb`](crate::Obb).
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObbError {
    /// The centre has a NaN or infinite coordinate.
    #[error("the box's centre {} must be finite", Coordinates(*.0))]
    Center(Vec3),
    /// A half size is NaN or infinite.
    #[error("the box's half sizes {} must be finite", Coordinates(*.0))]
    HalfSizes(Vec3),
    /// A half size is negative.
    #[error(
        "the box's half size {half_size} along axis {axis} must not be negative: pass its \
         absolute value"
    )]
    NegativeHalfSize {
        /// The index of its axis.
        axis: usize,
        /// The half size given.
        half_size: f32,
    },
    /// An axis has a NaN or infinite coordinate.
    #[error("the box's axis {axis}, {}, must be finite", Coordinates(*.direction))]
    Axis {
        /// The index of the axis.
        axis: usize,
        /// The vector given.
        direction: Vec3,
    },
    /// An axis is not of length 1.
    #[error(
        "the box's axis {axis}, {}, has length {length} instead of 1: normalise it, or pass scaled \
         axes as the columns of a matrix to Obb::from_model",
        Coordinates(*.direction)
    )]
    NotUnit {
        /// The index of the axis.
        axis: usize,
        /// The vector given.
        direction: Vec3,
        /// Its length.
        length: f64,
    },
    /// Two axes are not at right angles.
    #[error(
        "the box's axes {} and {} must be at right angles, but the cosine between them is \
         {cosine}: use Obb::from_model for a sheared box",
        .axes[0],
        .axes[1]
    )]
    NotOrthogonal {
        /// The indices of the axes.
        axes: [usize; 2],
        /// The cosine of the angle between them.
        cosine: f64,
    },
    /// The local box is [`Aabb::EMPTY`](crate::Aabb::EMPTY), and so is its image.
    #[error("the local box is empty, and so is its image: skip it")]
    Empty,
    /// An entry of the matrix is NaN or infinite, or the last row is not `0 0 0 1`.
    #[error("the model matrix must be affine, since projections do not map boxes to boxes: {0}")]
    Model(MatrixEntry),
    /// The first three columns of the matrix lie in a plane: its determinant is exactly 0.
    #[error(
        "the model matrix with the columns {}, {} and {} has determinant 0: make the local box \
         flat instead of scaling an axis to 0",
        Coordinates(.0[0]),
        Coordinates(.0[1]),
        Coordinates(.0[2])
    )]
    Singular([Vec3; 3]),
    /// A corner lies beyond the greatest `f32`.
    #[error(
        "a corner of the box lies beyond the greatest f32, {}: choose a larger unit",
        f32::MAX
    )]
    TooLarge,
}

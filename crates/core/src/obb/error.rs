//! Why numbers make no oriented box.

use crate::MatrixEntry;
use crate::coordinates::Coordinates;
use core::fmt;
use glam::Vec3;

/// Why numbers make no [`Obb`](crate::Obb).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ObbError {
    /// The centre has a NaN or infinite coordinate.
    Center(Vec3),
    /// A half size is NaN or infinite.
    HalfSizes(Vec3),
    /// A half size is negative.
    NegativeHalfSize {
        /// Its axis.
        axis: usize,
        /// The half size given.
        half_size: f32,
    },
    /// An axis has a NaN or infinite coordinate.
    Axis {
        /// Which axis.
        axis: usize,
        /// The vector given.
        direction: Vec3,
    },
    /// An axis is not of length 1.
    NotUnit {
        /// Which axis.
        axis: usize,
        /// The vector given.
        direction: Vec3,
        /// Its length.
        length: f64,
    },
    /// Two axes are not at right angles.
    NotOrthogonal {
        /// Which axes.
        axes: [usize; 2],
        /// The cosine of the angle between them.
        cosine: f64,
    },
    /// The local box is [`Aabb::EMPTY`](crate::Aabb::EMPTY), and so is its image.
    Empty,
    /// An entry of the matrix is NaN or infinite, or the last row is not `0 0 0 1`.
    Model(MatrixEntry),
    /// The first three columns of the matrix lie in a plane: its determinant is exactly 0.
    Singular([Vec3; 3]),
    /// A corner lies beyond the greatest `f32`.
    TooLarge,
}

impl fmt::Display for ObbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObbError::Center(at) => {
                write!(f, "the box's centre {} must be finite", Coordinates(*at))
            }
            ObbError::HalfSizes(sizes) => {
                write!(
                    f,
                    "the box's half sizes {} must be finite",
                    Coordinates(*sizes)
                )
            }
            ObbError::NegativeHalfSize { axis, half_size } => write!(
                f,
                "the box's half size {half_size} along axis {axis} must not be negative: \
                 give its absolute value"
            ),
            ObbError::Axis { axis, direction } => write!(
                f,
                "the box's axis {axis}, {}, must be finite",
                Coordinates(*direction)
            ),
            ObbError::NotUnit {
                axis,
                direction,
                length,
            } => write!(
                f,
                "the box's axis {axis}, {}, has length {length} and needs length 1: normalise \
                 it, or give scaled axes as the columns of a matrix to Obb::from_model",
                Coordinates(*direction)
            ),
            ObbError::NotOrthogonal {
                axes: [a, b],
                cosine,
            } => write!(
                f,
                "the box's axes {a} and {b} must be at right angles, and the cosine between \
                 them is {cosine}: a sheared box is made by Obb::from_model"
            ),
            ObbError::Empty => {
                f.write_str("the image of the empty box is empty: leave it out of the boxes")
            }
            ObbError::Model(entry) => write!(
                f,
                "the model matrix must be affine, since projections do not map boxes to \
                 boxes: {entry}"
            ),
            ObbError::Singular([x, y, z]) => write!(
                f,
                "the model matrix with the columns {}, {} and {} has determinant 0: make the \
                 local box flat instead of scaling an axis to nothing",
                Coordinates(*x),
                Coordinates(*y),
                Coordinates(*z)
            ),
            ObbError::TooLarge => write!(
                f,
                "a corner of the box lies beyond the greatest f32, {}: choose a larger unit",
                f32::MAX
            ),
        }
    }
}

impl core::error::Error for ObbError {}

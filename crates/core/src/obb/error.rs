//! Why numbers make no oriented box.

use core::fmt;
use glam::{Mat4, Vec3};

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
    /// The matrix has a NaN or infinite element.
    Model(Mat4),
    /// The last row of the matrix is not `0 0 0 1`.
    NotAffine([f32; 4]),
    /// The first three columns of the matrix lie in a plane: its determinant is exactly 0.
    Singular([Vec3; 3]),
    /// A corner lies beyond the greatest `f32`.
    TooLarge,
}

/// A vector's coordinates in parentheses.
struct Point(Vec3);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.0.x, self.0.y, self.0.z)
    }
}

impl fmt::Display for ObbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObbError::Center(at) => write!(f, "the box's centre {} must be finite", Point(*at)),
            ObbError::HalfSizes(sizes) => {
                write!(f, "the box's half sizes {} must be finite", Point(*sizes))
            }
            ObbError::NegativeHalfSize { axis, half_size } => write!(
                f,
                "the box's half size {half_size} along axis {axis} must not be negative: \
                 give its absolute value"
            ),
            ObbError::Axis { axis, direction } => write!(
                f,
                "the box's axis {axis}, {}, must be finite",
                Point(*direction)
            ),
            ObbError::NotUnit {
                axis,
                direction,
                length,
            } => write!(
                f,
                "the box's axis {axis}, {}, has length {length} and needs length 1: normalise \
                 it, or give scaled axes as the columns of a matrix to Obb::from_model",
                Point(*direction)
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
            ObbError::Model(model) => {
                write!(f, "the model matrix {model} must have finite elements")
            }
            ObbError::NotAffine([x, y, z, w]) => write!(
                f,
                "the model matrix must end in the row 0 0 0 1, not {x} {y} {z} {w}: a \
                 projection does not map boxes to boxes"
            ),
            ObbError::Singular([x, y, z]) => write!(
                f,
                "the model matrix with the columns {}, {} and {} has determinant 0: make the \
                 local box flat instead of scaling an axis to nothing",
                Point(*x),
                Point(*y),
                Point(*z)
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

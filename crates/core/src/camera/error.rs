//! Why there is no such camera.

use super::{DepthRange, FieldOfView, Viewport};
use crate::affine::{MatrixEntry, TransformError};
use crate::coordinates::Coordinates;
use crate::ray::RayError;
use core::fmt;
use glam::Vec3;

/// Why numbers make no camera, or a camera no ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CameraError {
    /// The viewport has no area, or a number in it is not finite.
    Viewport(Viewport),
    /// The projection matrix is neither a perspective nor an orthographic one.
    Projection(MatrixEntry),
    /// The view matrix is not affine or has no inverse.
    View(TransformError),
    /// The model matrix is not affine or has no inverse, or the ray does not fit there.
    Model(TransformError),
    /// The ray through the middle of the viewport does not fit `f32`.
    OutOfRange(RayError),
    /// The near plane is not in front of the eye, read with this depth range.
    NearPlane {
        /// Its distance in front of the eye.
        depth: f64,
        /// The depth range it was read with.
        range: DepthRange,
    },
    /// A camera made by `look_at` has no near plane.
    NoNearPlane,
    /// Rays cannot start at this depth.
    StartDepth(f32),
    /// A point or vector has a coordinate that is not finite.
    NotFinite {
        /// Which: eye, at or up.
        name: &'static str,
        /// What it is.
        value: Vec3,
    },
    /// The camera is to look at where it is.
    NowhereToLook {
        /// Where it is.
        eye: Vec3,
    },
    /// Up is zero or in line with the view direction.
    Up {
        /// The vector given.
        up: Vec3,
        /// The view direction.
        ahead: Vec3,
    },
    /// The field of view is not between 0 and pi.
    FieldOfView(FieldOfView),
}

impl fmt::Display for CameraError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CameraError::Viewport(v) => write!(
                f,
                "a viewport of {} x {} pixels at ({}, {}) shows nothing: give finite numbers \
                 and sizes above 0",
                v.width, v.height, v.x, v.y
            ),
            CameraError::Projection(entry) => write!(
                f,
                "the projection matrix must have the rows (a, 0, c, p), (0, b, d, q), \
                 (0, 0, e, f) and (0, 0, w, 0) or (0, 0, 0, w), but {entry}; move rotations \
                 into the view matrix"
            ),
            CameraError::View(error) => write!(f, "view matrix: {error}"),
            CameraError::Model(error) => write!(f, "model matrix: {error}"),
            CameraError::OutOfRange(error) => write!(
                f,
                "in the middle of the viewport {error}: use matrices with scales nearer to 1"
            ),
            CameraError::NearPlane { depth, range } => write!(
                f,
                "with {range:?} the projection's near plane is at depth {depth}, not in front \
                 of the eye: name the depth range that the matrix was made for, or give a \
                 depth with from_depth"
            ),
            CameraError::NoNearPlane => f.write_str(
                "a camera made by look_at has no near plane: give its depth with from_depth",
            ),
            CameraError::StartDepth(depth) => write!(
                f,
                "rays cannot start at depth {depth}: it must be finite and, in a perspective, \
                 not behind the eye"
            ),
            CameraError::NotFinite { name, value } => write!(
                f,
                "the camera's {name} {} must be finite",
                Coordinates(*value)
            ),
            CameraError::NowhereToLook { eye } => write!(
                f,
                "eye and at are both {}: look at another point",
                Coordinates(*eye)
            ),
            CameraError::Up { up, ahead } => write!(
                f,
                "up {} is zero or in line with the view direction {}: choose one across it",
                Coordinates(*up),
                Coordinates(*ahead)
            ),
            CameraError::FieldOfView(fov) => {
                let (name, angle) = match fov {
                    FieldOfView::Vertical(angle) => ("vertical", angle),
                    FieldOfView::Horizontal(angle) => ("horizontal", angle),
                };
                write!(
                    f,
                    "a {name} field of view of {angle} rad must be above 0 and below pi \
                     (angles are in radians: 60 degrees are 1.0472)"
                )
            }
        }
    }
}

impl core::error::Error for CameraError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            CameraError::View(error) | CameraError::Model(error) => Some(error),
            CameraError::OutOfRange(error) => Some(error),
            _ => None,
        }
    }
}

//! Errors of cameras.

use super::{DepthRange, FieldOfView, Viewport};
use crate::arithmetic::affine::{MatrixEntry, TransformError};
use crate::shapes::{RayError, coordinates::Coordinates};
use glam::Vec3;

/// The reason why a camera or a ray cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CameraError {
    /// The viewport has no area, or a number in it is not finite.
    #[error(
        "the viewport of {} x {} pixels at ({}, {}) is empty or not finite: pass finite numbers, \
         and sizes above 0",
        .0.width,
        .0.height,
        .0.x,
        .0.y
    )]
    Viewport(Viewport),
    /// The rectangle of [`Camera::frustum`](crate::Camera::frustum) has no area, a number in it is not
    /// finite, or `f64` does not tell its edges apart.
    #[error(
        "the rectangle of {} x {} pixels at ({}, {}) shows nothing: pass finite numbers near the \
         viewport, and sizes above 0",
        .0.width,
        .0.height,
        .0.x,
        .0.y
    )]
    Rectangle(Viewport),
    /// The projection matrix is neither a perspective nor an orthographic one.
    #[error(
        "the projection matrix must have the rows (a, 0, c, p), (0, b, d, q), (0, 0, e, f) and \
         (0, 0, w, 0) or (0, 0, 0, w): {0}; move rotations into the view matrix"
    )]
    Projection(MatrixEntry),
    /// The view matrix is not affine or has no inverse.
    #[error("view matrix: {0}")]
    View(#[source] TransformError),
    /// The model matrix is not affine or has no inverse, or the ray exceeds `f32` in its space.
    #[error("model matrix: {0}")]
    Model(#[source] TransformError),
    /// The ray through the middle of the viewport exceeds `f32`.
    #[error("at the centre of the viewport, {0}: use matrices with scales closer to 1")]
    OutOfRange(#[source] RayError),
    /// With this depth range, the near plane is not in front of the eye.
    #[error(
        "with {range:?} the projection's near plane is at depth {depth}, not in front of the eye: \
         pass the depth range of the matrix, or set a depth with from_depth"
    )]
    NearPlane {
        /// Its distance in front of the eye.
        depth: f64,
        /// The depth range given.
        range: DepthRange,
    },
    /// A camera made by `look_at` or `look_at_orthographic` has no near plane.
    #[error("a camera made from an eye has no near plane: set a depth with from_depth")]
    NoNearPlane,
    /// Rays cannot start at this depth.
    #[error(
        "rays cannot start at depth {0}: it must be finite and, in a perspective, not behind the \
         eye"
    )]
    StartDepth(f32),
    /// A point or vector has a coordinate that is not finite.
    #[error("the camera's {name} {} must be finite", Coordinates(*.value))]
    NotFinite {
        /// The name: eye, at or up.
        name: &'static str,
        /// The value.
        value: Vec3,
    },
    /// The eye is at the point to look at.
    #[error("eye and at are both {}: choose different points", Coordinates(*.eye))]
    NowhereToLook {
        /// The position of both.
        eye: Vec3,
    },
    /// Up is zero or parallel to the view direction.
    #[error(
        "up {} is zero or parallel to the view direction {}: choose another vector",
        Coordinates(*.up),
        Coordinates(*.ahead)
    )]
    Up {
        /// The vector given.
        up: Vec3,
        /// The view direction.
        ahead: Vec3,
    },
    /// The field of view is not between 0 and pi.
    #[error(
        "a {} field of view of {} rad must be above 0 and below pi (angles are in radians: 60 \
         degrees are 1.0472)",
        name_and_angle(*.0).0,
        name_and_angle(*.0).1
    )]
    FieldOfView(FieldOfView),
    /// The height of what an orthographic camera sees is NaN, infinite, or not above 0.
    #[error(
        "the height {0} of what an orthographic camera sees must be above 0 and finite, in the units of \
         the world"
    )]
    OrthographicHeight(f32),
}

fn name_and_angle(fov: FieldOfView) -> (&'static str, f32) {
    match fov {
        FieldOfView::VerticalRadians(angle) => ("vertical", angle),
        FieldOfView::HorizontalRadians(angle) => ("horizontal", angle),
    }
}

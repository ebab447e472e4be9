//! The part of a window that a picture fills.

use super::CameraError;

/// A rectangle of a window, in pixels, y down from the window's top left.
///
/// Coordinates are continuous: the pixel in column `i` extends from `i` to `i + 1` and its centre
/// is at `i + 0.5`. The fields may hold any value; constructors of [`Camera`](crate::Camera) return
/// an error for a rectangle without area or with a number that is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Viewport {
    /// The left edge.
    pub x: f32,
    /// The top edge.
    pub y: f32,
    /// The distance from the left edge to the right one.
    pub width: f32,
    /// The distance from the top edge to the bottom one.
    pub height: f32,
}

impl Viewport {
    /// Returns a viewport of this size in the window's top left corner.
    pub fn new(width: f32, height: f32) -> Self {
        Viewport {
            x: 0.0,
            y: 0.0,
            width,
            height,
        }
    }

    /// Returns a viewport of the same size with its top left corner at this point.
    #[must_use]
    pub fn at(self, x: f32, y: f32) -> Self {
        Viewport { x, y, ..self }
    }

    pub(super) fn check(self) -> Result<(), CameraError> {
        let Viewport {
            x,
            y,
            width,
            height,
        } = self;
        let finite = [x, y, width, height].iter().all(|v| v.is_finite());
        if finite && width > 0.0 && height > 0.0 {
            Ok(())
        } else {
            Err(CameraError::Viewport(self))
        }
    }
}

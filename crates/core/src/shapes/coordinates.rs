//! Vectors in error messages.

use core::fmt;
use glam::Vec3;

/// Displays a vector as `(x, y, z)`.
pub(crate) struct Coordinates(pub(crate) Vec3);

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.0.x, self.0.y, self.0.z)
    }
}

//! Vectors in error messages.

use core::fmt;
use core::ops::Index;

/// Displays a vector as `(x, y, z)`.
pub(crate) struct Coordinates<V>(pub(crate) V);

impl<V: Index<usize, Output: fmt::Display>> fmt::Display for Coordinates<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", &self.0[0], &self.0[1], &self.0[2])
    }
}

//! The line of a ray in the world.

use crate::exact::{ExactLine, PreparedRay};
use crate::shapes::RayKind;

/// The line of a ray in the world.
#[derive(Clone, Copy, Debug)]
pub struct WorldLine {
    /// The origin.
    pub origin: [f64; 3],
    /// The direction, not all zero.
    pub dir: [f64; 3],
}

impl WorldLine {
    /// Returns the line of a ray.
    #[inline(always)]
    pub fn of<R: RayKind>(ray: &PreparedRay<'_, R>) -> Self {
        WorldLine {
            origin: ray.origin(),
            dir: ray.dir(),
        }
    }

    pub(super) fn exactly(&self) -> ExactLine {
        ExactLine::of(self.origin, self.dir)
    }
}

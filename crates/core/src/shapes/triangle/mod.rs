//! The triangle and its ray tests.
//!
//! | test | result | use |
//! |---|---|---|
//! | [`Triangle::exact_hit`] | that of exact arithmetic | correct answers |
//! | [`Triangle::badouel`] | within `f32` rounding, front side | reading, teaching, comparing |
//! | [`BadouelTriangle`] | the same bits as `badouel`, faster | many rays, one triangle |

mod area;
mod badouel;
mod normal;
mod side;
mod triangle64;

pub use badouel::{BadouelTriangle, TriangleHit};
pub use side::Side;
pub use triangle64::Triangle64;

use glam::Vec3;

/// A triangle, given by three corners.
///
/// From the front the corners appear counter-clockwise. Nothing is checked: a triangle without area
/// or with a corner that is not finite is never hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// First corner.
    pub p0: Vec3,
    /// Second corner, weighted by `u`.
    pub p1: Vec3,
    /// Third corner, weighted by `v`.
    pub p2: Vec3,
}

const _: () = assert!(size_of::<Triangle>() == 36);

impl Triangle {
    /// Returns the triangle with these corners.
    pub fn new(p0: impl Into<Vec3>, p1: impl Into<Vec3>, p2: impl Into<Vec3>) -> Self {
        Triangle {
            p0: p0.into(),
            p1: p1.into(),
            p2: p2.into(),
        }
    }

    /// Returns whether all coordinates are finite.
    pub fn is_finite(&self) -> bool {
        self.p0.is_finite() && self.p1.is_finite() && self.p2.is_finite()
    }

    /// Returns the corners, in order.
    #[inline]
    pub fn corners(&self) -> [Vec3; 3] {
        [self.p0, self.p1, self.p2]
    }
}

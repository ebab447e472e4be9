//! The corners of a triangle in `f64`.

use crate::arithmetic::{InlineMap, V3, minus, widen};
use crate::shapes::Triangle;

/// The three corners in `f64`.
pub(super) struct Corners(pub(super) [V3; 3]);

impl Corners {
    #[inline(always)]
    pub(super) fn of(triangle: &Triangle) -> Self {
        Corners([widen(triangle.p0), widen(triangle.p1), widen(triangle.p2)])
    }

    /// Returns the corner opposite to the longest edge.
    pub(super) fn opposite_to_longest(&self) -> usize {
        let length = |corner: usize| {
            let (start, end) = self.edge(corner);
            minus(end, start)
                .map(f64::abs)
                .into_iter()
                .fold(0.0, f64::max)
        };
        let [a, b, c] = [0, 1, 2].inline_map(length);
        if a >= b && a >= c {
            0
        } else if b >= c {
            1
        } else {
            2
        }
    }

    /// Returns the start and the end of the edge opposite to a corner.
    pub(super) fn edge(&self, corner: usize) -> (V3, V3) {
        (self.0[(corner + 1) % 3], self.0[(corner + 2) % 3])
    }
}

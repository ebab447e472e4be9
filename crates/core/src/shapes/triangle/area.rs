//! Triangles without area.

use super::Triangle;
use crate::arithmetic::{InlineMap, cross, exact_cross, exact_minus, minus, widen};

impl Triangle {
    /// Returns whether the triangle has no area, decided exactly: its corners lie on one line, or
    /// coincide. Such a triangle is never hit. One with a corner that is not finite is degenerate
    /// too.
    pub fn is_degenerate(&self) -> bool {
        !has_area(self)
    }
}

/// Returns whether `(p1-p0) x (p2-p0)` is finite and not zero.
fn has_area(triangle: &Triangle) -> bool {
    if !triangle.is_finite() {
        return false;
    }
    let [p0, p1, p2] = triangle.corners().inline_map(widen);
    let certain = cross(minus(p1, p0), minus(p2, p0))
        .iter()
        .any(|component| component.sign().is_some_and(|sign| sign != 0));
    certain
        || exact_cross(&exact_minus(p1, p0), &exact_minus(p2, p0))
            .iter()
            .any(|component| component.sign() != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_points_on_one_line_have_none() {
        let area = |c: [[f32; 3]; 3]| has_area(&Triangle::new(c[0], c[1], c[2]));
        let tiny = f32::from_bits(1);
        assert!(area([[0.0; 3], [tiny, 0.0, 0.0], [0.0, tiny, 0.0]]));
        assert!(area([
            [0.0; 3],
            [f32::MAX, 0.0, 0.0],
            [f32::MAX, tiny, 0.0]
        ]));
        assert!(area([
            [-f32::MAX; 3],
            [0.0; 3],
            [f32::MAX, f32::MAX, f32::MAX.next_down()]
        ]));
        assert!(!area([[-f32::MAX; 3], [0.0; 3], [f32::MAX; 3]]));
        assert!(!area([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3], [1.0, 0.0, 0.0]]));
        // In f32 these are only nearly collinear: 0.1 + 0.2 is not 0.3.
        assert!(area([[0.1, 1.0, 0.0], [0.2, 2.0, 0.0], [0.3, 3.0, 0.0]]));
        assert!(!area([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [3.0, 3.0, 0.0]]));
        assert!(!area([
            [f32::NAN, 1.0, 0.0],
            [2.0, 2.0, 0.0],
            [3.0, 1.0, 0.0]
        ]));
    }
}

//! Triangles without area.

use super::{Triangle, Triangle64};
use crate::arithmetic::{InlineMap, V3, cross, exact_cross, exact_minus, minus, widen};

impl Triangle {
    /// Returns whether the triangle has no area, decided exactly: its corners lie on one line, or
    /// coincide. Such a triangle is never hit. One with a corner that is not finite is degenerate
    /// too.
    pub fn is_degenerate(&self) -> bool {
        !(self.is_finite() && has_area(self.corners().inline_map(widen)))
    }
}

impl Triangle64 {
    /// Returns whether the triangle has no area, decided exactly, as [`Triangle::is_degenerate`] does.
    pub fn is_degenerate(&self) -> bool {
        !(self.is_finite() && has_area(self.coordinates()))
    }
}

/// 2^-900: larger than all that underflows in a component of a normal.
const LEAST: f64 = f64::from_bits((1023 - 900) << 52);

/// Returns whether `(p1-p0) x (p2-p0)` is not zero; the corners must be finite. Where it overflows, no
/// comparison is true.
fn has_area([p0, p1, p2]: [V3; 3]) -> bool {
    let certain = cross(minus(p1, p0), minus(p2, p0))
        .iter()
        .any(|component| component.value.abs() > component.error + LEAST);
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
        let area = |[a, b, c]: [[f32; 3]; 3]| {
            let narrow = Triangle::new(a, b, c);
            assert_eq!(
                Triangle64::from(narrow).is_degenerate(),
                narrow.is_degenerate()
            );
            !narrow.is_degenerate()
        };
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

    #[test]
    fn the_last_bit_of_an_f64_makes_an_area() {
        let area = |c: [[f64; 3]; 3]| !Triangle64::new(c[0], c[1], c[2]).is_degenerate();
        for size in [1e-320, 1e-300, 1e-160, 1.0, 5.2e6, 1e300] {
            let line = [[0.0; 3], [size, size, 0.0], [3.0 * size, 3.0 * size, 0.0]];
            assert!(!area(line), "{size}");
            let mut bent = line;
            bent[2][1] = bent[2][1].next_up();
            assert!(area(bent), "{size}");
        }
        assert!(!area([[-f64::MAX; 3], [0.0; 3], [f64::MAX; 3]]));
        assert!(!area([[f64::INFINITY, 0.0, 0.0], [1.0; 3], [0.0; 3]]));
    }
}

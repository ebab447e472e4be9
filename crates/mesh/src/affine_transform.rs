//! The effect of a transform on the orientation of triangles and on normals.

use estoc_core::PlacementMatrix;
use estoc_core::glam::{DAffine3, DMat3, DVec3};

/// Returns whether a transform reverses the orientation of triangles; glTF (3.7.2.1) then requires
/// the order of their corners to be reversed. Decided exactly; one that flattens space reverses nothing.
pub(crate) fn is_mirrored(transform: &DAffine3) -> bool {
    PlacementMatrix::try_new(transform).is_ok_and(|matrix| matrix.is_mirrored())
}

/// Returns the columns scaled to length 1, and their lengths; zero columns stay zero.
fn unit_columns(matrix: DMat3) -> (DMat3, DVec3) {
    let of = |column: DVec3| {
        // Scaled first, because squares of very small or large numbers would underflow or overflow.
        let largest = column.abs().max_element();
        match largest == 0.0 {
            true => (column, 0.0),
            false => {
                let column = column / largest;
                let length = column.length();
                (column / length, length * largest)
            }
        }
    };
    let [(a, i), (b, j), (c, k)] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(of);
    (DMat3::from_cols(a, b, c), DVec3::new(i, j, k))
}

/// The transform of normals: the transposed inverse of the linear part.
///
/// A transform of rank 2 keeps the normals that are not mapped into its plane and makes them
/// perpendicular to it; one of rank 1 or 0 keeps none.
pub(crate) struct NormalTransform {
    /// The cofactors of the columns scaled to length 1, with the sign of their determinant.
    cofactors: DMat3,
    /// The factors that coordinates of normals are multiplied by first, at most 1.
    weights: DVec3,
}

impl NormalTransform {
    /// Returns `None` if normals do not change.
    pub(crate) fn of(transform: &DAffine3) -> Option<NormalTransform> {
        if transform.matrix3 == DMat3::IDENTITY {
            return None;
        }
        let (columns, lengths) = unit_columns(transform.matrix3);
        let [a, b, c] = [columns.x_axis, columns.y_axis, columns.z_axis];
        // The cofactor matrix is the transposed inverse times the determinant.
        let cofactors = DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b));
        let shortest = lengths.min_element();
        let weight = |length: f64| match length == shortest {
            // This includes the case that both are 0.
            true => 1.0,
            false => shortest / length,
        };
        Some(NormalTransform {
            cofactors: cofactors * a.dot(b.cross(c)).signum(),
            weights: DVec3::from_array(lengths.to_array().map(weight)),
        })
    }

    /// Returns the transformed normal, scaled to length 1; not finite if the transform keeps none.
    #[inline]
    pub(crate) fn turn(&self, normal: DVec3) -> DVec3 {
        let turned = self.cofactors * (self.weights * normal);
        (turned / turned.abs().max_element()).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_turn_with_transforms_of_every_size() {
        let diagonal = |x: f64, y, z| DAffine3::from_scale(DVec3::new(x, y, z));
        let slanted = DVec3::new(0.6, 0.0, 0.8);
        let half = DVec3::new(0.5, 0.5, 0.5).normalize();
        for (transform, normal, expected) in [
            (diagonal(2.0, 2.0, 2.0), slanted, Some(slanted)),
            (diagonal(1e-150, 1e-150, 1e-150), slanted, Some(slanted)),
            (diagonal(1e200, 1e200, 1e200), slanted, Some(slanted)),
            (diagonal(1e-200, 1e-200, 1.0), DVec3::Z, Some(DVec3::Z)),
            (diagonal(1e-200, 1.0, 1.0), half, Some(DVec3::X)),
            (
                diagonal(0.75, 1.0, 1.0),
                slanted,
                Some(DVec3::new(0.5, 0.0, 0.5).normalize()),
            ),
            (
                diagonal(-1.0, 1.0, 1.0),
                slanted,
                Some(DVec3::new(-0.6, 0.0, 0.8)),
            ),
            (diagonal(-1.0, -1.0, -1.0), slanted, Some(-slanted)),
            // Of rank 2, and of rank 1.
            (diagonal(1.0, 1.0, 0.0), slanted, Some(DVec3::Z)),
            (diagonal(1.0, 1.0, 0.0), DVec3::X, None),
            (diagonal(1.0, 0.0, 0.0), slanted, None),
            (diagonal(0.0, 0.0, 0.0), slanted, None),
        ] {
            let turned = NormalTransform::of(&transform).unwrap().turn(normal);
            match expected {
                None => assert!(!turned.is_finite(), "{transform} {turned}"),
                Some(expected) => {
                    assert!((turned - expected).length() < 1e-15, "{transform} {turned}");
                }
            }
        }
    }

    #[test]
    fn mirrors_are_seen_at_every_size() {
        for scale in [1e-200, 1.0, 1e200] {
            for (signs, mirrored) in [
                ([1.0; 3], false),
                ([-1.0; 3], true),
                ([-1.0, 1.0, -1.0], false),
            ] {
                let transform = DAffine3::from_scale(scale * DVec3::from_array(signs));
                assert_eq!(is_mirrored(&transform), mirrored, "{transform}");
            }
        }
        assert!(!is_mirrored(&DAffine3::from_scale(DVec3::new(
            -1.0, 1.0, 0.0
        ))));
    }
}

//! The ray in an object's space, rounded once.

use super::shape_line::Local;
use super::{PlacementMatrix, WorldLine};
use crate::arithmetic::{Dyadic, Pair, Ratio};
use core::cell::LazyCell;
use glam::DVec3;

/// The line of a ray in the space of an object, for the shapes of users. Its parameters are those of
/// the ray in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectRay {
    /// The point at `t = 0`.
    pub origin: DVec3,
    /// The direction; its length is the unit of `t`.
    pub dir: DVec3,
}

impl ObjectRay {
    /// Returns a line of the world in an object's space: each number is the `f64` nearest to that of
    /// the exact image, ties to even. Returns `None` where one is beyond the range of `f64`, or no
    /// direction is left.
    pub fn of(line: &WorldLine, matrix: &PlacementMatrix) -> Option<Self> {
        let (origin, dir) = match is_translation(matrix) {
            true => {
                let moved = matrix.translation();
                let origin = [0, 1, 2].map(|axis| line.origin[axis] - moved[axis]);
                (origin, line.dir)
            }
            false => {
                let quick = Local::<Pair>::of_object(line, matrix);
                let exact = LazyCell::new(|| Local::<Dyadic>::of_object(line, matrix));
                let nearest = |num: &Pair, exact_num: &dyn Fn() -> Dyadic| {
                    num.over(&quick.det, 0.0)
                        .unwrap_or_else(|| Ratio::new(exact_num(), exact.det.clone()).to_f64())
                };
                let axes = [0, 1, 2];
                (
                    axes.map(|i: usize| nearest(&quick.origin[i], &|| exact.origin[i].clone())),
                    axes.map(|i: usize| nearest(&quick.dir[i], &|| exact.dir[i].clone())),
                )
            }
        };
        // Turns -0 into +0, wherever it came from.
        let [origin, dir] = [origin, dir].map(|v| DVec3::from(v) + 0.0);
        let is_usable = origin.is_finite() && dir.is_finite() && dir != DVec3::ZERO;
        is_usable.then_some(ObjectRay { origin, dir })
    }

    /// Returns the point `origin + t * dir`, computed in `f64`.
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + t * self.dir
    }
}

/// Returns whether a matrix only moves, so that a difference is all that has to be rounded.
fn is_translation(matrix: &PlacementMatrix) -> bool {
    let [x, y, z] = matrix.rows().map(|[x, y, z, _]| [x, y, z]);
    [x, y, z] == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;

    /// Multiplied by the matrix, the neighbours of each number are on different sides of the true one,
    /// and none is nearer. The matrix is diagonal but for a permutation, so that one division is the
    /// nearest number.
    #[test]
    fn numbers_are_the_nearest() {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        for round in 0..2_000 {
            let mut v = || [0; 3].map(|_| numbers.float(round % 4));
            let (origin, dir, scale) = (v(), v(), v());
            let [a, b, c] = scale;
            let rows = [[0.0, a, 0.0, 0.0], [0.0, 0.0, b, 0.0], [c, 0.0, 0.0, 0.0]];
            let Ok(matrix) = PlacementMatrix::from_rows(rows) else {
                continue;
            };
            let line = WorldLine { origin, dir };
            let of = |v: [f64; 3]| DVec3::new(v[2] / c, v[0] / a, v[1] / b) + 0.0;
            let expected = ObjectRay {
                origin: of(origin),
                dir: of(dir),
            };
            match ObjectRay::of(&line, &matrix) {
                Some(ray) => assert_eq!(ray, expected),
                None => assert!(
                    !expected.origin.is_finite()
                        || !expected.dir.is_finite()
                        || expected.dir == DVec3::ZERO
                ),
            }
        }
    }

    /// Under matrices of every kind, what pairs of `f64`s decide is the exact quotient, rounded.
    #[test]
    fn pairs_round_as_exact_numbers_do() {
        let mut numbers = Numbers(0x1357_9bdf_0246_8ace);
        let mut rays = 0;
        for round in 0..600 {
            let mut v = |kind: u64| [0; 3].map(|_| numbers.float(kind));
            let (origin, dir) = (v(round % 4), v(4));
            let rows = [0; 3].map(|_| {
                let [x, y, z] = v(round % 5);
                [x, y, z, v(round % 3)[0]]
            });
            let Ok(matrix) = PlacementMatrix::from_rows(rows) else {
                continue;
            };
            let line = WorldLine { origin, dir };
            let local = Local::<Dyadic>::of_object(&line, &matrix);
            let exact = |num: &Dyadic| Ratio::new(num.clone(), local.det.clone()).to_f64();
            let Some(ray) = ObjectRay::of(&line, &matrix) else {
                continue;
            };
            assert_eq!(ray.origin.to_array(), local.origin.each_ref().map(exact));
            assert_eq!(ray.dir.to_array(), local.dir.each_ref().map(exact));
            rays += 1;
        }
        assert!(rays > 300, "{rays}");
    }

    /// A shear, a rotation by a right triangle, a translation far out; each with an exact image.
    #[test]
    fn exact_images_are_themselves() {
        let rows = [
            [3.0, 4.0, 0.0, 1e9],
            [-4.0, 3.0, 0.0, 5.0],
            [1.0, 0.0, 2.0, -7.0],
        ];
        let matrix = PlacementMatrix::from_rows(rows).unwrap();
        let (point, dir) = (DVec3::new(0.5, -3.25, 1e5), DVec3::new(1.0, 0.0, -0.125));
        let line = WorldLine {
            origin: matrix.to_affine().transform_point3(point).into(),
            dir: matrix.to_affine().transform_vector3(dir).into(),
        };
        let ray = ObjectRay::of(&line, &matrix).unwrap();
        assert_eq!((ray.origin, ray.dir), (point, dir));
        // 1/3 is rounded once.
        let third = PlacementMatrix::from_rows([
            [3.0, 0.0, 0.0, 0.0],
            [0.0, 3.0, 0.0, 0.0],
            [3.0, 3.0, 3.0, 0.0],
        ]);
        let line = WorldLine {
            origin: [1.0, 0.0, 1.0],
            dir: [0.0, 0.0, 1.0],
        };
        let ray = ObjectRay::of(&line, &third.unwrap()).unwrap();
        assert_eq!(ray.origin, DVec3::new(1.0 / 3.0, 0.0, 0.0));
        let moved = PlacementMatrix::try_new(&glam::DAffine3::from_translation(DVec3::splat(0.1)));
        let ray = ObjectRay::of(&line, &moved.unwrap()).unwrap();
        assert_eq!(ray.origin, DVec3::new(1.0 - 0.1, -0.1, 1.0 - 0.1));
    }

    #[test]
    fn numbers_beyond_f64_are_none() {
        let scale = |x: f64| {
            let rows = [[x, 0.0, 0.0, 0.0], [0.0, x, 0.0, 0.0], [0.0, 0.0, x, 0.0]];
            PlacementMatrix::from_rows(rows).unwrap()
        };
        let line = |origin: f64, dir: f64| WorldLine {
            origin: [origin; 3],
            dir: [dir; 3],
        };
        assert!(ObjectRay::of(&line(1e300, 1.0), &scale(1e-10)).is_none());
        assert!(ObjectRay::of(&line(1.0, 1e-300), &scale(1e100)).is_none());
        assert!(ObjectRay::of(&line(1.0, 1e300), &scale(1e-100)).is_none());
        assert!(ObjectRay::of(&line(1e300, 1e300), &scale(1e300)).is_some());
    }
}

//! Affine matrices of `f64`s that have an inverse.

use super::scale_rotation_translation;
use crate::arithmetic::{
    Dyadic, InlineMap, Number, V3, Vector, exact, exact_triple, triple, two_product, two_sum,
};
use core::fmt;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// The matrix of a placement: an affine map of an object's space to the world that has an inverse.
///
/// Any such matrix of finite numbers: with shear, a mirror, and a different scale along each axis.
/// It maps the point p to `A p + m`, where A are the first three columns and m is the fourth.
///
/// ```
/// # mod estoc { pub use estoc_core::glam; pub mod scene { pub use estoc_core::*; } }
/// use estoc::{glam::DAffine3, scene::{MatrixError, PlacementMatrix}};
/// let moved = PlacementMatrix::try_new(&DAffine3::from_translation([4e6, 0.0, 1.0].into()))?;
/// assert_eq!(moved.rows()[0], [1.0, 0.0, 0.0, 4e6]);
/// let flat = DAffine3::from_scale([1.0, 1.0, 0.0].into());
/// assert_eq!(PlacementMatrix::try_new(&flat), Err(MatrixError::Singular));
/// # Ok::<(), MatrixError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacementMatrix {
    rows: [[f64; 4]; 3],
}

impl PlacementMatrix {
    /// The matrix that leaves every point where it is.
    pub const IDENTITY: PlacementMatrix = PlacementMatrix {
        rows: [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ],
    };

    /// Returns the matrix of these rows, each of three factors and the translation along one axis.
    ///
    /// # Errors
    /// [`MatrixError::NotFinite`] for an entry that is NaN or infinite, and
    /// [`MatrixError::Singular`] where there is no inverse, which is decided exactly.
    pub fn from_rows(rows: [[f64; 4]; 3]) -> Result<Self, MatrixError> {
        for (row, entries) in rows.iter().enumerate() {
            for (column, &value) in entries.iter().enumerate() {
                if !value.is_finite() {
                    return Err(MatrixError::NotFinite { row, column, value });
                }
            }
        }
        let [a, b, c] = rows.map(|[x, y, z, _]| [x, y, z]);
        match sign_of_volume(a, b, c) {
            0 => Err(MatrixError::Singular),
            _ => Ok(PlacementMatrix { rows }),
        }
    }

    /// Returns the matrix of a map.
    ///
    /// # Errors
    /// The same as for [`from_rows`](Self::from_rows).
    pub fn try_new(map: &DAffine3) -> Result<Self, MatrixError> {
        let (linear, moved) = (map.matrix3.transpose(), map.translation);
        let row = |axis: usize| {
            let [x, y, z] = linear.col(axis).to_array();
            [x, y, z, moved[axis]]
        };
        PlacementMatrix::from_rows([row(0), row(1), row(2)])
    }

    /// Returns the matrix that scales along the axes, then rotates, then translates, as a node of glTF does.
    ///
    /// Each entry is the `f64` nearest to that of exact arithmetic on the numbers given, ties to even. The
    /// quaternion may have any length but 0, and is divided by it exactly: written with a few digits, as files
    /// have it, it still is a rotation and no scale.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::glam; pub mod scene { pub use estoc_core::*; } }
    /// use estoc::{glam::{DQuat, DVec3}, scene::PlacementMatrix};
    /// let quarter = DQuat::from_xyzw(0.0, 0.0, 0.7071, 0.7071);
    /// let moved = DVec3::new(4e6, 0.0, 1.0);
    /// let matrix = PlacementMatrix::from_scale_rotation_translation(DVec3::splat(2.0), quarter, moved)?;
    /// assert_eq!(matrix.rows(), [[0.0, -2.0, 0.0, 4e6], [2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 1.0]]);
    /// # Ok::<(), estoc::scene::MatrixError>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::Rotation`] for a quaternion that is zero, NaN or infinite, and those of
    /// [`from_rows`](Self::from_rows): [`MatrixError::Singular`] for a scale of 0.
    pub fn from_scale_rotation_translation(
        scale: DVec3,
        rotation: DQuat,
        translation: DVec3,
    ) -> Result<Self, MatrixError> {
        let map = scale_rotation_translation(scale, rotation, translation);
        let xyzw = rotation.to_array();
        PlacementMatrix::try_new(&map.ok_or(MatrixError::Rotation { xyzw })?)
    }

    /// Returns whether the matrix mirrors, so that it exchanges the sides of triangles; decided exactly.
    pub fn is_mirrored(&self) -> bool {
        let [a, b, c] = self.rows.map(|[x, y, z, _]| [x, y, z]);
        sign_of_volume(a, b, c) < 0
    }

    /// Returns the rows, each of three factors and the translation along one axis.
    #[inline(always)]
    pub fn rows(&self) -> [[f64; 4]; 3] {
        self.rows
    }

    /// Returns the map.
    pub fn to_affine(&self) -> DAffine3 {
        let [x, y, z] = self.rows.map(|[x, y, z, _]| DVec3::new(x, y, z));
        DAffine3 {
            matrix3: DMat3::from_cols(x, y, z).transpose(),
            translation: self.translation().into(),
        }
    }

    /// Returns the last column: where the object's origin is in the world.
    #[inline(always)]
    pub fn translation(&self) -> [f64; 3] {
        let [x, y, z] = &self.rows;
        [x[3], y[3], z[3]]
    }

    /// Returns the image of a vector, without the translation.
    #[inline(always)]
    pub(crate) fn image_of<N: Number>(&self, v: &Vector<N>) -> Vector<N> {
        self.rows.map(|[x, y, z, _]| {
            let sum = N::exactly(x).times(&v[0]).plus(&N::exactly(y).times(&v[1]));
            sum.plus(&N::exactly(z).times(&v[2]))
        })
    }

    /// Returns at least the sum of the sizes of the three factors of each row.
    #[inline(always)]
    pub(crate) fn norm(&self) -> f64 {
        let sums = self
            .rows
            .inline_map(|[x, y, z, _]| x.abs() + y.abs() + z.abs());
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        // More than its roundings.
        larger(larger(sums[0], sums[1]), sums[2]) * (1.0 + 2.0 * f64::EPSILON)
    }

    /// Returns the matrix that maps by `inner` and then by `self`, with each entry the `f64` nearest
    /// to that of the exact product, ties to even.
    ///
    /// # Errors
    /// The same as for [`from_rows`](Self::from_rows), of the rounded matrix: an entry may overflow,
    /// and rounding may leave no inverse.
    pub fn compose(&self, inner: &PlacementMatrix) -> Result<PlacementMatrix, MatrixError> {
        let rows = core::array::from_fn(|row| {
            core::array::from_fn(|column| {
                let [x, y, z, moved] = self.rows[row];
                let of = |axis: usize| inner.rows[axis][column];
                let last = if column == 3 { moved } else { 0.0 };
                nearest_sum([[x, of(0)], [y, of(1)], [z, of(2)]], last)
            })
        });
        PlacementMatrix::from_rows(rows)
    }

    /// Returns whether no entry of the composed matrix was rounded below the normal numbers, where
    /// rounding may lose any part of an entry.
    pub fn composes_normally(&self, inner: &PlacementMatrix) -> bool {
        let exact_entry = |row: usize, column: usize| {
            let [x, y, z, moved] = self.rows[row].map(Dyadic::from_f64);
            let of = |axis: usize| Dyadic::from_f64(inner.rows[axis][column]);
            let sum = x.mul(&of(0)).add(&y.mul(&of(1))).add(&z.mul(&of(2)));
            if column == 3 { sum.add(&moved) } else { sum }
        };
        (0..3).all(|row| {
            (0..4).all(|column| {
                let exact = exact_entry(row, column);
                let rounded = exact.to_f64();
                rounded.abs() >= f64::MIN_POSITIVE
                    || exact.sub(&Dyadic::from_f64(rounded)).sign() == 0
            })
        })
    }
}

/// Returns the sign of the determinant.
fn sign_of_volume(a: V3, b: V3, c: V3) -> i32 {
    // Within these, no product of three is beyond the normal numbers.
    let is_usual = |x: &f64| *x == 0.0 || (1e-90..1e90).contains(&x.abs());
    if [a, b, c].iter().flatten().all(is_usual)
        && let Some(sign) = triple(a, b, c).sign()
    {
        return sign;
    }
    exact_triple(&exact(a), &exact(b), &exact(c)).sign()
}

/// Returns the `f64` nearest to the sum of three products and a number, ties to even.
fn nearest_sum(products: [[f64; 2]; 3], last: f64) -> f64 {
    // Within these, neither a product nor its rounding error is beyond the normal numbers.
    let is_usual = |x: &f64| *x == 0.0 || (1e-120..1e120).contains(&x.abs());
    if products.iter().flatten().chain([&last]).all(is_usual)
        && let Some(sum) = nearest_sum_in_pairs(products, last)
    {
        return sum;
    }
    let mut sum = Dyadic::from_f64(last);
    for [a, b] in products {
        sum = sum.add(&Dyadic::from_f64(a).mul(&Dyadic::from_f64(b)));
    }
    sum.to_f64()
}

/// Returns the nearest `f64` if the rounding errors decide it.
///
/// The products and the sums are exact in pairs of numbers. With v = 2^-53, the seven small halves are
/// added with six roundings, so their sum is off by less than 7v of the sum of their sizes; 16v covers
/// that, and the roundings of the bound and of the two ends. Rounding is monotonic: if both ends round
/// to one number, so does the true sum.
fn nearest_sum_in_pairs([[a, b], [c, d], [e, f]]: [[f64; 2]; 3], last: f64) -> Option<f64> {
    let [(p, p_rest), (q, q_rest), (r, r_rest)] =
        [two_product(a, b), two_product(c, d), two_product(e, f)];
    let (sum, sum_rest) = two_sum(p, q);
    let (sum, more_rest) = two_sum(sum, r);
    let (sum, last_rest) = two_sum(sum, last);
    let rests = [p_rest, q_rest, r_rest, sum_rest, more_rest, last_rest];
    let rest: f64 = rests.iter().sum();
    let size: f64 = rests.iter().map(|rest| rest.abs()).sum();
    let error = size * (8.0 * f64::EPSILON);
    let (low, high) = (sum + (rest - error), sum + (rest + error));
    (low == high).then_some(low + 0.0)
}

/// The reason why a matrix places nothing.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// An entry is NaN or infinite.
    #[error(
        "the matrix's entry in row {row}, column {column} (from 0) is {value} but must be finite"
    )]
    NotFinite {
        /// Its row, from 0.
        row: usize,
        /// Its column, from 0; 3 for the translation.
        column: usize,
        /// Its value.
        value: f64,
    },
    /// The determinant is exactly 0.
    #[error(
        "the matrix flattens space (its determinant is 0), so it has no inverse: use nonzero scales \
         on all axes"
    )]
    Singular,
    /// The quaternion of a rotation is zero, NaN or infinite.
    #[error(
        "the rotation {xyzw:?} must be a quaternion x, y, z, w of finite numbers that are not all 0; use \
         [0, 0, 0, 1] for none"
    )]
    Rotation {
        /// The quaternion: x, y, z and w.
        xyzw: [f64; 4],
    },
}

/// The rows, in brackets.
impl fmt::Display for PlacementMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.rows;
        write!(f, "[{x:?}, {y:?}, {z:?}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;

    fn rows(numbers: &mut Numbers, kind: u64) -> [[f64; 4]; 3] {
        core::array::from_fn(|_| {
            core::array::from_fn(|_| numbers.float(kind) * (1.0 + numbers.float(4) * 1e-8))
        })
    }

    #[test]
    fn composed_entries_are_the_nearest() {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let (mut composed, mut refused) = (0, 0);
        for round in 0..4_000 {
            let (kind, other) = (round % 5, round / 5 % 5);
            let (a, b) = (rows(&mut numbers, kind), rows(&mut numbers, other));
            let (Ok(outer), Ok(inner)) =
                (PlacementMatrix::from_rows(a), PlacementMatrix::from_rows(b))
            else {
                continue;
            };
            let Ok(both) = outer.compose(&inner) else {
                refused += 1;
                continue;
            };
            composed += 1;
            for (row, column) in (0..3).flat_map(|row| (0..4).map(move |column| (row, column))) {
                let mut sum = Dyadic::from_f64(if column == 3 { a[row][3] } else { 0.0 });
                for axis in 0..3 {
                    let product = Dyadic::from_f64(a[row][axis]);
                    sum = sum.add(&product.mul(&Dyadic::from_f64(b[axis][column])));
                }
                assert_eq!(both.rows()[row][column].to_bits(), sum.to_f64().to_bits());
            }
        }
        assert!(composed > 2_000, "{composed} {refused}");
    }

    #[test]
    fn matrices_without_an_inverse_are_refused_exactly() {
        let tiny = f64::from_bits(1);
        let scale = |x: f64| [[x, 0.0, 0.0, 9.0], [0.0, x, 0.0, 9.0], [0.0, 0.0, x, 9.0]];
        for x in [tiny, 1e-200, 1.0, -1e200, f64::MAX] {
            assert!(PlacementMatrix::from_rows(scale(x)).is_ok(), "{x}");
        }
        assert_eq!(
            PlacementMatrix::from_rows(scale(0.0)),
            Err(MatrixError::Singular)
        );
        // The last row is the sum of the others, exactly, and one step beside it.
        let mut rows = [[0.1, 0.7, 3.0, 0.0], [0.3, -0.2, 5.0, 0.0], [0.0; 4]];
        rows[2] = [0.1 * 2.0, 0.7 * 2.0, 6.0, 1.0];
        assert_eq!(PlacementMatrix::from_rows(rows), Err(MatrixError::Singular));
        rows[2][0] = rows[2][0].next_up();
        assert!(PlacementMatrix::from_rows(rows).is_ok());
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut rows = scale(1.0);
            rows[1][3] = bad;
            let error = PlacementMatrix::from_rows(rows).unwrap_err();
            assert!(
                matches!(
                    error,
                    MatrixError::NotFinite {
                        row: 1,
                        column: 3,
                        ..
                    }
                ),
                "{error}"
            );
        }
        // What is lost below the normal numbers is told, and what is exact there is not.
        let tiny = PlacementMatrix::from_rows(scale(2f64.powi(-600))).unwrap();
        let odd = PlacementMatrix::from_rows(scale(1.5 * 2f64.powi(-537))).unwrap();
        let half = PlacementMatrix::from_rows(scale(1.25 * 2f64.powi(-537))).unwrap();
        let one = PlacementMatrix::from_rows(scale(2f64.powi(-460))).unwrap();
        assert!(!odd.composes_normally(&half) && !odd.composes_normally(&odd));
        assert!(tiny.composes_normally(&one) && half.composes_normally(&PlacementMatrix::IDENTITY));
        // Composing may leave the range, or lose what made an inverse.
        let large = PlacementMatrix::from_rows(scale(1e200)).unwrap();
        assert!(matches!(
            large.compose(&large),
            Err(MatrixError::NotFinite { .. })
        ));
        let small = PlacementMatrix::from_rows(scale(1e-200)).unwrap();
        assert_eq!(small.compose(&small), Err(MatrixError::Singular));
        assert!(small.compose(&large).is_ok());
    }
}

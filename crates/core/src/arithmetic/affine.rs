//! Affine matrices and their inverses in `f64`.

use crate::arithmetic::{exact, exact_triple};
use core::fmt;
use glam::{DMat3, DVec3, Mat4, Vec3, Vec4};

/// The inverse of an affine matrix of `f32`s.
///
/// Whether it exists is decided exactly. Its entries are within a few units in the last place of
/// `f64` however close to singular the matrix is: a 2x2 determinant of `f32`s is rounded once in
/// `f64`, and the 3x3 determinant is computed exactly before it is rounded.
pub(crate) struct AffineInverse {
    pub(crate) linear: DMat3,
    translation: DVec3,
}

impl AffineInverse {
    pub(crate) fn try_new(matrix: &Mat4) -> Result<Self, TransformError> {
        let (columns, translation) = columns(matrix).map_err(TransformError::Entry)?;
        let [a, b, c] = columns.map(Vec3::as_dvec3);
        let minors = [b.cross(c), c.cross(a), a.cross(b)];
        let [x, y, z] = [a, b, c].map(|column| exact(column.to_array()));
        let determinant = exact_triple(&x, &y, &z).estimate();
        if determinant == 0.0 {
            return Err(TransformError::Singular);
        }
        let [x, y, z] = minors.map(|row| row / determinant);
        Ok(AffineInverse {
            linear: DMat3::from_cols(x, y, z).transpose(),
            translation: translation.as_dvec3(),
        })
    }

    /// Returns the point that the matrix maps to `point`.
    pub(crate) fn point(&self, point: DVec3) -> DVec3 {
        self.vector(point - self.translation)
    }

    /// Returns the vector that the matrix maps to `vector`.
    pub(crate) fn vector(&self, vector: DVec3) -> DVec3 {
        self.linear * vector
    }
}

/// Returns the images of the axes and of the origin, for an affine and finite matrix.
pub(crate) fn columns(matrix: &Mat4) -> Result<([Vec3; 3], Vec3), MatrixEntry> {
    for column in 0..4 {
        for row in 0..4 {
            let expected = match (row, column) {
                (3, 3) => ExpectedEntry::One,
                (3, _) => ExpectedEntry::Zero,
                _ => ExpectedEntry::Finite,
            };
            MatrixEntry::check(matrix, row, column, expected)?;
        }
    }
    let [a, b, c, d] = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
    Ok(([a, b, c].map(Vec4::truncate), d.truncate()))
}

/// The reason why a ray cannot be transformed to an object's space.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransformError {
    /// An entry is not finite, or the last row is not (0, 0, 0, 1).
    #[error("the matrix is not affine: {0}")]
    Entry(MatrixEntry),
    /// The determinant of the upper left 3x3 part is exactly 0: the matrix flattens space.
    #[error(
        "the matrix flattens space (its determinant is 0), so it has no inverse: use nonzero \
         scales on all axes"
    )]
    Singular,
    /// At the same `t`, the transformed ray's numbers are too large or too small for `f32`.
    #[error(
        "the transformed ray (origin {:?}, direction {:?}) exceeds the range of f32: normalise the \
         ray first, or use scales closer to 1",
        <(f64, f64, f64)>::from(*.origin),
        <(f64, f64, f64)>::from(*.dir)
    )]
    OutOfRange {
        /// The transformed origin.
        origin: DVec3,
        /// The transformed direction.
        dir: DVec3,
    },
}

/// An entry of a 4x4 matrix with a value that is not allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixEntry {
    /// Its row, from 0. Matrices are multiplied by column vectors.
    pub row: usize,
    /// Its column, from 0.
    pub column: usize,
    /// Its value.
    pub value: f32,
    /// The requirement that the value does not meet.
    pub expected: ExpectedEntry,
}

/// A requirement on an entry of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpectedEntry {
    /// Neither NaN nor infinite.
    Finite,
    /// Finite and not 0.
    NonZero,
    /// 0, of either sign.
    Zero,
    /// 1.
    One,
}

impl MatrixEntry {
    /// Returns the entry, or the requirement that it does not meet.
    pub(crate) fn check(
        matrix: &Mat4,
        row: usize,
        column: usize,
        expected: ExpectedEntry,
    ) -> Result<f32, MatrixEntry> {
        let value = matrix.col(column)[row];
        let right = match expected {
            ExpectedEntry::Finite => value.is_finite(),
            ExpectedEntry::NonZero => value.is_finite() && value != 0.0,
            ExpectedEntry::Zero => value == 0.0,
            ExpectedEntry::One => value == 1.0,
        };
        if right {
            Ok(value)
        } else {
            Err(MatrixEntry {
                row,
                column,
                value,
                expected,
            })
        }
    }
}

impl fmt::Display for MatrixEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let must = match self.expected {
            ExpectedEntry::Finite => "must be finite",
            ExpectedEntry::NonZero => "must be finite and not 0",
            ExpectedEntry::Zero => "must be 0",
            ExpectedEntry::One => "must be 1",
        };
        write!(
            f,
            "the entry in row {}, column {} (from 0) is {} but {must}",
            self.row, self.column, self.value
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a product of integer shears and its inverse: both have integer entries, are exactly
    /// known, and are as close to singular as `f32` allows.
    fn unimodular(seed: u32) -> (DMat3, DMat3) {
        let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let (mut matrix, mut inverse) = (DMat3::IDENTITY, DMat3::IDENTITY);
        loop {
            let (row, by) = (next() as usize % 3, f64::from(next() % 200) - 100.0);
            let column = (row + 1 + next() as usize % 2) % 3;
            let mut shear = DMat3::IDENTITY;
            shear.col_mut(column)[row] = by;
            let mut back = DMat3::IDENTITY;
            back.col_mut(column)[row] = -by;
            let larger = matrix * shear;
            if larger
                .abs()
                .to_cols_array()
                .iter()
                .any(|x| *x > 16_777_216.0)
            {
                return (matrix, inverse);
            }
            (matrix, inverse) = (larger, back * inverse);
        }
    }

    #[test]
    fn inverses_are_exact_however_flat_the_matrix() {
        let mut largest = 0f64;
        for seed in 0..500 {
            let (matrix, inverse) = unimodular(seed);
            largest = largest.max(
                inverse
                    .abs()
                    .to_cols_array()
                    .into_iter()
                    .fold(0.0, f64::max),
            );
            let affine = AffineInverse::try_new(&Mat4::from_mat3(matrix.as_mat3())).unwrap();
            assert_eq!(affine.linear, inverse, "seed {seed}: {matrix}");
        }
        // Otherwise no matrix here was nearly singular.
        assert!(largest > 1e9, "{largest}");
    }

    #[test]
    fn the_determinant_reaches_over_the_whole_range() {
        for size in [f32::from_bits(1), 1e-30, 1e30, f32::MAX] {
            let inverse = AffineInverse::try_new(&Mat4::from_scale(Vec3::splat(size))).unwrap();
            let back = inverse.vector(DVec3::splat(size.into()));
            assert!(
                (back - 1.0).abs().max_element() <= f64::EPSILON,
                "{size}: {back}"
            );
        }
    }
}

//! Whether composed matrices certainly have an inverse.

use crate::inverse::Inverse;
use estoc_core::PlacementMatrix;

/// Bounds of all matrices that are composed on the paths of an object.
///
/// A composed matrix is the product of its parts, each entry rounded once a level. The rounding of one
/// level changes it by at most u of the product of the parts' sizes, with u = 2^-53 and more where
/// entries are below the normal numbers. So the changes of all eight levels, seen by its inverse, are
/// at most eight times u times the product of the parts' condition numbers `|A^-1| |A|`; if that is
/// below 1, there is an inverse. Far less is asked for here, so that the errors of these bounds do not
/// matter, and that all norms are within 1e+-280, so that no entry overflows and what underflows is
/// far less than u.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    condition: f64,
    norm: f64,
    inverse_norm: f64,
}

impl Condition {
    /// That of an object without matrices.
    pub(crate) const NONE: Condition = Condition {
        condition: 1.0,
        norm: 1.0,
        inverse_norm: 1.0,
    };

    /// Returns the bounds of a matrix.
    pub(crate) fn of(matrix: &PlacementMatrix) -> Self {
        let Some((_, sizes)) = Inverse::with_sizes(matrix) else {
            return Condition {
                condition: f64::INFINITY,
                ..Condition::NONE
            };
        };
        let sums = matrix
            .rows()
            .map(|row| row.iter().map(|x| x.abs()).sum::<f64>());
        Condition {
            condition: sizes.condition * 2.0,
            norm: sums.into_iter().fold(1.0, f64::max) * 2.0,
            inverse_norm: sizes.norm.max(1.0) * 2.0,
        }
    }

    /// Returns the bounds of the products.
    pub(crate) fn then(&self, inner: &Condition) -> Self {
        Condition {
            condition: self.condition * inner.condition,
            norm: self.norm * inner.norm,
            inverse_norm: self.inverse_norm * inner.inverse_norm,
        }
    }

    /// Returns the bounds of either.
    pub(crate) fn or(&self, other: &Condition) -> Self {
        Condition {
            condition: self.condition.max(other.condition),
            norm: self.norm.max(other.norm),
            inverse_norm: self.inverse_norm.max(other.inverse_norm),
        }
    }

    /// Returns whether every composed matrix is finite and has an inverse.
    pub(crate) fn is_certain(&self) -> bool {
        self.condition <= 1e12 && self.norm <= 1e280 && self.inverse_norm <= 1e280
    }
}

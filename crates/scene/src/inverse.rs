//! The way from the world to an object's space, with bounds of the errors.

use estoc_bvh::MappedRay;
use estoc_core::exact::PreparedRay;
use estoc_core::{InlineMap, PlacementMatrix};

type V3 = [f64; 3];

const V: f64 = f64::EPSILON / 2.0;

/// An approximate inverse of a matrix, with a bound of its error.
///
/// # Bound
/// Let A be the matrix's linear part, B what is computed as its inverse by whatever formula, and
/// `R = I - B A`. Then `A^-1 x = (I - R)^-1 B x`, so with the largest row sum r of |R|, if that is
/// below 1, B x is off from `A^-1 x` by at most `r / (1 - r)` times its largest coordinate. An entry of
/// the computed R is off by at most 4 * 2^-53 of the sum of the sizes of its four terms; five times
/// that is granted. A matrix of which r is above 1/4 has no inverse here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inverse {
    rows: [V3; 3],
    translation: V3,
    /// At least `r / (1 - r)`.
    error: f64,
    /// The largest row sum of `|B| |A|`, a condition number.
    condition: f64,
}

impl Inverse {
    /// Returns `None` for a matrix that is too close to singular, or with numbers that are too large
    /// or too small, for `f64`.
    pub(crate) fn of(matrix: &PlacementMatrix) -> Option<Self> {
        let rows = matrix.rows();
        let [a, b, c] = rows.inline_map(|[x, y, z, _]| [x, y, z]);
        let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
        let inverse = 1.0 / (a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2]);
        // The columns of the inverse are the cross products of the rows.
        let rows_of = |axis: usize| [bc[axis] * inverse, ca[axis] * inverse, ab[axis] * inverse];
        let found = [rows_of(0), rows_of(1), rows_of(2)];
        let linear = [a, b, c];
        let (mut residue, mut condition) = (0.0f64, 0.0f64);
        for (row, found) in found.iter().enumerate() {
            let (mut off, mut sizes) = (f64::MIN_POSITIVE, 0.0);
            for (column, one) in identity(row).into_iter().enumerate() {
                let terms = [0, 1, 2].inline_map(|k: usize| found[k] * linear[k][column]);
                let size = terms[0].abs() + terms[1].abs() + terms[2].abs();
                let rest: f64 = one - terms[0] - terms[1] - terms[2];
                off += rest.abs() + (size + one) * (5.0 * V);
                sizes += size;
            }
            // In this form NaN is refused.
            let is_good = off <= 0.25;
            if !is_good {
                return None;
            }
            residue = residue.max(off);
            condition = condition.max(sizes);
        }
        Some(Inverse {
            rows: found,
            translation: rows.inline_map(|[_, _, _, moved]| moved),
            error: residue * 1.34,
            condition,
        })
    }

    pub(crate) fn condition(&self) -> f64 {
        self.condition
    }

    /// Returns the largest row sum of the inverse's entries.
    pub(crate) fn norm(&self) -> f64 {
        let sums = self.rows.map(|[x, y, z]| x.abs() + y.abs() + z.abs());
        sums.into_iter().fold(0.0, f64::max)
    }

    /// Returns the ray in the object's space. Parameters are those of the world.
    ///
    /// A coordinate has a rounded difference, which the direction has not, a rounded product, and two
    /// additions: at most four roundings of the sum of the sizes of its terms; five cover the roundings
    /// of that sum.
    pub(crate) fn map(&self, ray: &PreparedRay<'_>) -> MappedRay {
        let (o, m) = (ray.origin(), self.translation);
        let (origin, origin_error) = self.image([o[0] - m[0], o[1] - m[1], o[2] - m[2]]);
        let (dir, dir_error) = self.image(ray.dir());
        MappedRay {
            origin,
            dir,
            origin_error,
            dir_error,
            t_min: ray.t_min(),
        }
    }

    /// Returns `B x` with a bound of how far it is from `A^-1 x`.
    fn image(&self, x: V3) -> (V3, f64) {
        let (mut image, mut size, mut largest) = ([0.0; 3], 0.0f64, 0.0f64);
        for (axis, row) in self.rows.iter().enumerate() {
            let [p, q, r] = [row[0] * x[0], row[1] * x[1], row[2] * x[2]];
            image[axis] = p + q + r;
            size = size.max(p.abs() + q.abs() + r.abs());
            largest = largest.max(image[axis].abs());
        }
        let rounding = size * (5.0 * V);
        let error = rounding + (largest + rounding) * self.error;
        // More than underflows.
        (image, error + f64::MIN_POSITIVE)
    }
}

/// Returns a row of the identity.
fn identity(row: usize) -> V3 {
    [0, 1, 2].map(|column| if row == column { 1.0 } else { 0.0 })
}

fn cross(a: V3, b: V3) -> V3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

//! The way from the world to an object's space, with bounds of the errors.

use crate::spectral_norm::spectral_norm;
use estoc_bvh::object_space::{InverseMap, MappedRay};
use estoc_core::glam::DVec3;
use estoc_core::{InlineMap, PlacementMatrix};

type Vector3 = [f64; 3];

const V: f64 = f64::EPSILON / 2.0;

/// An approximate inverse of a matrix, with a bound of its error.
///
/// # Bound
/// Let A be the matrix's linear part, B what is computed as its inverse by whatever formula, and
/// `R = I - B A`. Then `A^-1 x = (I - R)^-1 B x`, so with the largest row sum r of |R|, if that is
/// below 1, B x is off from `A^-1 x` by at most `r / (1 - r)` times its largest coordinate, and what is
/// off by e before is off by at most `n e / (1 - r)` more, where n is the largest row sum of |B|. No
/// coordinate of B x is above n times the largest of x, and neither is the sum of the sizes of its terms.
/// An entry of
/// the computed R is off by at most 4 * 2^-53 of the sum of the sizes of its four terms; five times
/// that is granted. A matrix of which r is above 1/4 has no inverse here.
///
/// The share of the map bounds the error of a product in units of the largest coordinate: `n r / (1 - r)`,
/// and n times the roundings.
#[derive(Clone, Copy)]
pub(crate) struct Inverse<'a>(pub(crate) &'a InverseMap);

/// Sizes of the entries of a matrix and its inverse.
pub(crate) struct Sizes {
    /// The largest row sum of `|B| |A|`, a condition number.
    pub(crate) condition: f64,
    /// The largest row sum of |B|.
    pub(crate) norm: f64,
}

impl Inverse<'_> {
    /// Returns the inverse, which maps nothing for a matrix that is too close to singular, or with
    /// numbers that are too large or too small, for `f64`.
    pub(crate) fn of(matrix: &PlacementMatrix) -> InverseMap {
        Inverse::with_sizes(matrix).map_or(InverseMap::NONE, |(inverse, _)| inverse)
    }

    /// Returns the inverse with the sizes of its entries.
    pub(crate) fn with_sizes(matrix: &PlacementMatrix) -> Option<(InverseMap, Sizes)> {
        let rows = matrix.rows();
        let [a, b, c] = rows.inline_map(|[x, y, z, _]| [x, y, z]);
        let cross = |a: Vector3, b: Vector3| DVec3::from(a).cross(b.into()).to_array();
        let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
        let inverse = 1.0 / (a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2]);
        // The columns of the inverse are the cross products of the rows.
        let columns = [bc, ca, ab].inline_map(|x| x.inline_map(|x| x * inverse));
        let found = transposed(columns);
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
        let sums = found.inline_map(|[x, y, z]| x.abs() + y.abs() + z.abs());
        let norm = sums[0].max(sums[1]).max(sums[2]) * (1.0 + 4.0 * V);
        let share = rounded_up(norm * (residue * 1.34 + 7.0 * V));
        let map = InverseMap::new(columns, matrix.translation(), [rounded_up(norm), share]);
        Some((map, Sizes { condition, norm }))
    }

    /// Returns the ray in the object's space, from a parameter on; `None` if there is no inverse.
    /// Parameters are those of the world.
    ///
    /// A coordinate has a rounded difference, which the direction has not, a rounded product, and two
    /// additions: at most four roundings of the sum of the sizes of its terms; seven cover the roundings
    /// of the bounds.
    #[inline]
    pub(crate) fn map(&self, ray: &MappedRay, t_min: f64) -> Option<MappedRay> {
        if self.0.norm() == f32::INFINITY {
            return None;
        }
        let from = match t_min.is_finite() {
            true => ray.starting_at(t_min),
            false => *ray,
        };
        let moved = self.0.translation();
        let difference = [0, 1, 2].inline_map(|axis| from.origin[axis] - moved[axis]);
        let (origin, origin_error) = self.image(difference, from.origin_error);
        let (dir, dir_error) = self.image(ray.dir, ray.dir_error);
        Some(MappedRay {
            origin,
            dir,
            origin_error,
            dir_error,
            start: from.start,
            t_min,
        })
    }

    /// Returns how much the matrix and its inverse may stretch a vector; `None` if there is no inverse.
    ///
    /// `A^-1 = (I - R)^-1 B`, so the length of a vector grows by at most that of B divided by `1 - s`,
    /// where s bounds the factor of R: `sqrt(3) r`. The share is at least `1.34 n r`; 1.733 is more than
    /// sqrt(3) by more than the rounding of n.
    pub(crate) fn norms(&self, matrix: &PlacementMatrix) -> Option<Norms> {
        let residue = f64::from(self.0.share()) / f64::from(self.0.norm()) * (1.733 / 1.34);
        // In this form NaN has none: that of infinities.
        let is_good = residue < 0.5;
        let linear = matrix.rows().inline_map(|[x, y, z, _]| [x, y, z]);
        is_good.then(|| Norms {
            shrink: spectral_norm(transposed(self.0.columns())) / (1.0 - residue) * (1.0 + 4.0 * V),
            stretch: spectral_norm(linear),
        })
    }

    /// Returns a point in the object's space, with a bound of its distance from the true one. The point
    /// is at most `error` away from the one that is meant, and `moved` is the translation of the matrix.
    ///
    /// Roundings are those of [`map`](Self::map); the length of a vector is at most sqrt(3) times its
    /// largest coordinate.
    pub(crate) fn map_point(&self, point: Vector3, error: f64) -> (Vector3, f64) {
        let moved = self.0.translation();
        let difference = [0, 1, 2].inline_map(|axis| point[axis] - moved[axis]);
        let (image, error) = self.image(difference, error);
        (image, error * 1.733)
    }

    /// Returns `B x` with a bound of how far it is from `A^-1` of what x is off from by at most
    /// `before`.
    #[inline(always)]
    fn image(&self, x: Vector3, before: f64) -> (Vector3, f64) {
        let [a, b, c] = self.0.columns();
        let image =
            [0, 1, 2].inline_map(|row: usize| a[row] * x[0] + b[row] * x[1] + c[row] * x[2]);
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let largest = larger(larger(x[0].abs(), x[1].abs()), x[2].abs());
        let (norm, share) = (f64::from(self.0.norm()), f64::from(self.0.share()));
        let error = largest * share + before * norm * 1.34;
        // More than underflows.
        (image, error + f64::MIN_POSITIVE)
    }
}

/// Returns an `f32` that is no less; infinity for a number beyond.
fn rounded_up(x: f64) -> f32 {
    (x as f32).next_up()
}

/// Upper bounds of the factors by which lengths grow.
pub(crate) struct Norms {
    /// From the world to the object's space.
    pub(crate) shrink: f64,
    /// From the object's space to the world.
    pub(crate) stretch: f64,
}

fn transposed([a, b, c]: [Vector3; 3]) -> [Vector3; 3] {
    [0, 1, 2].inline_map(|row: usize| [a[row], b[row], c[row]])
}

/// Returns a row of the identity.
fn identity(row: usize) -> Vector3 {
    [0, 1, 2].map(|column| if row == column { 1.0 } else { 0.0 })
}

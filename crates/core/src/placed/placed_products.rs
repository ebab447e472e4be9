//! The polynomials of a ray and a placed triangle in `f64`, with bounds of their errors.
//!
//! With the matrix's linear part A, its translation m, the corners v of the object, and the ray's
//! origin o and direction d, the vectors of `exact/ray/products.rs` are
//!
//! `a = A v0 + (m - o)`, `e1 = A (v1 - v0)` and `e2 = A (v2 - v0)`:
//!
//! the translation does not enter the edges, whose errors are therefore small parts of their own
//! lengths.
//!
//! # Bound
//! Let v = 2^-53. A component is the sum of three products and, in `a`, a difference. Let S be the sum
//! of their sizes. A difference of corners, its product, and the sums of four numbers are at most
//! 1 + 1 + 3 roundings, in an edge 1 + 1 + 2; the first of them are not both in `a`. So a component
//! is off by at most 4v S, except for terms in v^2. S is at most the matrix's norm times the largest
//! coordinate that is multiplied, and the largest of the difference; `5v` of that covers these and the
//! roundings of S. What underflows is below 2^-1073 and covered by [`LEAST`].
//!
//! Let ra, r1, r2 bound these errors and A, E1, E2 the components, true and computed. A triple product
//! has six terms, and changes by at most `6 (ra E1 E2 + A r1 E2 + A E1 r2)` when its three vectors
//! change by their errors, one after the other. That is added to the bound of the rounding errors in
//! `exact/ray/products.rs`, which takes the computed vectors as given; for `den`, `d` has no error, and for
//! the edges the three such sums are added, as there. 6.1 covers the roundings.
//!
//! # Range
//! A, E1 and E2 must be within [`RANGE`], and D within [`RANGE_OF_DIRS`]. Then products of four are
//! between 2^-1000 and 2^1000, and so is what is divided.

use super::world_line::WorldLine;
use crate::arithmetic::{Bounded, InlineMap, Range, V3, Vector, largest, minus, power_of_two};
use crate::exact::Products;
use crate::placed::PlacementMatrix;
use crate::shapes::Triangle64;

/// 2^-250 to 2^250.
const RANGE: Range = Range::of_powers(-250, 250);
/// 2^-150 to 2^128: all `f32`s.
const RANGE_OF_DIRS: Range = Range::of_powers(-150, 128);
/// 2^-300 to 2^250.
const RANGE_OF_GAPS: Range = Range::of_powers(-300, 250);
/// 2^-300: more than what underflows, and too little to matter within [`RANGE`].
const LEAST: f64 = power_of_two(-300);
const FIVE_V: f64 = 5.0 * f64::EPSILON / 2.0;

/// A vector with a bound of the errors of its components, and one of their sizes.
pub(super) struct MappedVector {
    vector: V3,
    error: f64,
    size: f64,
}

impl MappedVector {
    /// Returns `A v + base`, with the norm of A.
    #[inline(always)]
    pub(super) fn of(matrix: &PlacementMatrix, norm: f64, v: V3, base: V3) -> Self {
        let rows = matrix.rows();
        let vector = [0, 1, 2].inline_map(|axis: usize| {
            let [x, y, z, _] = rows[axis];
            ((x * v[0] + y * v[1]) + z * v[2]) + base[axis]
        });
        let sizes = norm * largest(v) + largest(base);
        let error = FIVE_V * sizes + LEAST;
        MappedVector {
            vector,
            error,
            size: largest(vector) + error,
        }
    }

    /// Returns whether nothing overflowed.
    #[inline(always)]
    pub(super) fn is_finite(&self) -> bool {
        self.size.is_finite()
    }

    /// Returns the least and the largest value that a component may have, each rounded once.
    #[inline(always)]
    pub(super) fn range(&self, axis: usize) -> (f64, f64) {
        let x = self.vector[axis];
        (x - self.error, x + self.error)
    }

    /// Returns the components with their bounds.
    #[inline(always)]
    pub(super) fn bounded(&self) -> Vector<Bounded> {
        let error = self.error;
        self.vector.inline_map(|value| Bounded { value, error })
    }
}

/// Returns the polynomials, or `None` if a number is beyond the range of their bounds.
#[inline(always)]
pub(super) fn products(
    line: &WorldLine,
    matrix: &PlacementMatrix,
    triangle: &Triangle64,
) -> Option<Products> {
    let [v0, v1, v2] = triangle.coordinates();
    let norm = matrix.norm();
    let a = MappedVector::of(matrix, norm, v0, minus(matrix.translation(), line.origin));
    let e1 = MappedVector::of(matrix, norm, minus(v1, v0), [0.0; 3]);
    let e2 = MappedVector::of(matrix, norm, minus(v2, v0), [0.0; 3]);
    let is_usual = RANGE_OF_DIRS.contains(largest(line.dir))
        && RANGE.contains(e1.size)
        && RANGE.contains(e2.size)
        && RANGE_OF_GAPS.contains(a.size);
    if !is_usual {
        return None;
    }
    let mut found = Products::of_vectors(line.dir, a.vector, e1.vector, e2.vector);
    let dir = 6.1 * largest(line.dir);
    let both = e1.error * e2.size + e1.size * e2.error;
    found.num_error += 6.1 * (a.error * e1.size * e2.size + a.size * both);
    found.den_error += dir * both;
    let sides = a.error * (e1.size + e2.size) + a.size * (e1.error + e2.error);
    found.edge_error += dir * (sides + both);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::super::PlacedTriangle;
    use super::*;
    use crate::arithmetic::{Numbers, share_of_bound, usual_or_long};
    use crate::shapes::Ray;
    use glam::Vec3;

    /// Returns the largest ratio of error to bound, of `num`, `den` and the edges.
    fn shares(o: V3, d: V3, corners: [V3; 3], rows: [[f64; 4]; 3]) -> Option<[f64; 3]> {
        let narrow = |v: V3| Vec3::from(v.map(|x| x as f32));
        let ray = Ray::new(narrow(o), narrow(d));
        let ray = WorldLine::of(&crate::exact::PreparedRay::new(&ray)?);
        let matrix = PlacementMatrix::from_rows(rows).ok()?;
        let [p0, p1, p2] = corners;
        let triangle = Triangle64::new(p0, p1, p2);
        let found = products(&ray, &matrix, &triangle)?;
        let (world, line) = (PlacedTriangle::new(triangle, matrix).world(), ray.exactly());
        let share = |value, error, truth| share_of_bound(Bounded { value, error }, &truth);
        let edges = [0, 1, 2].map(|corner| {
            share(
                found.edges[corner],
                found.edge_error,
                line.edge(&world, corner),
            )
        });
        Some([
            share(found.num, found.num_error, line.num(&world)),
            share(found.den, found.den_error, line.den(&world)),
            edges.into_iter().fold(0.0, f64::max),
        ])
    }

    /// Random cases of every kind, and from each a walk to worse ones, as for `exact/ray/products.rs`.
    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let (starts, steps) = usual_or_long((300, 60), (20_000, 2_000));
        let mut numbers = Numbers(0x1234_5678_9abc_def1);
        let mut worst = [0.0f64; 3];
        for start in 0..starts {
            let mut case: [V3; 9] = core::array::from_fn(|_| numbers.vector());
            if start % 2 == 0 {
                case = case.map(|v| v.map(|_| numbers.float(4)));
            }
            // Corners and entries of 53 bits.
            for vector in &mut case[2..] {
                *vector = vector.map(|x| x * (1.0 + numbers.float(4) * 1e-3));
            }
            let of = |case: &[V3; 9]| {
                let [o, d, p0, p1, p2, x, y, z, moved] = *case;
                let rows = [0, 1, 2].map(|row| [x[row], y[row], z[row], moved[row]]);
                shares(o, d, [p0, p1, p2], rows)
            };
            let Some(mut best) = of(&case) else { continue };
            for _ in 0..steps {
                let mut next = case;
                let place = numbers.next();
                let vector = (place >> 8) as usize % 9;
                let number = &mut next[vector][(place >> 16) as usize % 3];
                *number = match place % 3 {
                    0 => numbers.float(4),
                    1 => -*number,
                    _ if vector < 2 => f64::from((*number as f32).next_up()),
                    _ => number.next_up(),
                };
                if let Some(found) = of(&next)
                    && found[start % 3] >= best[start % 3]
                {
                    (case, best) = (next, found);
                }
            }
            for (worst, found) in worst.iter_mut().zip(best) {
                *worst = worst.max(found);
            }
        }
        println!("worst errors of num, den, edges in shares of their bounds: {worst:.3?}");
        assert!(worst.iter().all(|&share| share > 0.02), "{worst:?}");
    }
}

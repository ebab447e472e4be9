//! The polynomials of the ray-triangle test in `f64`, from nine differences and two cross products.
//!
//! With `a = p0-o`, `e1 = p1-p0`, `e2 = p2-p0` and the order of work of Moeller and Trumbore
//! ("Fast, Minimum Storage Ray/Triangle Intersection", 1997), the polynomials of `polynomial.rs`
//! are
//!
//! - `den = d . n` and `num = a . n`, with `n = e1 x e2`;
//! - `e2 . q` and `-e1 . q`, with `q = a x d`, for the edges opposite to `p1` and `p2`;
//! - `den` minus these two for the edge opposite to `p0`.
//!
//! # Bound
//! There is one bound of each kind, from the largest components A, E1, E2, D of the four vectors,
//! where `polynomial.rs` adds up six absolute values for each. Let v = 2^-53. A triple product has
//! six terms, so T, the sum of their absolute values, is at most six times the product of the
//! largest components. As shown there, at most eight roundings leave `num` within 8v T of the true
//! value, and seven leave the three others within 7v T, as `d` is not rounded. The third edge has
//! the sum of their errors, and the roundings of two subtractions, which are at most v of a sum of
//! at most `2 (T(den) + T(e2 . q) + T(e1 . q))`. So
//!
//! - `num` is off by at most `48v A E1 E2`;
//! - `den` by `42v D E1 E2`;
//! - each edge by `54v D (A E1 + A E2 + E1 E2)`,
//!
//! except for terms in v^2. `56v` covers those, the rounding of the differences whose largest
//! components are used, and the roundings of the bound.
//!
//! # Corners with errors
//! Let each coordinate of a corner be off by at most e: of `a` by e, and of `e1` and `e2` by 2e. The polynomials
//! are linear in each vector and have six terms, so with the largest components and their errors as A, E1, E2
//! and D
//!
//! - `num` changes by at most `6e E1 E2 + 12e A (E1 + E2)`;
//! - `den` by `12e D (E1 + E2)`;
//! - `e2 . q` and `-e1 . q` by `6e D E + 12e D A` with their own edge as E, and the third by all of that.

use super::f64_lanes::{F64Lanes, cross, dot, largest};
use crate::arithmetic::{V, minus};

pub(super) const SHARE: f64 = 56.0 * V;

/// The number of terms of a polynomial, and more than the roundings of the bounds.
const MORE: f64 = 6.0 * (1.0 + 64.0 * V);

/// The polynomials, in one `f64` each or in the lanes of vectors.
pub(crate) struct Products<T = f64> {
    pub(crate) num: T,
    pub(crate) den: T,
    /// The polynomial of the edge opposite to each corner.
    pub(crate) edges: [T; 3],
    pub(crate) num_error: T,
    pub(crate) den_error: T,
    /// The bound of each edge.
    pub(crate) edge_error: T,
}

impl<T: F64Lanes> Products<T> {
    /// Evaluates the polynomials. If a corner is not finite, `den` or `den_error` is not finite
    /// either.
    #[inline(always)]
    pub(super) fn of(origin: [T; 3], dir: [T; 3], [p0, p1, p2]: [[T; 3]; 3]) -> Self {
        Products::of_vectors(dir, minus(p0, origin), minus(p1, p0), minus(p2, p0))
    }

    /// Does the same for corners of which each coordinate is off by at most `off`. Products of three differences
    /// must not underflow.
    #[inline(always)]
    pub(super) fn of_blurred(
        origin: [T; 3],
        dir: [T; 3],
        [p0, p1, p2]: [[T; 3]; 3],
        off: T,
    ) -> Self {
        let (a, e1, e2) = (minus(p0, origin), minus(p1, p0), minus(p2, p0));
        let found = Products::of_vectors(dir, a, e1, e2);
        let twice = off + off;
        let (size_a, size_1, size_2) = (largest(a) + off, largest(e1) + twice, largest(e2) + twice);
        let (off, sum) = (off * MORE, size_1 + size_2);
        let (num_off, den_off) = (
            (size_1 * size_2 + size_a * sum * 2.0) * off,
            largest(dir) * sum * 2.0 * off,
        );
        let edges_off = largest(dir) * (sum + size_a * 4.0) * off;
        Products {
            num_error: found.num_error + num_off,
            den_error: found.den_error + den_off,
            edge_error: found.edge_error + den_off + edges_off,
            ..found
        }
    }

    /// Evaluates the polynomials of `a`, `e1` and `e2`, each of whose components was rounded at most
    /// once.
    #[inline(always)]
    pub(crate) fn of_vectors(dir: [T; 3], a: [T; 3], e1: [T; 3], e2: [T; 3]) -> Self {
        let (n, q) = (cross(e1, e2), cross(a, dir));
        let (num, den) = (dot(a, n), dot(dir, n));
        let edge1 = dot(e2, q);
        let edge2 = -dot(e1, q);

        let (size_a, size_1, size_2) = (largest(a), largest(e1), largest(e2));
        let both = size_1 * size_2;
        let share = largest(dir) * SHARE;
        Products {
            num,
            den,
            edges: [den - edge1 - edge2, edge1, edge2],
            num_error: size_a * SHARE * both,
            den_error: share * both,
            edge_error: share * size_a.mul_add(size_1 + size_2, both),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{
        Bounded, InlineMap, Numbers, V3, exact, exact_minus, exact_triple, share_of_bound,
        usual_or_long,
    };

    type Case = [V3; 5];

    /// Returns the largest ratio of error to bound, of `num`, `den` and the edges, after checking
    /// that no error exceeds its bound.
    fn shares([o, d, p0, p1, p2]: Case) -> [f64; 3] {
        let found = Products::of(o, d, [p0, p1, p2]);
        let (e1, e2) = (exact_minus(p1, p0), exact_minus(p2, p0));
        let share = |value, error, truth| share_of_bound(Bounded { value, error }, &truth);
        let num = exact_triple(&exact_minus(p0, o), &e1, &e2);
        let den = exact_triple(&exact(d), &e1, &e2);
        let corners = [p0, p1, p2];
        let edges = [0, 1, 2].inline_map(|corner| {
            let (start, end) = (corners[(corner + 1) % 3], corners[(corner + 2) % 3]);
            let truth = exact_triple(&exact(d), &exact_minus(start, o), &exact_minus(end, start));
            share(found.edges[corner], found.edge_error, truth)
        });
        [
            share(found.num, found.num_error, num),
            share(found.den, found.den_error, den),
            edges.into_iter().fold(0.0, f64::max),
        ]
    }

    /// Random cases of every kind, and from each a walk to worse ones. A walk gets much further
    /// than chance: rounding errors have to be large and of one sign.
    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let (starts, steps) = usual_or_long((600, 150), (20_000, 2_000));
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let mut worst = [0.0f64; 3];
        for start in 0..starts {
            let mut case: Case = core::array::from_fn(|_| numbers.vector());
            if start % 2 == 0 {
                // All of one size, where the bound is tightest.
                case = case.map(|v| v.map(|_| numbers.float(4)));
            }
            let aim = start % 3;
            let mut best = shares(case);
            for _ in 0..steps {
                let mut next = case;
                let place = numbers.next();
                let number = &mut next[(place >> 8) as usize % 5][(place >> 16) as usize % 3];
                *number = match place % 4 {
                    0 => numbers.float(4),
                    1 => -*number,
                    2 => f64::from((*number as f32).next_up()),
                    _ => {
                        let bits = (*number as f32).to_bits() ^ 1 << (place >> 32 & 15);
                        f64::from(f32::from_bits(bits))
                    }
                };
                let found = shares(next);
                if found[aim] >= best[aim] {
                    (case, best) = (next, found);
                }
            }
            for (worst, found) in worst.iter_mut().zip(best) {
                *worst = worst.max(found);
            }
        }
        println!("worst errors of num, den, edges in shares of their bounds: {worst:.3?}");
        // The search would disprove bounds a few times tighter.
        assert!(worst.iter().all(|&share| share > LEAST_SHARE), "{worst:?}");
    }

    const LEAST_SHARE: f64 = 0.1;
}

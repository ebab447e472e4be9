//! Rounds the numbers of eight certain hits to `f64`, one in each lane.
//!
//! With `n = e1 x e2` and `q = a x d`, where `a` leads from the origin to the first corner, they are `t = a . n / den`,
//! `u = e2 . q / den` and `v = -e1 . q / den`, with `den = d . n`: the polynomials, bounds and ranges of
//! `round_wide.rs`.

use super::round_wide::{RANGE, RANGE_OF_DIRS, RANGE_OF_GAPS, SHARE};
use crate::arithmetic::{InlineMap, Range, V3};
use crate::exact::sums::{Quotients, Sum};
use crate::shapes::Triangle64;
use fearless_simd::{Simd, SimdBase, SimdMask, f64x8, mask64x8};

/// The numbers of eight hits, rounded.
#[doc(hidden)]
pub struct RoundedEight {
    pub t: [f64; 8],
    pub u: [f64; 8],
    pub v: [f64; 8],
    /// The lanes whose rounding the bounds decide, as bits. The numbers of others have no meaning.
    pub certain: u32,
}

/// Up to eight rays and triangles that they certainly hit, one pair in each lane: the corners, the
/// origin and the direction by axis.
///
/// In rows: a vector that is loaded from what was written by rays waits for all of that.
#[doc(hidden)]
pub struct EightPairs([[[f64; 8]; 3]; 5]);

impl EightPairs {
    /// Returns lanes without a pair, none of which is rounded.
    #[inline(always)]
    pub fn none() -> Self {
        EightPairs([[[0.0; 8]; 3]; 5])
    }

    /// Sets the pair of a lane: a triangle, and the origin and direction of a ray.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, triangle: &Triangle64, (origin, dir): (V3, V3)) {
        let [p0, p1, p2] = triangle.coordinates();
        let all = [p0, p1, p2, origin, dir];
        for (rows, vector) in self.0.iter_mut().zip(all) {
            for (row, x) in rows.iter_mut().zip(vector) {
                row[lane % 8] = x;
            }
        }
    }
}

/// A vector in each lane.
type Vectors<S> = [Sum<f64x8<S>>; 3];

/// Does what [`round_wide`](super::round_wide()) does, for eight pairs.
#[doc(hidden)]
#[inline(always)]
pub fn round_wide8<S: Simd>(simd: S, pairs: &EightPairs) -> RoundedEight {
    let (are_usual, [den, t, u, v]) = polynomials(simd, pairs);
    let [t, u, v] = [t, u, v].inline_map(
        #[inline(always)]
        |dots| Quotients::of(simd, dots, den).rounded(),
    );
    let zero = f64x8::splat(simd, 0.0);
    RoundedEight {
        t: (t.0 + zero).to_array(),
        u: (u.0 + zero).to_array(),
        v: (zero - v.0).to_array(),
        certain: t.1 & u.1 & v.1 & are_usual,
    }
}

/// A polynomial in each lane, and a bound of its error.
type Polynomial<S> = (Sum<f64x8<S>>, f64x8<S>);

/// Returns the lanes whose sizes are in the range of the bounds, as bits, and `d . n`, `a . n`, `e2 . q` and `e1 . q`.
#[inline(always)]
fn polynomials<S: Simd>(simd: S, pairs: &EightPairs) -> (u32, [Polynomial<S>; 4]) {
    let [p0, p1, p2, o, d] = &pairs.0;
    let axes = [0, 1, 2].inline_map(
        #[inline(always)]
        |axis: usize| {
            let [p0, p1, p2, o, d] = [p0, p1, p2, o, d].inline_map(
                #[inline(always)]
                |rows: &[[f64; 8]; 3]| f64x8::load_array_ref(simd, &rows[axis]),
            );
            let d = Sum {
                high: d,
                low: f64x8::splat(simd, 0.0),
            };
            [
                Sum::of_difference(p1, p0),
                Sum::of_difference(p2, p0),
                Sum::of_difference(p0, o),
                d,
            ]
        },
    );
    let [x, y, z] = axes;
    let [e1, e2, gap, dir]: [Vectors<S>; 4] = [0, 1, 2, 3].inline_map(
        #[inline(always)]
        |of: usize| [x[of], y[of], z[of]],
    );
    let (n, q) = (Sum::of_cross(e1, e2), Sum::of_cross(gap, dir));
    let [first, second, gap_size, dir_size] = [e1, e2, gap, dir].inline_map(
        #[inline(always)]
        |[x, y, z]: Vectors<S>| x.high.abs().max(y.high.abs()).max(z.high.abs()),
    );
    let are_usual = contains(simd, &RANGE_OF_DIRS, dir_size)
        & contains(simd, &RANGE, first)
        & contains(simd, &RANGE, second)
        & (contains(simd, &RANGE_OF_GAPS, gap_size) | gap_size.simd_eq(f64x8::splat(simd, 0.0)));
    let share = f64x8::splat(simd, SHARE);
    let (of_edges, of_ray) = (first * second * share, gap_size * dir_size * share);
    let all = [
        (dot(dir, n), of_edges * dir_size),
        (dot(gap, n), of_edges * gap_size),
        (dot(e2, q), of_ray * second),
        (dot(e1, q), of_ray * first),
    ];
    (are_usual.to_bitmask() as u32, all)
}

#[inline(always)]
fn contains<S: Simd>(simd: S, range: &Range, sizes: f64x8<S>) -> mask64x8<S> {
    let [least, greatest] = range.ends().inline_map(
        #[inline(always)]
        |end: f64| f64x8::splat(simd, end),
    );
    sizes.simd_ge(least) & sizes.simd_le(greatest)
}

#[inline(always)]
fn dot<S: Simd>([ax, ay, az]: Vectors<S>, [bx, by, bz]: Vectors<S>) -> Sum<f64x8<S>> {
    Sum::of_dot([(ax, bx), (ay, by), (az, bz)]).normal()
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests {
    use super::*;
    use crate::arithmetic::{Bounded, Dyadic, Numbers, share_of_bound, usual_or_long};
    use crate::exact::ray::certify8::tests::levels;
    use crate::exact::ray::round_wide::tests::case;
    use crate::exact::{ExactCorners, PreparedRay};

    #[test]
    fn a_search_in_eight_lanes_finds_no_violation_of_the_bounds_and_no_wrong_rounding() {
        let rounds = usual_or_long(2_000, 500_000);
        let mut numbers = Numbers(0xbb67_ae85_84ca_a73b);
        let (mut worst, mut rounded, mut all) = (0.0f64, 0, 0);
        for _ in 0..rounds {
            let cases: [_; 8] = core::array::from_fn(|_| case(&mut numbers));
            let rays = cases.each_ref().map(|(ray, _)| PreparedRay::new(ray));
            let rays = rays.map(|ray| ray.expect("a defined ray"));
            let mut pairs = EightPairs::none();
            for (lane, (ray, (_, triangle))) in rays.iter().zip(&cases).enumerate() {
                pairs.set(lane, triangle, (ray.origin(), ray.dir()));
            }
            for level in levels() {
                let (are_usual, found, hits) = fearless_simd::dispatch!(level, simd => {
                    let (are_usual, all) = polynomials(simd, &pairs);
                    let all = all.map(|(dots, error)| {
                        [dots.high, dots.low, error].map(SimdBase::to_array)
                    });
                    (are_usual, all, round_wide8(simd, &pairs))
                });
                for lane in 0..8 {
                    let line = rays[lane].exact_line();
                    let corners = ExactCorners::of_64(&cases[lane].1);
                    let den = line.den(&corners);
                    if den.sign() == 0 {
                        continue;
                    }
                    all += 1;
                    if are_usual >> lane & 1 == 1 {
                        let truth = [
                            den,
                            line.num(&corners),
                            line.edge(&corners, 1),
                            line.edge(&corners, 2).neg(),
                        ];
                        for ([high, low, error], truth) in found.iter().zip(&truth) {
                            let rest = truth.sub(&Dyadic::from_f64(high[lane]));
                            let (value, error) = (low[lane], error[lane]);
                            // It fails where an error exceeds its bound.
                            worst = worst.max(share_of_bound(Bounded { value, error }, &rest));
                        }
                    }
                    if hits.certain >> lane & 1 == 1 {
                        rounded += 1;
                        let [u, v] = [1, 2].map(|corner| line.weight(&corners, corner));
                        let truth = [line.t(&corners), u, v].map(|x| x.to_f64().to_bits());
                        let found = [hits.t, hits.u, hits.v].map(|x| x[lane].to_bits());
                        assert_eq!(found, truth, "{:?}", cases[lane]);
                    }
                }
            }
        }
        println!("{rounded} of {all} rounded, worst error {worst:.3} of its bound");
        assert!(rounded * 10 > all * 9, "{rounded} of {all}");
        assert!(worst > 0.001, "{worst}");
    }
}

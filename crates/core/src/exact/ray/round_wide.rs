//! Rounds the numbers of a certain hit to `f64`.
//!
//! The lanes are those of `round_certain.rs`: `-t`, 1, `v` and `u` are quotients by `-den` of the polynomials
//! `num`, `-den`, `e1 . q` and `-e2 . q`. Here each number is a sum of two `f64`s (`exact/sums.rs`).
//!
//! # Bound
//! Let u = 2^-53, X, Y and Z the largest components of three vectors, and M = X Y Z. A component of `y x z` is at most
//! `2 Y Z`, with a low half of at most `8u Y Z`, and off by `34u^2 Y Z`. So the low half of `x . (y x z)` is at most
//! `46u M`, with roundings of less than `490u^2 M`. The products of low halves that are left out are `24u^2 M`, and
//! the errors of the components `108u^2 M`. That is less than `700u^2 M`, and 1024 are granted, which covers the
//! roundings of M.
//!
//! # Range
//! Sizes are in the ranges of [`is_usual`], where nothing overflows. What underflows is less than 2^-1070 in a
//! component of `y x z`, where `Y Z` is at least 2^-500, and in a dot product, where M is at least 2^-800. Where `a`
//! is 0, the dividends are exactly 0. Other quotients below 2^-900 are left to the certificate.

use super::round_certain::{halves, neighbours};
use crate::arithmetic::{InlineMap, Range, V3};
use crate::exact::sums::{Quotients, Sum, U_SQUARE};
use crate::shapes::{Hit, PrimId, Triangle64};
use fearless_simd::{Simd, SimdBase, f64x4};

/// 2^-250 to 2^250.
pub(super) const RANGE: Range = Range::of_powers(-250, 250);
/// 2^-150 to 2^128.
pub(super) const RANGE_OF_DIRS: Range = Range::of_powers(-150, 128);
/// 2^-300 to 2^250.
pub(super) const RANGE_OF_GAPS: Range = Range::of_powers(-300, 250);

/// Returns whether the sizes of a direction, of the gap between the origin and the first corner, and of both edges
/// are such that bounds of the polynomials lose nothing.
#[inline(always)]
pub(crate) fn is_usual([dir, gap, first, second]: [f64; 4]) -> bool {
    RANGE_OF_DIRS.contains(dir)
        && RANGE.contains(first)
        && RANGE.contains(second)
        && (RANGE_OF_GAPS.contains(gap) || gap == 0.0)
}

pub(super) const SHARE: f64 = 1024.0 * U_SQUARE;

/// Returns the hit of a triangle that a ray of this origin and direction certainly hits inside its edges, if the bounds
/// decide how `t`, `u` and `v` are rounded.
#[doc(hidden)]
#[inline(always)]
pub fn round_wide<S: Simd>(
    simd: S,
    line: (V3, V3),
    prim: PrimId,
    triangle: &Triangle64,
) -> Option<Hit<f64>> {
    let Polynomials { dots, error } = Polynomials::of(simd, line, triangle)?;
    let (rounded, decided) = Quotients::by_lane::<1>(simd, dots, error).rounded();
    let [minus_t, _, v, u] = rounded.to_array();
    (decided | 0b10 == 0b1111).then_some(Hit {
        t: 0.0 - minus_t,
        u: u + 0.0,
        v: v + 0.0,
        prim,
    })
}

/// The polynomials `num`, `-den`, `e1 . q` and `-e2 . q`, and a bound of the error of each.
struct Polynomials<S: Simd> {
    dots: Sum<f64x4<S>>,
    error: f64x4<S>,
}

impl<S: Simd> Polynomials<S> {
    /// Returns `None` if a size is beyond the range of the bounds.
    #[inline(always)]
    fn of(simd: S, (o, d): (V3, V3), triangle: &Triangle64) -> Option<Self> {
        let [p0, p1, p2] = triangle.coordinates();
        let [x, y, z] = [0, 1, 2].inline_map(
            #[inline(always)]
            |i: usize| {
                let to = f64x4::load_array(simd, [p1[i], p2[i], p0[i], d[i]]);
                let from = f64x4::load_array(simd, [p0[i], p0[i], o[i], 0.0]);
                Sum::of_difference(to, from)
            },
        );
        let sizes = x.high.abs().max(y.high.abs()).max(z.high.abs());
        let [first, second, gap, dir] = sizes.to_array();
        if !is_usual([dir, gap, first, second]) {
            return None;
        }
        let (x1, y1, z1) = (x.neighbours(), y.neighbours(), z.neighbours());
        let cross_x = Sum::of_products(y, z1, z, y1);
        let cross_y = Sum::of_products(z, x1, x, z1);
        let cross_z = Sum::of_products(x, y1, y, x1);
        let dots = Sum::of_dot([
            (x.halves(), cross_x),
            (y.halves(), cross_y),
            (z.halves(), cross_z),
        ]);
        Some(Polynomials {
            dots: dots.normal(),
            error: sizes * neighbours(sizes) * halves(sizes) * f64x4::splat(simd, SHARE),
        })
    }
}

impl<S: Simd> Sum<f64x4<S>> {
    /// Exchanges the numbers of each pair.
    #[inline(always)]
    fn neighbours(self) -> Self {
        Sum {
            high: neighbours(self.high),
            low: neighbours(self.low),
        }
    }

    /// Exchanges the two pairs.
    #[inline(always)]
    fn halves(self) -> Self {
        Sum {
            high: halves(self.high),
            low: halves(self.low),
        }
    }
}

#[cfg(all(test, feature = "repository-tests"))]
pub(super) mod tests {
    use super::*;
    use crate::arithmetic::{
        Bounded, Dyadic, Numbers, power_of_two, share_of_bound, usual_or_long,
    };
    use crate::exact::ray::certify8::tests::levels;
    use crate::exact::{ExactCorners, PreparedRay};
    use crate::shapes::Ray64;

    /// Returns a ray and a triangle of a kind: of all sizes, of map coordinates, or of few bits, where the ray is aimed
    /// at a point of the triangle, up to rounding.
    pub(in crate::exact::ray) fn case(numbers: &mut Numbers) -> (Ray64, Triangle64) {
        let kind = numbers.next() >> 60;
        let power = match kind % 4 {
            0 => (numbers.next() >> 56) as i32 - 128,
            _ => 0,
        };
        let size = power_of_two(power);
        let offset = if kind % 4 == 1 { 5e6 } else { 0.0 };
        let mut point = || {
            let mut number = || match kind % 4 {
                2 => ((numbers.next() >> 59) as f64 - 16.0) * size,
                _ => ((numbers.next() >> 11) as f64 / power_of_two(52) - 1.0) * size,
            };
            [number(), number(), number()].map(|x| x + offset)
        };
        let [a, b, c, from] = [point(), point(), point(), point()];
        let (u, v) = (numbers.float(4).abs(), numbers.float(4).abs());
        let at = [0, 1, 2].map(|i: usize| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]));
        let dir = [0, 1, 2].map(|i: usize| at[i] - from[i]);
        (Ray64::new(from, dir), Triangle64::new(a, b, c))
    }

    #[test]
    fn a_search_finds_no_violation_of_the_bounds_and_no_wrong_rounding() {
        let rounds = usual_or_long(20_000, 5_000_000);
        let mut numbers = Numbers(0x6a09_e667_f3bc_c909);
        let prim = PrimId::from_index(0).expect("the first");
        let (mut worst, mut rounded, mut all) = (0.0f64, 0, 0);
        for _ in 0..rounds {
            let (ray, triangle) = case(&mut numbers);
            let Some(ray) = PreparedRay::new(&ray) else {
                continue;
            };
            let (line, corners) = (ray.exact_line(), ExactCorners::of_64(&triangle));
            let den = line.den(&corners);
            if den.sign() == 0 {
                continue;
            }
            let truth = [
                line.num(&corners),
                den.neg(),
                line.edge(&corners, 2).neg(),
                line.edge(&corners, 1).neg(),
            ];
            all += levels().len();
            for level in levels() {
                let found = fearless_simd::dispatch!(level, simd => {
                    let found = Polynomials::of(simd, (ray.origin(), ray.dir()), &triangle);
                    found.map(|Polynomials { dots, error }| {
                        [dots.high.to_array(), dots.low.to_array(), error.to_array()]
                    })
                });
                let Some([high, low, errors]) = found else {
                    continue;
                };
                for (lane, truth) in truth.iter().enumerate() {
                    let rest = truth.sub(&Dyadic::from_f64(high[lane]));
                    let (value, error) = (low[lane], errors[lane]);
                    // It fails where an error exceeds its bound.
                    worst = worst.max(share_of_bound(Bounded { value, error }, &rest));
                }
                let hit = fearless_simd::dispatch!(level, simd => {
                    round_wide(simd, (ray.origin(), ray.dir()), prim, &triangle)
                });
                if let Some(Hit { t, u, v, .. }) = hit {
                    rounded += 1;
                    let [u_truth, v_truth] = [1, 2].map(|corner| line.weight(&corners, corner));
                    let truth = [line.t(&corners), u_truth, v_truth].map(|x| x.to_f64().to_bits());
                    assert_eq!([t, u, v].map(f64::to_bits), truth, "{triangle:?}");
                }
            }
        }
        println!("{rounded} of {all} rounded, worst error {worst:.3} of its bound");
        assert!(rounded * 10 > all * 9, "{rounded} of {all}");
        assert!(worst > 0.001, "{worst}");
    }
}

//! Rounds the numbers of a hit that is certain already, with one vector for each axis.
//!
//! A kernel that is certain of a hit needs no test of it, only its `t`, `u` and `v`, rounded
//! correctly. They are the quotients of `products.rs`, whose polynomials fall into lanes: with
//! `e1, e2, a, d` of one axis side by side, the products of each vector with its neighbour's are
//! those of the cross products `n = e1 x e2` and `q = a x d`, and those with the other half's
//! are of `a . n`, `-d . n`, `e1 . q` and `-e2 . q`. No sum goes across a vector.
//!
//! The lanes are then `num`, `-den`, and the negated polynomials of the edges opposite to `p2` and
//! `p1`; their quotients by `-den` are `-t`, 1, `v` and `u`. Each has as
//! many roundings as in `products.rs`, or fewer where a product and a sum are fused, and the bounds
//! are those of `products.rs` and `quotients.rs`. What they leave open is left to the certificate.
//!
//! # Rays with errors
//! Let each coordinate of `a` be off by at most ea, for the origin, of `d` by ed, and of `e1` and `e2` by ee, for
//! corners, and A, D, E1 and E2 be the largest components with their errors. The polynomials are linear in
//! each vector and have six terms, so they change by at most `6 (ea E1 E2 + ee A (E1 + E2))`, the same with ed
//! and D, and for the edges `6 (ea D E + ed A E + ee A D)`, besides the bounds of `products.rs`. These are s times
//! the products of the sizes: without errors of corners, `A + 6 ea / s` and `D + 6 ed / s` in the place of A and D
//! cover both in fewer operations.

use super::products::SHARE;
use super::quotients::{INVERSE_FACTOR, WELL_ABOVE};
use crate::arithmetic::V;
use crate::shapes::{Hit, PrimId, Ray};
use fearless_simd::{
    Select, Simd, SimdBase, SimdCombine, SimdFloat, SimdMask, SimdNarrow, SimdSplit, SimdWiden,
    f32x4, f64x4, mask32x4,
};

/// Returns the hit of a ray on a triangle that it certainly hits, if `f64` decides how `t`, `u` and
/// `v` are rounded. `corners` has x, y and z of each corner, in all lanes. All numbers must be
/// finite.
#[doc(hidden)]
#[inline(always)]
pub fn round_certain<S: Simd>(
    simd: S,
    ray: &Ray,
    prim: PrimId,
    corners: [[f32x4<S>; 3]; 3],
) -> Option<Hit> {
    FourQuotients::of_exact(simd, ray, corners).rounded(prim)
}

/// A ray that is known with errors, such as one that was mapped to another space.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct BlurredRay {
    /// The point at the parameter `start`, and the direction.
    pub origin: [f64; 3],
    pub dir: [f64; 3],
    /// Bound the errors of each of their coordinates.
    pub origin_error: f64,
    pub dir_error: f64,
    pub start: f64,
}

/// Does what [`round_certain`] does, for the true ray of one that is known with errors.
#[doc(hidden)]
#[inline(always)]
pub fn round_blurred<S: Simd>(
    simd: S,
    ray: &BlurredRay,
    prim: PrimId,
    corners: [[f32x4<S>; 3]; 3],
) -> Option<Hit> {
    let off = Off::Ray([ray.origin_error, ray.dir_error]);
    blurred(simd, ray, off, &corners).rounded(prim)
}

/// Does the same for a triangle whose differences of corners are known with errors, too, which `edge_error` bounds
/// for each coordinate. Those of the corners themselves belong to the origin.
#[doc(hidden)]
#[inline(always)]
pub fn round_blurred_triangle<S: Simd>(
    simd: S,
    (ray, edge_error): (&BlurredRay, f64),
    prim: PrimId,
    corners: [[f32x4<S>; 3]; 3],
) -> Option<Hit> {
    let off = Off::All([edge_error, edge_error, ray.origin_error, ray.dir_error]);
    blurred(simd, ray, off, &corners).rounded(prim)
}

#[inline(always)]
fn blurred<S: Simd>(
    simd: S,
    ray: &BlurredRay,
    off: Off,
    corners: &[[f32x4<S>; 3]; 3],
) -> FourQuotients<S> {
    let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin, ray.dir);
    let axes = [
        wide_axis(simd, axis_of(corners, 0), ox, dx),
        wide_axis(simd, axis_of(corners, 1), oy, dy),
        wide_axis(simd, axis_of(corners, 2), oz, dz),
    ];
    FourQuotients::of(simd, axes, off).later(simd, ray.start)
}

/// What is known with errors, with bounds for each coordinate.
enum Off {
    Nothing,
    /// The origin, and the direction.
    Ray([f64; 2]),
    /// Both edges, the origin, and the direction.
    All([f64; 4]),
}

/// The quotients `-t`, 1, `v` and `u`.
struct FourQuotients<S: Simd> {
    values: f64x4<S>,
    /// Their bounds; of the second, which is known, none.
    errors: f64x4<S>,
    /// Whether the divisor is far enough from zero for the bounds.
    hold: bool,
}

impl<S: Simd> FourQuotients<S> {
    #[inline(always)]
    fn of_exact(simd: S, ray: &Ray, corners: [[f32x4<S>; 3]; 3]) -> Self {
        let (o, d) = (ray.origin, ray.dir);
        let axes = [
            axis(simd, axis_of(&corners, 0), o.x, d.x),
            axis(simd, axis_of(&corners, 1), o.y, d.y),
            axis(simd, axis_of(&corners, 2), o.z, d.z),
        ];
        FourQuotients::of(simd, axes, Off::Nothing)
    }

    #[inline(always)]
    fn of(simd: S, [x, y, z]: [f64x4<S>; 3], off: Off) -> Self {
        let (x1, y1, z1) = (neighbours(x), neighbours(y), neighbours(z));
        let cross_x = y.mul_sub(z1, z * y1);
        let cross_y = z.mul_sub(x1, x * z1);
        let cross_z = x.mul_sub(y1, y * x1);
        let dots = halves(x).mul_add(cross_x, halves(y).mul_add(cross_y, halves(z) * cross_z));

        let sizes = x.abs().max(y.abs()).max(z.abs());
        let share = f64x4::splat(simd, SHARE);
        let product = |sizes: f64x4<S>| sizes * neighbours(sizes) * halves(sizes) * share;
        let sizes = match off {
            Off::Nothing => product(sizes),
            Off::Ray([origin, dir]) => {
                let off = f64x4::load_array_ref(simd, &[0.0, 0.0, origin, dir]);
                product(off.mul_add(f64x4::splat(simd, TERMS / SHARE), sizes))
            }
            Off::All(off) => {
                let off = f64x4::load_array_ref(simd, &off);
                let sizes = sizes + off;
                let (second, third) = (neighbours(sizes), halves(sizes));
                let more = neighbours(off).mul_add(third, halves(off) * second);
                let more = sizes.mul_add(more, off * second * third);
                more.mul_add(f64x4::splat(simd, TERMS), product(sizes))
            }
        };
        let [num_error, den_error, edge_error1, edge_error2] = sizes.to_array();
        let edge_error = edge_error1 + edge_error2 + den_error;
        let errors = [num_error, den_error, edge_error, edge_error];
        let errors = f64x4::load_array_ref(simd, &errors);

        // The bound of `quotients.rs`, `|q| (den_error size + 4v) + error size`, with all that does
        // not need the quotient out of its way.
        let inverse = f64x4::splat(simd, 1.0 / dots.to_array()[1]);
        let size = inverse.abs() * f64x4::splat(simd, INVERSE_FACTOR);
        let values = dots * inverse;
        let sizes = values.abs();
        let errors = sizes.mul_add(f64x4::splat(simd, den_error), errors);
        let errors = errors.mul_add(size, sizes * f64x4::splat(simd, 4.0 * V));
        FourQuotients {
            values,
            errors,
            hold: den_error * size.to_array()[1] < 1.0 / WELL_ABOVE,
        }
    }

    /// Returns the same, with `t` larger by `start`. The sum has a rounding.
    #[inline(always)]
    fn later(self, simd: S, start: f64) -> Self {
        let start = f64x4::load_array_ref(simd, &[start, 0.0, 0.0, 0.0]);
        let values = self.values - start;
        let lost = (self.values.abs() + start.abs()) * f64x4::splat(simd, 2.0 * V);
        FourQuotients {
            values,
            errors: self.errors + lost,
            ..self
        }
    }

    /// Returns the hit, if all numbers within the bounds are rounded in the same way.
    #[inline(always)]
    fn rounded(self, prim: PrimId) -> Option<Hit> {
        let (low, high) = (self.values - self.errors, self.values + self.errors);
        // Adding 0 turns -0 into +0. The first quotient is -t, so zero must be subtracted from it.
        let (from, to) = low.narrow(high).split();
        let same = from.simd_eq(to).to_bitmask() as u32 | 0b10;
        let [minus_t, _, v, u] = from.to_array();
        (self.hold && same == 0b1111).then_some(Hit {
            t: 0.0 - minus_t,
            u: u + 0.0,
            v: v + 0.0,
            prim,
        })
    }
}

/// 6 terms, and more than the roundings of sums.
const TERMS: f64 = 6.01;

/// Returns the coordinates of corners along one axis.
#[inline(always)]
fn axis_of<S: Simd>([p0, p1, p2]: &[[f32x4<S>; 3]; 3], axis: usize) -> [f32x4<S>; 3] {
    [p0[axis], p1[axis], p2[axis]]
}

/// Returns `p1 - p0`, `p2 - p0`, `p0 - o` and `d` of one axis, each rounded to `f64`.
#[inline(always)]
fn wide_axis<S: Simd>(simd: S, [p0, p1, p2]: [f32x4<S>; 3], o: f64, d: f64) -> f64x4<S> {
    let lanes = |bits: u64| mask32x4::from_bitmask(simd, bits);
    let zero = f32x4::splat(simd, 0.0);
    let to = lanes(0b0011).select(lanes(0b0001).select(p1, p2), lanes(0b0100).select(p0, zero));
    let from = lanes(0b0011).select(p0, zero);
    let (to, from) = to.combine(from).widen();
    to - from - f64x4::load_array_ref(simd, &[0.0, 0.0, o, -d])
}

/// Returns `p1 - p0`, `p2 - p0`, `p0 - o` and `d` of one axis, each rounded to `f64`.
#[inline(always)]
fn axis<S: Simd>(simd: S, [p0, p1, p2]: [f32x4<S>; 3], o: f32, d: f32) -> f64x4<S> {
    let lanes = |bits: u64| mask32x4::from_bitmask(simd, bits);
    let to = lanes(0b0011).select(
        lanes(0b0001).select(p1, p2),
        lanes(0b0100).select(p0, f32x4::splat(simd, d)),
    );
    let from = lanes(0b0011).select(
        p0,
        lanes(0b0100).select(f32x4::splat(simd, o), f32x4::splat(simd, 0.0)),
    );
    let (to, from) = to.combine(from).widen();
    to - from
}

/// Exchanges the numbers of each pair.
#[inline(always)]
pub(super) fn neighbours<S: Simd>(v: f64x4<S>) -> f64x4<S> {
    v.slide_within_blocks::<1>(v)
}

/// Exchanges the two pairs.
#[inline(always)]
pub(super) fn halves<S: Simd>(v: f64x4<S>) -> f64x4<S> {
    v.slide::<2>(v)
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests {
    use super::*;
    use crate::arithmetic::{Dyadic, Ratio, exact, exact_minus, exact_triple, widen};
    use crate::exact::ray::certify8::tests::{RayAndTriangle, hostile, levels, ordinary};
    use crate::exact::ray::{PreparedRay, triangle_corners::Corners};
    use crate::shapes::Triangle;
    use alloc::vec::Vec;
    use estoc_testkit::conformance::Effort;
    use estoc_testkit::generate::Rng;
    use fearless_simd::Level;

    /// The exact dividends of `t`, `u` and `v`, and their divisor.
    struct Truth {
        dividends: [Dyadic; 3],
        den: Dyadic,
    }

    impl Truth {
        fn of((ray, triangle): &RayAndTriangle) -> Self {
            Truth::of_corners(ray, Corners::of(triangle))
        }

        fn of_corners(ray: &Ray, corners: Corners) -> Self {
            let (o, d) = (widen(ray.origin), exact(widen(ray.dir)));
            let [p0, p1, p2] = corners.0;
            let (e1, e2) = (exact_minus(p1, p0), exact_minus(p2, p0));
            let edge = |corner: usize| {
                let (start, end) = corners.edge(corner);
                exact_triple(&d, &exact_minus(start, o), &exact_minus(end, start))
            };
            Truth {
                dividends: [
                    exact_triple(&exact_minus(p0, o), &e1, &e2),
                    edge(1),
                    edge(2),
                ],
                den: exact_triple(&d, &e1, &e2),
            }
        }

        /// Returns `t`, `u` and `v`, rounded once, unless the ray is parallel to the triangle.
        fn rounded(&self) -> Option<[f32; 3]> {
            let Truth { dividends, den } = self;
            let round = |num: &Dyadic| Ratio::new(num.clone(), den.clone()).to_f32();
            (den.sign() != 0).then(|| dividends.each_ref().map(round))
        }

        /// Returns the ratio of a quotient's error to its bound, or `None` if it is above 1.
        fn share(&self, place: usize, value: f64, error: f64) -> Option<f64> {
            let size = |x: Dyadic| if x.sign() < 0 { x.neg() } else { x };
            let computed = self.den.mul(&Dyadic::from_f64(value));
            let off = size(self.dividends[place].clone().sub(&computed));
            let bound = size(self.den.mul(&Dyadic::from_f64(error)));
            let share = match off.sign() {
                0 => 0.0,
                _ => off.estimate() / bound.estimate(),
            };
            (bound.sub(&off).sign() >= 0).then_some(share)
        }
    }

    /// What one level computes.
    struct Computed {
        hit: Option<Hit>,
        hold: bool,
        /// `t`, `u` and `v`, and their bounds.
        values: [f64; 3],
        errors: [f64; 3],
    }

    impl Computed {
        fn by(level: Level, (ray, triangle): &RayAndTriangle) -> Self {
            let prim = PrimId::from_index(0).unwrap();
            let corners = triangle.corners().map(|p| p.to_array());
            fearless_simd::dispatch!(level, simd => {
                let corners = corners.map(|p| p.map(|x| f32x4::splat(simd, x)));
                let found = FourQuotients::of_exact(simd, ray, corners);
                let [minus_t, _, v, u] = found.values.to_array();
                let [t_error, _, v_error, u_error] = found.errors.to_array();
                Computed {
                    hit: round_certain(simd, ray, prim, corners),
                    hold: found.hold,
                    values: [-minus_t, u, v],
                    errors: [t_error, u_error, v_error],
                }
            })
        }
    }

    /// Counts of answers, one of each pair and level.
    #[derive(Debug, Default)]
    struct AnswerCounts {
        answers: usize,
        /// Those in which the ray hits the triangle.
        hits: usize,
        /// Those in which the numbers were rounded.
        rounded: usize,
        /// Those in which quotients without their bounds would have been rounded wrongly.
        narrow: usize,
        /// The largest errors of `t`, `u` and `v` in shares of their bounds.
        worst: [f64; 3],
    }

    impl AnswerCounts {
        /// Compares the answers of all levels with exact arithmetic, whether the ray hits the
        /// triangle or only its plane. Returns the largest shares of the bounds.
        fn look(&mut self, levels: &[Level], pair: &RayAndTriangle) -> [f64; 3] {
            let truth = Truth::of(pair);
            let bits = |numbers: [f32; 3]| numbers.map(f32::to_bits);
            let expected = truth.rounded();
            let line =
                Ray::new(pair.0.origin, pair.0.dir).with_interval(-f32::INFINITY, f32::INFINITY);
            let is_hit = PreparedRay::new(&line).is_some_and(|question| {
                let prim = PrimId::from_index(0).unwrap();
                let touch = question.touch(prim, &pair.1, f64::INFINITY);
                touch.is_some_and(|touch| {
                    let hit = question.hit(&touch);
                    assert_eq!(Some([hit.t, hit.u, hit.v]), expected, "{pair:?}");
                    true
                })
            });
            let mut shares = [0.0f64; 3];
            for &level in levels {
                let computed = Computed::by(level, pair);
                let what = || std::format!("{level:?}: {pair:?}");
                self.answers += 1;
                self.hits += usize::from(is_hit);
                let Some(expected) = expected.filter(|_| computed.hold) else {
                    assert!(computed.hit.is_none(), "{}", what());
                    continue;
                };
                for (place, share) in shares.iter_mut().enumerate() {
                    let (value, error) = (computed.values[place], computed.errors[place]);
                    let found = truth.share(place, value, error);
                    let found = found.unwrap_or_else(|| panic!("{value} +- {error}: {}", what()));
                    *share = share.max(found);
                }
                let narrow = computed.values.map(|x| x as f32 + 0.0);
                self.narrow += usize::from(bits(narrow) != bits(expected));
                if let Some(Hit { t, u, v, .. }) = computed.hit {
                    self.rounded += usize::from(is_hit);
                    assert_eq!(bits([t, u, v]), bits(expected), "{}", what());
                }
            }
            for (worst, share) in self.worst.iter_mut().zip(shares) {
                *worst = worst.max(share);
            }
            shares
        }
    }

    /// Returns hits of which `t`, or `u` and `v`, are halfway between two `f32`s or nearly.
    fn near_ties(rng: &mut Rng, n: usize) -> Vec<RayAndTriangle> {
        (0..n).map(|_| near_tie(rng)).collect()
    }

    fn near_tie(rng: &mut Rng) -> RayAndTriangle {
        let above_one = |rng: &mut Rng| 1.0 + rng.signed().abs();
        // Returns two `f32`s, the sum of which is a tie times a number, or nearly.
        let tie_times = |rng: &mut Rng, by: f32| {
            let x = 0.1 + 0.3 * rng.signed().abs();
            let tie = f64::from(x).midpoint(x.next_up().into());
            let exact = tie * f64::from(by);
            let high = exact as f32;
            let low = (exact - f64::from(high)) as f32;
            let steps = match rng.below(3) {
                0 => 0,
                _ => 1 << rng.below(10),
            };
            let low = f32::from_bits(low.to_bits() + steps);
            (high, low)
        };
        let (origin, dir, corners) = if rng.one_in(2) {
            // Powers of two move the ray exactly.
            let way = rng.pick(&[0.125, 1.0, 64.0]);
            let (e1, e2) = (above_one(rng), above_one(rng));
            let ((x, small_x), (y, small_y)) = (tie_times(rng, e1), tie_times(rng, e2));
            let dir = [small_x / way, small_y / way, 1.0];
            let corners = [[0.0, 0.0, way], [e1, 0.0, way], [0.0, e2, way]];
            ([x, y, 0.0], dir, corners)
        } else {
            let dir = [rng.signed(), rng.signed(), above_one(rng)];
            let (z, small_z) = tie_times(rng, dir[2]);
            let corners = [0; 3].map(|_: i32| [rng.signed(), rng.signed(), z]);
            let [a, b, c] = corners;
            let start = |i: usize| (a[i] + b[i] + c[i]) / 3.0 - 0.25 * dir[i];
            ([start(0), start(1), -small_z], dir, corners)
        };
        let by = rng.below(3);
        let turned = |v: [f32; 3]| [v[by], v[(by + 1) % 3], v[(by + 2) % 3]];
        let [a, b, c] = corners.map(turned);
        let ray = Ray::new(turned(origin), turned(dir));
        (ray, Triangle::new(a, b, c))
    }

    #[test]
    fn what_is_rounded_is_the_exact_answer() {
        let rounds = if Effort::is_long() { 100 } else { 1 };
        let levels = levels();
        let (mut usual, mut ties, mut odd) = (
            AnswerCounts::default(),
            AnswerCounts::default(),
            AnswerCounts::default(),
        );
        for seed in 0..rounds {
            let mut rng = Rng::named(seed, "round");
            let pairs = [ordinary(&mut rng, 10_000), near_ties(&mut rng, 5_000)];
            for (seen, pairs) in [&mut usual, &mut ties].into_iter().zip(pairs) {
                for pair in pairs {
                    seen.look(&levels, &pair);
                }
            }
        }
        let rays = if Effort::is_long() { 100 } else { 4 };
        for pair in hostile(&mut Rng::new(1), rays) {
            odd.look(&levels, &pair);
        }
        std::println!("ordinary: {usual:?}\nnear ties: {ties:?}\nhostile: {odd:?}");
        assert!(usual.rounded > usual.answers / 1000 * 999, "{usual:?}");
        assert!(odd.rounded > odd.hits / 10, "{odd:?}");
        // The bounds decide which quotients are rounded.
        assert!(ties.hits > ties.answers / 10 * 9 && ties.rounded > ties.answers / 10);
        assert!(ties.narrow > ties.answers / 100, "{ties:?}");
    }

    /// Returns how many hits of rays with errors are rounded, and how many of these wrongly. They state
    /// `told` times their errors; corners have errors up to `of_corners` times as large, which are stated in the same
    /// way.
    fn rounded_with_errors(told: f64, of_corners: f64) -> [usize; 2] {
        let rounds = if Effort::is_long() { 100 } else { 1 };
        let (levels, prim) = (levels(), PrimId::from_index(0).unwrap());
        let (mut rounded, mut wrong) = (0, 0);
        for seed in 0..rounds {
            let mut rng = Rng::named(seed, "blurred");
            let mut pairs = ordinary(&mut rng, 10_000);
            pairs.extend(near_ties(&mut rng, 5_000));
            for pair @ (ray, triangle) in &pairs {
                let mut error = || rng.pick(&[0.0, 1.0]) * 2f64.powi(rng.int(-50, -24));
                let [origin_error, dir_error, corner_error] = [(); 3].map(|()| error());
                let corner_error = corner_error * of_corners;
                let mut true_corners = Corners::of(triangle);
                for x in true_corners.0.iter_mut().flatten() {
                    *x += rng.pick(&[-1.0, 1.0, 0.3, 0.0]) * corner_error;
                }
                let mut side = || rng.pick(&[-1.0, 1.0, 0.3, 0.0]);
                let sides = [[(); 3]; 2].map(|axes| axes.map(|()| side()));
                let start = f64::from(rng.signed());
                let (o, d) = (widen(ray.origin), widen(ray.dir));
                let size = o
                    .iter()
                    .chain(&d)
                    .fold(0.0, |size, x| f64::max(size, x.abs()));
                let lost = size * 8.0 * V;
                let blurred = BlurredRay {
                    origin: core::array::from_fn(|i| {
                        o[i] + start * d[i] + sides[0][i] * origin_error
                    }),
                    dir: core::array::from_fn(|i| d[i] + sides[1][i] * dir_error),
                    origin_error: (origin_error + corner_error) * told + lost,
                    dir_error: dir_error * told + lost,
                    start,
                };
                let Some(expected) = Truth::of_corners(ray, true_corners).rounded() else {
                    continue;
                };
                let corners = triangle.corners().map(|p| p.to_array());
                for &level in &levels {
                    let hit = fearless_simd::dispatch!(level, simd => {
                        let corners = corners.map(|p| p.map(|x| f32x4::splat(simd, x)));
                        match corner_error {
                            0.0 => round_blurred(simd, &blurred, prim, corners),
                            _ => {
                                let edge_error = 2.0 * corner_error * told + lost;
                                let blurred = (&blurred, edge_error);
                                round_blurred_triangle(simd, blurred, prim, corners)
                            }
                        }
                    });
                    let Some(Hit { t, u, v, .. }) = hit else {
                        continue;
                    };
                    rounded += 1;
                    let bits = |numbers: [f32; 3]| numbers.map(f32::to_bits);
                    let is_wrong = bits([t, u, v]) != bits(expected);
                    if is_wrong && told == 1.0 {
                        std::println!("{level:?}: {hit:?}, not {expected:?}: {blurred:?} {pair:?}");
                    }
                    wrong += usize::from(is_wrong);
                }
            }
        }
        [rounded, wrong]
    }

    #[test]
    fn rays_with_errors_are_rounded_as_the_true_ones() {
        let enough = 3_000 * levels().len();
        let [rounded, wrong] = rounded_with_errors(1.0, 0.0);
        assert_eq!(wrong, 0);
        assert!(rounded > enough, "{rounded}");
        let [rounded, wrong] = rounded_with_errors(1.0, 1.0);
        assert_eq!(wrong, 0);
        assert!(rounded > enough, "{rounded}");
    }

    #[test]
    fn understated_errors_are_found() {
        let [_, wrong] = rounded_with_errors(0.05, 0.0);
        assert!(wrong > 10, "{wrong}");
        // Bounds of corners are wider: each of two edges has the errors of both of its corners.
        let [_, wrong] = rounded_with_errors(0.02, 1.0);
        assert!(wrong > 10, "{wrong}");
    }

    /// Walks from random pairs to ones with larger errors, as for the bounds of `products.rs`.
    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let (starts, steps) = if Effort::is_long() {
            (5_000, 1_000)
        } else {
            (300, 200)
        };
        let levels = levels();
        let mut rng = Rng::named(1, "walks");
        let mut seen = AnswerCounts::default();
        for start in 0..starts {
            let mut vector = || rng.point();
            let mut case = [vector(), vector(), vector(), vector(), vector()];
            if start % 4 == 0 {
                // Far away from a triangle of another size.
                let (way, size) = (rng.int(-12, 12), rng.int(-12, 12));
                let by = |exponent: i32| 2f64.powi(exponent) as f32;
                case[0] *= by(way);
                case[2..].iter_mut().for_each(|p| *p *= by(size));
            }
            let pair = |[o, d, a, b, c]: [glam::Vec3; 5]| (Ray::new(o, d), Triangle::new(a, b, c));
            let aim = start % 3;
            let mut best = seen.look(&levels, &pair(case));
            for _ in 0..steps {
                let mut next = case;
                let number = &mut next[rng.below(5)][rng.below(3)];
                *number = match rng.below(4) {
                    0 => rng.signed(),
                    1 => -*number,
                    2 => number.next_up(),
                    _ => f32::from_bits(number.to_bits() ^ 1 << rng.below(16)),
                };
                let found = seen.look(&levels, &pair(next));
                if found[aim] >= best[aim] {
                    (case, best) = (next, found);
                }
            }
        }
        std::println!("{seen:?}");
        // The search would disprove bounds 25 times tighter.
        assert!(seen.worst.iter().all(|&share| share > 0.04), "{seen:?}");
        assert!(seen.hits > 1000 && seen.rounded > 1000, "{seen:?}");
    }
}

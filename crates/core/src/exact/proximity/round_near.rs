//! Rounds the numbers of the closest point of a triangle in `f64`, whose part is certain.
//!
//! In lanes, of numbers of two `f64`s each (`exact/sums.rs`). With the corners `c_i` relative to the point, the edges
//! `e_i` and the normal `n`, the lanes are four dot products, of which the first divides the others:
//!
//! | the closest point is | dot products | quotients | base and way to the closest point |
//! |---|---|---|---|
//! | vertex i | `c_i . c_i` in all | | `c_i` |
//! | inside edge i | `e . e`, `c_i . e`, `c_(i+1) . e`, `m . m`, with `m = c_i x e` | 1, less the weight of the end, the weight of the start, the squared distance | `c_i`, less the first weight times `e` |
//! | inside the face | `n . n`, `n . (c_2 x e_2)`, `n . (c_0 x e_0)`, `n . c_0` | 1, `u`, `v`, a share s of n | the point, s times `n` |
//!
//! On a face, the squared distance is s times the last dot product.
//!
//! # Bounds
//! Let u = 2^-53. With Y and Z as the largest components of two vectors, the size of their cross product is
//! `S = Y Z`: its components are at most `2 S`, with low halves of at most `8u S`, and off by `34u^2 S`. That of a
//! difference is its largest component, and its low half u times that. Let S and T be the sizes of both
//! factors.
//! - **Dot products** of two cross products have products of at most `4 S T`, so low halves of `128u S T` and
//!   roundings of less than `1536u^2 S T`; products of `192u^2 S T` are left out, and errors of components add
//!   `408u^2 S T`. Others have less. That is less than `2200u^2 S T`, and 4096 are granted.
//! - **The way** from the base is the product of a quotient, `q + r` with `|r| <= 5.1u |q|`, off by E, and a vector of
//!   size S. Its low half is at most `20.2u |q| S`, with four roundings of u times that; `41u^2 |q| S` are left out, and
//!   the errors add `2.1 S E` and `35u^2 |q| S`: 256u^2 are granted. The sum with the base is exact but for one
//!   rounding of its low half, and one more of the ends of the interval.
//! - **The squared distance** on a face is a product whose low half is at most `7.1u` of it: 64u^2 of it are granted
//!   for four roundings and what is left out; the errors of both factors add to that.
//! - **Its root**: let r be the rounded root of the high half of q. The root is `r + (q - r^2) / 2r`, less
//!   `(q - r^2)^2 / 8r^3`, where `q - r^2` is at most `10.2u q`: that is less than `14u^2 r`, and roundings are less than
//!   `20u^2 r`; 64u^2 are granted. With an error E of q it is off by at most `E / 2r` times `1 + E / q`. Where E
//!   is more than a 512th of q, an interval of a 512th more than `E / 2r` is too long to decide anything.
//!
//! # Range
//! Edges are within 2^-60 and 2^100, and corners from the point on within 2^-150 and 2^100. So the bounds of dot products
//! are at least 2^-520, which what underflows in them is far below. Squared distances below 2^-500 are left open, and so
//! are quotients below 2^-900. What underflows in the way is less than 2^-1022, which is granted. Nothing
//! overflows: a divisor is at least 2^-516, its bound, or nothing is decided.

use super::{ClosestPoint, Feature};
use crate::arithmetic::{InlineMap, Range, V3, sqrt};
use crate::exact::sums::{Quotients, Sum, U_SQUARE, ends, product_less};
use crate::shapes::{PrimId, Triangle64};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f64x4, mask64x4};
use glam::DVec3;

/// 2^-60 to 2^100.
const EDGES: Range = Range::of_powers(-60, 100);
/// 2^-150 to 2^100.
const CORNERS: Range = Range::of_powers(-150, 100);

const SHARE: f64 = 4096.0 * U_SQUARE;
/// 2^-500.
const LEAST_SQUARE: f64 = f64::from_bits((1023 - 500) << 52);

/// Returns the closest point of a triangle with area, if the bounds decide how all of its numbers are rounded.
#[inline(always)]
pub(super) fn round_near<S: Simd>(
    simd: S,
    point: V3,
    (prim, triangle): (PrimId, &Triangle64),
    feature: Feature,
) -> Option<ClosestPoint<f64>> {
    let corners = triangle.coordinates();
    let (distance, [u, v], at) = match feature {
        Feature::Vertex(i) => {
            let corner = corners[usize::from(i) % 3];
            let weights = [f64::from(i == 1), f64::from(i == 2)];
            (vertex_distance(simd, point, corner)?, weights, corner)
        }
        Feature::Edge(i) => {
            let near = Near::of_edge(simd, point, corners, i)?;
            let (weights, decided) = near.quotients.rounded();
            let [_, minus_end, start, _] = weights.to_array();
            let end = 0.0 - minus_end;
            let weights = match i {
                0 => [end, 0.0],
                1 => [start, end],
                _ => [0.0, start],
            };
            (near.distance(decided)?, weights, near.point()?)
        }
        Feature::Face => {
            let near = Near::of_face(simd, point, corners)?;
            let (weights, decided) = near.quotients.rounded();
            let [_, u, v, _] = weights.to_array();
            (near.distance(decided)?, [u, v], near.point()?)
        }
    };
    Some(ClosestPoint {
        distance,
        prim,
        u: u + 0.0,
        v: v + 0.0,
        point: DVec3::from_array(at) + 0.0,
        feature,
    })
}

/// Returns the distance from a triangle with area, if the bounds decide how it is rounded.
#[inline(always)]
pub(super) fn round_distance<S: Simd>(
    simd: S,
    point: V3,
    triangle: &Triangle64,
    feature: Feature,
) -> Option<f64> {
    let corners = triangle.coordinates();
    match feature {
        Feature::Vertex(i) => vertex_distance(simd, point, corners[usize::from(i) % 3]),
        Feature::Edge(i) => Near::of_edge(simd, point, corners, i)?.distance(ALL),
        Feature::Face => Near::of_face(simd, point, corners)?.distance(ALL),
    }
}

/// All lanes, as bits.
const ALL: u32 = 0b1111;

#[inline(always)]
fn vertex_distance<S: Simd>(simd: S, point: V3, corner: V3) -> Option<f64> {
    let [x, y, z] = [0, 1, 2].inline_map(
        #[inline(always)]
        |axis: usize| {
            let to = f64x4::splat(simd, corner[axis]);
            Sum::of_difference(to, f64x4::splat(simd, point[axis]))
        },
    );
    let size = largest([x, y, z]);
    if !CORNERS.contains(size.to_array()[0]) {
        return None;
    }
    let square = Sum::of_dot([(x, x), (y, y), (z, z)]).normal();
    let error = size * size * f64x4::splat(simd, SHARE);
    rounded_root(simd, square, error, ALL)
}

/// The closest part of a triangle, not a vertex.
struct Near<S: Simd> {
    simd: S,
    quotients: Quotients<f64x4<S>>,
    /// In the last lane, the squared distance, and a bound of its error.
    square: Sum<f64x4<S>>,
    square_error: f64x4<S>,
    /// By axis: what the closest point is reached from.
    base: f64x4<S>,
    /// By axis: the vector whose multiple leads there, with its size, and the factor with its error, in all lanes.
    way: Sum<f64x4<S>>,
    size: f64x4<S>,
    factor: Sum<f64x4<S>>,
    factor_error: f64x4<S>,
    /// The axes along which the part is level, and what its coordinate is there.
    is_level: mask64x4<S>,
    level: f64x4<S>,
}

impl<S: Simd> Near<S> {
    #[inline(always)]
    fn of_edge(simd: S, point: V3, corners: [V3; 3], i: u8) -> Option<Self> {
        let i = usize::from(i) % 3;
        let (start, end) = (corners[i], corners[(i + 1) % 3]);
        let all = [0, 1, 2].inline_map(
            #[inline(always)]
            |axis: usize| {
                let (p, a, b) = (point[axis], start[axis], end[axis]);
                let to = f64x4::load_array(simd, [b, a, b, a]);
                Sum::of_difference(to, f64x4::load_array(simd, [a, p, p, p]))
            },
        );
        let edge = all.inline_map(
            #[inline(always)]
            |axis: Sum<f64x4<S>>| axis.lane::<0>(simd),
        );
        let [size, edge_size] = usual_sizes(all, edge)?;
        let moment = Sum::of_cross(all, edge);
        // The moment in the last lane.
        let last = mask64x4::from_bitmask(simd, 0b1000);
        let moment_size = size * edge_size;
        let factors = [0, 1, 2].inline_map(
            #[inline(always)]
            |axis: usize| {
                let moment = moment[axis];
                (
                    select(last, moment, all[axis]),
                    select(last, moment, edge[axis]),
                )
            },
        );
        let error = last.select(moment_size, size) * last.select(moment_size, edge_size);
        let error = error * f64x4::splat(simd, SHARE);
        let dots = Sum::of_dot(factors).normal();
        let quotients = Quotients::by_lane::<0>(simd, dots, error);
        let square = Sum {
            high: quotients.first,
            low: quotients.second,
        };
        let base = by_axis(simd, start);
        let way = Sum::of_difference(by_axis(simd, end), base);
        let factor = square.lane::<1>(simd);
        Some(Near {
            simd,
            square,
            square_error: quotients.error,
            base,
            way,
            size: edge_size,
            factor: Sum {
                high: -factor.high,
                low: -factor.low,
            },
            factor_error: f64x4::splat(simd, quotients.error.to_array()[1]),
            is_level: way.high.simd_eq(f64x4::splat(simd, 0.0)),
            level: base,
            quotients,
        })
    }

    #[inline(always)]
    fn of_face(simd: S, point: V3, [p0, p1, p2]: [V3; 3]) -> Option<Self> {
        let first = [0, 1, 2].inline_map(
            #[inline(always)]
            |axis: usize| {
                let (p, a, b, c) = (point[axis], p0[axis], p1[axis], p2[axis]);
                let to = f64x4::load_array(simd, [b, c, a, a]);
                Sum::of_difference(to, f64x4::load_array(simd, [a, p, p, p]))
            },
        );
        let second = [0, 1, 2].inline_map(
            #[inline(always)]
            |axis: usize| {
                let (a, b, c) = (p0[axis], p1[axis], p2[axis]);
                let to = f64x4::load_array(simd, [c, a, b, b]);
                Sum::of_difference(to, f64x4::load_array(simd, [b, c, a, a]))
            },
        );
        let [first_size, second_size] = usual_sizes(first, second)?;
        let crosses = Sum::of_cross(first, second);
        let normal = crosses.inline_map(
            #[inline(always)]
            |axis: Sum<f64x4<S>>| axis.lane::<0>(simd),
        );
        let last = mask64x4::from_bitmask(simd, 0b1000);
        let factors = [0, 1, 2].inline_map(
            #[inline(always)]
            |axis: usize| (normal[axis], select(last, first[axis], crosses[axis])),
        );
        let size = first_size * second_size;
        let normal_size = f64x4::splat(simd, size.to_array()[0]);
        let error = normal_size * last.select(first_size, size) * f64x4::splat(simd, SHARE);
        let dots = Sum::of_dot(factors).normal();
        let quotients = Quotients::by_lane::<0>(simd, dots, error);
        let share = Sum {
            high: quotients.first,
            low: quotients.second,
        };
        let square = dots.times(share);
        let square_error = (dots
            .high
            .abs()
            .mul_add(quotients.error, quotients.first.abs() * error))
        .mul_add(
            f64x4::splat(simd, 1.0 + 1.0 / 512.0),
            square.high.abs() * f64x4::splat(simd, 64.0 * U_SQUARE),
        );
        let [n0, n1, n2] = crosses;
        let level = by_axis(simd, p0);
        let is_level = level.simd_eq(by_axis(simd, p1)) & level.simd_eq(by_axis(simd, p2));
        Some(Near {
            simd,
            square,
            square_error,
            base: by_axis(simd, point),
            way: Sum {
                high: first_lanes(simd, [n0.high, n1.high, n2.high]),
                low: first_lanes(simd, [n0.low, n1.low, n2.low]),
            },
            size: normal_size,
            factor: share.lane::<3>(simd),
            factor_error: f64x4::splat(simd, quotients.error.to_array()[3]),
            is_level,
            level,
            quotients,
        })
    }

    /// Returns the distance if its rounding is decided, and so are those of both weights.
    #[inline(always)]
    fn distance(&self, decided: u32) -> Option<f64> {
        let holds = self.quotients.hold & self.quotients.are_usual == ALL;
        let decided = if holds { decided | 0b1001 } else { 0 };
        rounded_root(self.simd, self.square, self.square_error, decided)
    }

    /// Returns the closest point if the rounding of all coordinates is decided.
    #[inline(always)]
    fn point(&self) -> Option<V3> {
        let simd = self.simd;
        let moved = self.way.times(self.factor);
        let Sum { high, low } = Sum::of_difference(self.base, -moved.high);
        let tail = low + moved.low;
        let share = self.factor.high.abs() * f64x4::splat(simd, 256.0 * U_SQUARE);
        let error = self.factor_error.mul_add(f64x4::splat(simd, 2.125), share);
        let error = error.mul_add(self.size, f64x4::splat(simd, f64::MIN_POSITIVE));
        let error = tail
            .abs()
            .mul_add(f64x4::splat(simd, 2.0 * f64::EPSILON), error);
        let (least, most) = ends(high, tail, error);
        // In this form NaN is refused.
        let decided = least.simd_eq(most) | self.is_level;
        let [x, y, z, _] = self.is_level.select(self.level, least).to_array();
        (decided.to_bitmask() & 0b111 == 0b111).then_some([x, y, z])
    }
}

/// Returns the largest components of two vectors, if all are usual.
#[inline(always)]
fn usual_sizes<S: Simd>(
    of: [Sum<f64x4<S>>; 3],
    edges: [Sum<f64x4<S>>; 3],
) -> Option<[f64x4<S>; 2]> {
    let (sizes, edge_sizes) = (largest(of), largest(edges));
    let [a, b, c, d] = sizes.to_array();
    let [e, f, g, h] = edge_sizes.to_array();
    let are_corners =
        CORNERS.contains(a) && CORNERS.contains(b) && CORNERS.contains(c) && CORNERS.contains(d);
    let are_edges =
        EDGES.contains(e) && EDGES.contains(f) && EDGES.contains(g) && EDGES.contains(h);
    (are_corners && are_edges).then_some([sizes, edge_sizes])
}

#[inline(always)]
fn largest<S: Simd>([x, y, z]: [Sum<f64x4<S>>; 3]) -> f64x4<S> {
    x.high.abs().max(y.high.abs()).max(z.high.abs())
}

/// Returns a vector with an axis in each lane.
#[inline(always)]
fn by_axis<S: Simd>(simd: S, [x, y, z]: V3) -> f64x4<S> {
    f64x4::load_array(simd, [x, y, z, 0.0])
}

/// Returns the numbers in the first lanes, side by side.
#[inline(always)]
fn first_lanes<S: Simd>(simd: S, [x, y, z]: [f64x4<S>; 3]) -> f64x4<S> {
    by_axis(simd, [x.to_array()[0], y.to_array()[0], z.to_array()[0]])
}

#[inline(always)]
fn select<S: Simd>(mask: mask64x4<S>, a: Sum<f64x4<S>>, b: Sum<f64x4<S>>) -> Sum<f64x4<S>> {
    Sum {
        high: mask.select(a.high, b.high),
        low: mask.select(a.low, b.low),
    }
}

/// Returns the root of the number in the last lane, if its rounding is decided, and all lanes given as bits are.
#[inline(always)]
fn rounded_root<S: Simd>(
    simd: S,
    square: Sum<f64x4<S>>,
    error: f64x4<S>,
    decided: u32,
) -> Option<f64> {
    let high = square.high.to_array()[3];
    let root = sqrt(high);
    let r = f64x4::splat(simd, root);
    let again = r * r;
    let rest = ((square.high - again) - product_less(r, r, again)) + square.low;
    let half = f64x4::splat(simd, 0.5 / root);
    let tail = rest * half;
    let own = r * f64x4::splat(simd, 64.0 * U_SQUARE);
    let error = (error * half).mul_add(f64x4::splat(simd, 1.0 + 1.0 / 512.0), own);
    let (least, most) = ends(r, tail, error);
    let (least, most) = (least.to_array()[3], most.to_array()[3]);
    // In this form NaN is refused.
    (high >= LEAST_SQUARE && least == most && decided == ALL).then_some(least)
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests {
    use super::*;
    use crate::arithmetic::{
        Dyadic, Number, Numbers, Ratio, Vector, cross_product, dot, power_of_two, usual_or_long,
    };
    use crate::exact::proximity::{ExactDistance, Measure, WidePoint};
    use crate::exact::ray::levels;

    /// Returns a point and a triangle of a kind: of all sizes, of map coordinates, of few bits, or a sliver; the
    /// point is anywhere, near the triangle, or next to a corner.
    fn case(numbers: &mut Numbers) -> (V3, Triangle64) {
        let kind = numbers.next() >> 58;
        let size = match kind % 4 {
            0 => power_of_two((numbers.next() >> 58) as i32 - 32),
            _ => 1.0,
        };
        let offset = if kind % 4 == 1 { 5e6 } else { 0.0 };
        let mut point = || {
            let mut number = || match kind % 4 {
                2 => ((numbers.next() >> 60) as f64 - 8.0) * size,
                _ => ((numbers.next() >> 11) as f64 / power_of_two(52) - 1.0) * size,
            };
            [number(), number(), number()].map(|x| x + offset)
        };
        let [a, b, mut c, mut p] = [point(), point(), point(), point()];
        let share = |numbers: &mut Numbers| numbers.float(4).abs();
        if kind % 4 == 3 && kind >> 2 & 1 == 1 {
            let (along, aside) = (share(numbers), power_of_two(-12) * share(numbers));
            c = [0, 1, 2].map(|i: usize| a[i] + along * (b[i] - a[i]) + aside * c[i]);
        }
        if kind >> 3 & 1 == 1 {
            c[2] = a[2];
        }
        let (u, v, away) = (share(numbers), share(numbers), share(numbers));
        let away = [1.0, power_of_two(-10), power_of_two(-30), 0.0][(kind >> 4) as usize] * away;
        if kind % 4 != 2 {
            p = [0, 1, 2].map(|i: usize| {
                let inside = a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]);
                inside + away * (p[i] - offset)
            });
        }
        (p, Triangle64::new(a, b, c))
    }

    /// Returns the ratio of the error of `first + second` to its bound. It fails where that is above 1.
    fn share(
        [first, second, error]: [f64; 3],
        (num, den): (&Dyadic, &Dyadic),
        what: impl Fn() -> String,
    ) -> f64 {
        let size = |x: Dyadic| if x.sign() < 0 { x.neg() } else { x };
        let of = |x: f64| Dyadic::from_f64(x);
        let off = size(num.sub(&of(first).add(&of(second)).mul(den)));
        let bound = size(of(error).mul(den));
        assert!(bound.sub(&off).sign() >= 0, "{}", what());
        match off.sign() {
            0 => 0.0,
            _ => off.estimate() / bound.estimate(),
        }
    }

    /// The exact dividends of the last three lanes, their divisor, the squared distance's, and what the coordinates of
    /// the closest point are, times the divisor.
    struct Truth {
        dividends: [Dyadic; 3],
        den: Dyadic,
        square: (Dyadic, Dyadic),
        at: Vector<Dyadic>,
    }

    impl Truth {
        fn of(point: V3, triangle: &Triangle64, feature: Feature) -> Option<Self> {
            let [a, b, c] = triangle.coordinates();
            let minus = |a: V3, b: V3| [0, 1, 2].map(|i: usize| Dyadic::of_difference(a[i], b[i]));
            let corners = [minus(a, point), minus(b, point), minus(c, point)];
            let edges = [minus(b, a), minus(c, b), minus(a, c)];
            let times =
                |x: &Dyadic, by: &Dyadic, y: &Dyadic, other: &Dyadic| x.mul(by).add(&y.mul(other));
            Some(match feature {
                Feature::Vertex(_) => return None,
                Feature::Edge(i) => {
                    let i = usize::from(i);
                    let (from, to, edge) = (&corners[i], &corners[(i + 1) % 3], &edges[i]);
                    let moment = cross_product(from, edge);
                    let (den, along) = (dot(edge, edge), dot(from, edge));
                    let square = dot(&moment, &moment);
                    let base = triangle.coordinates()[i].map(Dyadic::from_f64);
                    Truth {
                        at: [0, 1, 2].map(|axis: usize| {
                            times(&base[axis], &den, &edge[axis], &along.clone().neg())
                        }),
                        dividends: [along, dot(to, edge), square.clone()],
                        square: (square, den.clone()),
                        den,
                    }
                }
                Feature::Face => {
                    let normal = cross_product(&edges[0], &edges[1]);
                    let side = |i: usize| dot(&normal, &cross_product(&corners[i], &edges[i]));
                    let (den, height) = (dot(&normal, &normal), dot(&normal, &corners[0]));
                    let base = point.map(Dyadic::from_f64);
                    Truth {
                        at: [0, 1, 2]
                            .map(|axis: usize| times(&base[axis], &den, &normal[axis], &height)),
                        square: (height.square(), den.clone()),
                        dividends: [side(2), side(0), height],
                        den,
                    }
                }
            })
        }
    }

    #[test]
    fn a_search_finds_no_violation_of_the_bounds_and_no_wrong_rounding() {
        let rounds = usual_or_long(10_000, 2_000_000);
        let mut numbers = Numbers(0x3c6e_f372_fe94_f82b);
        let prim = PrimId::from_index(0).expect("the first");
        let mut worst = [0.0f64; 2];
        let mut counts = [[0usize; 2]; 3];
        for _ in 0..rounds {
            let (point, triangle) = case(&mut numbers);
            let prepared = WidePoint::new(point.into()).expect("a finite point");
            let Some(found) = prepared.measure(prim, &triangle, f64::INFINITY) else {
                continue;
            };
            let exact: ExactDistance = prepared.exact(&triangle).expect("it has area");
            let (feature, corners) = (found.feature, triangle.coordinates());
            let what = || format!("{point:?} {triangle:?} {feature:?}");
            assert_eq!(exact.feature(), feature, "{}", what());
            let truth = Truth::of(point, &triangle, feature);
            let count = &mut counts[match feature {
                Feature::Vertex(_) => 0,
                Feature::Edge(_) => 1,
                Feature::Face => 2,
            }];
            for level in levels() {
                count[0] += 1;
                let bounds = fearless_simd::dispatch!(level, simd => {
                    let near = match feature {
                        Feature::Vertex(_) => None,
                        Feature::Edge(i) => Near::of_edge(simd, point, corners, i),
                        Feature::Face => Near::of_face(simd, point, corners),
                    };
                    near.filter(|near| near.quotients.hold == ALL).map(|near| {
                        let Near { quotients, square, square_error, .. } = near;
                        let Quotients { first, second, error, .. } = quotients;
                        [first, second, error, square.high, square.low, square_error]
                            .map(SimdBase::to_array)
                    })
                });
                if let (Some(bounds), Some(truth)) = (bounds, &truth) {
                    let [first, second, error, square @ ..] = bounds;
                    for (lane, dividend) in truth.dividends.iter().enumerate() {
                        let place = lane + 1;
                        let found = [first[place], second[place], error[place]];
                        worst[0] = worst[0].max(share(found, (dividend, &truth.den), what));
                    }
                    let square = square.map(|lanes| lanes[3]);
                    if square[2] < square[0] / 1024.0 {
                        let (num, den) = &truth.square;
                        worst[1] = worst[1].max(share(square, (num, den), what));
                    }
                }
                let (near, distance) = fearless_simd::dispatch!(level, simd => {
                    let distance = round_distance(simd, point, &triangle, feature);
                    (round_near(simd, point, (prim, &triangle), feature), distance)
                });
                let root = || exact.square().root_to_f64().to_bits();
                if let Some(distance) = distance {
                    assert_eq!(distance.to_bits(), root(), "{}", what());
                }
                let Some(near) = near else {
                    continue;
                };
                count[1] += 1;
                assert_eq!(distance.map(f64::to_bits), Some(near.distance.to_bits()));
                let weights = exact.weights().map(|weight| weight.to_f64().to_bits());
                assert_eq!([near.u, near.v].map(f64::to_bits), weights, "{}", what());
                let at = match (&truth, feature) {
                    (Some(Truth { at, den, .. }), _) => [0, 1, 2]
                        .map(|axis: usize| Ratio::new(at[axis].clone(), den.clone()).to_f64()),
                    (None, Feature::Vertex(i)) => corners[usize::from(i)].map(|x| x + 0.0),
                    _ => unreachable!("only vertices lack one"),
                };
                let found = near.point.to_array().map(f64::to_bits);
                assert_eq!(found, at.map(f64::to_bits), "{}", what());
            }
        }
        println!("rounded of all by feature: {counts:?}, worst errors {worst:.4?} of their bounds");
        assert!(
            counts.iter().all(|[all, rounded]| rounded * 4 > all * 3),
            "{counts:?}"
        );
        assert!(worst.iter().all(|&share| share > 0.001), "{worst:?}");
    }
}

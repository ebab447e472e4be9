//! Distances from triangles in `f64`, with bounds.
//!
//! # Bounds
//! Let v = 2^-53. Components of corners and edges are differences of `f32`s, rounded once. Nothing
//! underflows or overflows before the final quotients: differences are multiples of 2^-149 below
//! 2^129, so products of six of them are zero or in 2^-894 ..= 2^784.
//!
//! - **Dot products** of two differences: a product has three roundings and a sum two, so the error
//!   is at most 5v of the sum of the absolute terms, which is at most three times the product of the
//!   largest components: 15v of that, and 16v cover its own roundings.
//! - **Squared lengths** of differences: 5v relative; 6v are granted, and 8v for an interval, whose
//!   ends are rounded too.
//! - **Cross products** of two differences: three roundings a product and one of the difference, so
//!   4v of two products; 9v of the largest components' product instead of 8v cover the rest.
//! - **Sums of products with a cross product** whose components are off by E: with S the sum of the
//!   components' absolute values, a dot product with components off by F and sum T is off by
//!   `E T + F S + 3 E F` and by the roundings of itself, 3v of `S T`, for which 4v are granted. The
//!   squared length is the same with itself. Where the other factor is a difference, `F S` is
//!   at most `v S T`, so 5v are granted in all.
//! - **Squares** of a number off by E: `E (2 |x| + E)` and one rounding.
//! - **The difference of two squared distances** from vertices is `(a - b) . ((a - p) + (b - p))`,
//!   which keeps its precision where both are about equal, as from far away: four roundings a
//!   factor, counted together, one of the product and two of the sum, so at most 7v of the sum of
//!   the absolute terms; but the sum of two differences may cancel, so it counts by the absolute
//!   values of these, and 8v are granted.
//! - **Quotients**: see [`quotient`]. A quotient may underflow, as may its error, by less than the
//!   least normal number: the interval is larger by that at both ends.
//!
//! # Corners in `f64`
//! All of this holds for differences of `f64`s, too, if edges are within 2^-60 and 2^100, and corners from the
//! point on within 2^-150 and 2^100, or 0. Then no product overflows. The spare of a bound is at least 2^-54 of the
//! largest components' products, for the square of a product with a normal 2^-110 of that of `|e|^2 |c|`, which is
//! 2^-650: what underflows is less than 2^-1070.

use super::Feature;
use crate::arithmetic::{
    Bounded, InlineMap, Interval, Range, V, V3, larger, largest, minus, quotient,
    vector::{cross, dot},
};

const EDGES: Range = Range::of_powers(-60, 100);
const CORNERS: Range = Range::of_powers(-150, 100);

/// A triangle relative to a point.
pub(super) struct Relative {
    pub(super) corners: [V3; 3],
    /// From each corner to the next one.
    pub(super) edges: [V3; 3],
}

impl Relative {
    #[inline(always)]
    pub(super) fn of(point: V3, [a, b, c]: [V3; 3]) -> Self {
        Relative {
            corners: [minus(a, point), minus(b, point), minus(c, point)],
            edges: [minus(b, a), minus(c, b), minus(a, c)],
        }
    }

    /// Returns whether the sizes of `f64`s are such that the bounds lose nothing: see the top.
    #[inline(always)]
    pub(super) fn is_usual(&self) -> bool {
        self.edges.iter().all(|edge| EDGES.contains(largest(*edge)))
            && self.corners.iter().all(|corner| {
                let size = largest(*corner);
                CORNERS.contains(size) || size == 0.0
            })
    }

    /// Returns the normal; each component is off by at most `error`.
    #[inline(always)]
    pub(super) fn normal(&self) -> Normal {
        let size = larger(largest(self.edges[0]), largest(self.edges[1]));
        Normal::of(cross(self.edges[0], self.edges[1]), 9.0 * V * size * size)
    }

    /// Returns the cross product of a corner and the edge that starts there.
    #[inline(always)]
    pub(super) fn moment(&self, i: usize) -> Normal {
        let (corner, edge) = (self.corners[i], self.edges[i]);
        Normal::of(
            cross(corner, edge),
            9.0 * V * largest(corner) * largest(edge),
        )
    }

    /// Returns the squared length of an edge.
    #[inline(always)]
    pub(super) fn edge_square(&self, i: usize) -> Bounded {
        relative(dot(self.edges[i], self.edges[i]), 6.0 * V)
    }
}

/// A cross product whose components are off by at most `error`.
#[derive(Clone, Copy)]
pub(super) struct Normal {
    pub(super) vector: V3,
    pub(super) error: f64,
    /// The sum of the components' absolute values.
    sum: f64,
}

impl Normal {
    #[inline(always)]
    fn of(vector: V3, error: f64) -> Self {
        Normal {
            vector,
            error,
            sum: sum(vector),
        }
    }

    #[inline(always)]
    pub(super) fn square(&self) -> Bounded {
        let value = dot(self.vector, self.vector);
        Bounded {
            value,
            error: self.error * (2.0 * self.sum + 3.0 * self.error) + 4.0 * V * value,
        }
    }

    /// Returns the dot product with another one.
    #[inline(always)]
    pub(super) fn dot(&self, other: &Normal) -> Bounded {
        Bounded {
            value: dot(self.vector, other.vector),
            error: self.error * other.sum
                + other.error * self.sum
                + 3.0 * self.error * other.error
                + 4.0 * V * (self.sum * other.sum),
        }
    }

    /// Returns the dot product with a vector whose components were rounded once.
    #[inline(always)]
    pub(super) fn dot_difference(&self, other: V3) -> Bounded {
        Bounded {
            value: dot(self.vector, other),
            error: sum(other) * (self.error + 5.0 * V * self.sum),
        }
    }
}

/// Returns the part of a triangle that is closest to a point, and an interval around the squared
/// distance. `None` where bounds leave open which part it is, or whether the triangle has area.
#[inline(always)]
pub(super) fn measure(relative: &Relative) -> Option<(Feature, Interval)> {
    let Relative { corners, edges } = relative;
    let normal = relative.normal();
    let normal_square = normal.square();
    // In this form NaN is left open.
    let has_area = normal_square.value > normal_square.error;
    if !has_area {
        return None;
    }
    let [reach, size] = [corners, edges].inline_map(|three| {
        larger(
            larger(largest(three[0]), largest(three[1])),
            largest(three[2]),
        )
    });
    let error = 16.0 * V * size * reach;
    let starts = [0, 1, 2].inline_map(|i: usize| dot(corners[i], edges[i]));
    let ends = [0, 1, 2].inline_map(|i: usize| dot(corners[(i + 1) % 3], edges[i]));
    for i in 0..3 {
        let (start, end) = (starts[i], ends[(i + 2) % 3]);
        if corners[i] == [0.0; 3] {
            return Some((Feature::Vertex(i as u8), (0.0, 0.0)));
        }
        if start < -error || end > error {
            continue;
        }
        return (start > error && end < -error).then(|| {
            let square = dot(corners[i], corners[i]);
            (Feature::Vertex(i as u8), around(square))
        });
    }
    let mut is_inside = true;
    for i in 0..3 {
        let moment = relative.moment(i);
        let side = normal.dot(&moment);
        if side.value > side.error {
            continue;
        }
        is_inside = false;
        if starts[i] > error || ends[i] < -error {
            continue;
        }
        let is_beyond = side.value < -side.error && starts[i] < -error && ends[i] > error;
        return is_beyond.then(|| {
            let square = ratio(moment.square(), relative.edge_square(i));
            (Feature::Edge(i as u8), square)
        });
    }
    is_inside.then(|| {
        let height = normal.dot_difference(corners[0]);
        (Feature::Face, ratio(squared(height), normal_square))
    })
}

/// Returns the squared distance of a point p from a, less that from b.
pub(super) fn difference_of_squares(p: V3, a: V3, b: V3) -> Bounded {
    let (apart, from_a, from_b) = (minus(a, b), minus(a, p), minus(b, p));
    let mut found = Bounded::exact(0.0);
    for axis in 0..3 {
        found.value += apart[axis] * (from_a[axis] + from_b[axis]);
        found.error += apart[axis].abs() * (from_a[axis].abs() + from_b[axis].abs());
    }
    found.error *= 8.0 * V;
    found
}

/// Returns an interval around a quotient that is not negative.
#[inline(always)]
fn ratio(num: Bounded, den: Bounded) -> Interval {
    let (low, high) = quotient(num, den);
    ((low - f64::MIN_POSITIVE).max(0.0), high + f64::MIN_POSITIVE)
}

/// Returns an interval around a squared length.
#[inline(always)]
fn around(square: f64) -> Interval {
    let error = 8.0 * V * square;
    (square - error, square + error)
}

#[inline(always)]
fn squared(x: Bounded) -> Bounded {
    let value = x.value * x.value;
    Bounded {
        value,
        error: x.error * (2.0 * x.value.abs() + x.error) * (1.0 + 8.0 * V) + 2.0 * V * value,
    }
}

#[inline(always)]
fn relative(value: f64, share: f64) -> Bounded {
    Bounded {
        value,
        error: value * share,
    }
}

#[inline(always)]
fn sum(a: V3) -> f64 {
    a[0].abs() + a[1].abs() + a[2].abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{
        Dyadic, Numbers, exact_cross, exact_dot, exact_minus, share_of_bound, usual_or_long, widen,
    };
    use crate::exact::proximity::ExactDistance;
    use crate::shapes::Triangle;
    use core::cmp::Ordering;
    use glam::Vec3;

    fn rounds() -> usize {
        usual_or_long(60_000, 5_000_000)
    }

    /// Returns a point and a triangle: of all sizes, slivers, points over borders of regions.
    fn case(numbers: &mut Numbers) -> (Vec3, Triangle) {
        let [mut p, a, b, mut c] = core::array::from_fn(|_| numbers.vector());
        let (kind, along) = (numbers.next() >> 32, numbers.float(4));
        let mixed = |from: V3, to: V3, share: f64| {
            core::array::from_fn(|i| f64::from((from[i] + share * (to[i] - from[i])) as f32))
        };
        match kind % 8 {
            0 => c = mixed(a, b, along),
            1 => p = mixed(a, b, along),
            2 => p = mixed(mixed(a, b, along), c, along * along),
            // Over the border between a vertex and an edge.
            3 => {
                let side = cross(minus(b, a), minus(c, a));
                p = core::array::from_fn(|i| f64::from((a[i] + along * side[i]) as f32));
            }
            4 => p = a,
            _ => {}
        }
        let [p, a, b, c] = [p, a, b, c].map(|v| {
            let v = v.map(|x| x as f32);
            Vec3::from_array(v.map(|x| if x.is_finite() { x } else { f32::MAX }))
        });
        (p, Triangle::new(a, b, c))
    }

    /// Where bounds decide, they decide what exact arithmetic does, and the exact square is in the
    /// interval.
    #[test]
    fn a_search_finds_no_wrong_feature_and_no_square_outside_its_interval() {
        let mut numbers = Numbers(0x1234_5678_9abc_def1);
        let mut decided = [0usize; 3];
        let mut tight = 0;
        for _ in 0..rounds() {
            let (point, triangle) = case(&mut numbers);
            let exact = ExactDistance::of(point, &triangle);
            let Some((feature, (low, high))) =
                measure(&Relative::of(widen(point), triangle.corners().map(widen)))
            else {
                continue;
            };
            let what = || format!("{point:?} {triangle:?}");
            let exact = exact.unwrap_or_else(|| panic!("no area: {}", what()));
            assert_eq!(feature, exact.feature(), "{}", what());
            let square = exact.square();
            assert_ne!(square.cmp_f64(low), Ordering::Less, "{}", what());
            assert_ne!(square.cmp_f64(high), Ordering::Greater, "{}", what());
            let eighth = (high - low) / 16.0;
            let middle = low + (high - low) / 2.0;
            tight += usize::from(
                square.cmp_f64(middle - eighth) == Ordering::Less
                    || square.cmp_f64(middle + eighth) == Ordering::Greater,
            );
            decided[match feature {
                Feature::Vertex(_) => 0,
                Feature::Edge(_) => 1,
                Feature::Face => 2,
            }] += 1;
        }
        println!("vertices, edges, faces {decided:?}, {tight} beyond an eighth of the bound");
        assert!(decided.iter().all(|&count| count > 1000), "{decided:?}");
        assert!(
            tight > 100,
            "the search does not approach the bounds: {tight}"
        );
    }

    #[test]
    fn a_search_finds_no_violation_of_the_bounds_of_polynomials() {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let mut worst = [0.0f64; 6];
        for _ in 0..rounds() / 4 {
            let (point, triangle) = case(&mut numbers);
            let found = Relative::of(widen(point), triangle.corners().map(widen));
            let corners = triangle.corners().map(widen);
            let exact_corners = corners.map(|corner| exact_minus(corner, widen(point)));
            let [a, b, c] = corners;
            let edges = [exact_minus(b, a), exact_minus(c, b), exact_minus(a, c)];
            let normal = exact_cross(&edges[0], &edges[1]);
            let moment = exact_cross(&exact_corners[0], &edges[0]);
            let size = largest(found.edges[0]) * largest(found.corners[0]);
            let start = Bounded {
                value: dot(found.corners[0], found.edges[0]),
                error: 16.0 * V * size,
            };
            let pairs: [(Bounded, Dyadic); 6] = [
                (start, exact_dot(&exact_corners[0], &edges[0])),
                (found.edge_square(0), exact_dot(&edges[0], &edges[0])),
                (found.normal().square(), exact_dot(&normal, &normal)),
                (
                    found.normal().dot(&found.moment(0)),
                    exact_dot(&normal, &moment),
                ),
                (
                    found.normal().dot_difference(found.corners[0]),
                    exact_dot(&normal, &exact_corners[0]),
                ),
                (
                    difference_of_squares(widen(point), a, b),
                    exact_dot(&exact_corners[0], &exact_corners[0])
                        .sub(&exact_dot(&exact_corners[1], &exact_corners[1])),
                ),
            ];
            for (worst, (bounded, truth)) in worst.iter_mut().zip(&pairs) {
                *worst = worst.max(share_of_bound(*bounded, truth));
            }
        }
        println!("worst errors in shares of their bounds: {worst:.3?}");
        assert!(worst.iter().all(|&share| share > 0.05), "{worst:?}");
    }
}

//! The part of a placed triangle that is closest to a point, and its distance.
//!
//! The polynomials are those of `exact/proximity/mod.rs`. They are written once, and evaluated in `f64` with
//! running bounds and, where these leave a sign open, in dyadic numbers. In `f64`, the corners relative
//! to the point are `A v + (m - p)` and the edges `A (v' - v)`, each with the bound of
//! `placed_products.rs`, so that the translation does not enter the edges.

use super::placed_products::MappedVector;
use super::placed_triangle::PlacedTriangle;
use crate::arithmetic::{Bounded, Dyadic, InlineMap, V3, Vector, minus};
use crate::exact::ExactCorners;
use crate::exact::proximity::{ExactDistance, TriangleDistance};

impl TriangleDistance<Bounded> {
    /// Measures in `f64`; returns `None` where that cannot decide.
    #[inline(always)]
    pub(super) fn of_placed(placed: &PlacedTriangle, corners: &NearCorners) -> Option<Self> {
        let [p0, p1, p2] = placed.triangle.coordinates();
        let norm = placed.matrix.norm();
        let edge = |from: V3, to: V3| {
            let difference = minus(to, from);
            MappedVector::of(&placed.matrix, norm, difference, [0.0; 3]).bounded()
        };
        let corners = &corners.0;
        let corners = [0, 1, 2].inline_map(|i: usize| corners[i].bounded());
        TriangleDistance::new(corners, [edge(p0, p1), edge(p1, p2), edge(p2, p0)])
    }
}

/// The corners of a placed triangle relative to a point, with bounds.
pub(super) struct NearCorners([MappedVector; 3]);

impl NearCorners {
    #[inline(always)]
    pub(super) fn of(point: V3, placed: &PlacedTriangle) -> Self {
        let base = minus(placed.matrix.translation(), point);
        let norm = placed.matrix.norm();
        let corners = placed.triangle.coordinates();
        NearCorners(corners.inline_map(|v| MappedVector::of(&placed.matrix, norm, v, base)))
    }

    /// Returns whether the box around the corners is certainly farther than a limit of the squared
    /// distance. A gap has a rounding, the square one more, and the sums two.
    #[inline(always)]
    pub(super) fn are_beyond(&self, limit: f64) -> bool {
        let gap = |axis: usize| {
            let [a, b, c] = [0, 1, 2].inline_map(|i: usize| self.0[i].range(axis));
            let below = a.0.min(b.0).min(c.0);
            let above = a.1.max(b.1).max(c.1);
            below.max(-above).max(0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        let is_beyond = (x * x + y * y + z * z) * (1.0 - 8.0 * f64::EPSILON) > limit;
        // Where a number overflows, a range may be NaN, and nothing is certain.
        is_beyond && self.0.iter().all(MappedVector::is_finite)
    }
}

impl ExactDistance {
    /// Returns `None` if the triangle has no area or is not finite. The point must be finite.
    pub(super) fn exactly_of_placed(point: V3, placed: &PlacedTriangle) -> Option<Self> {
        if !placed.triangle.is_finite() {
            return None;
        }
        let ExactCorners([a, b, c]) = placed.world();
        let less = |a: &Vector<Dyadic>, b: &Vector<Dyadic>| {
            [a[0].sub(&b[0]), a[1].sub(&b[1]), a[2].sub(&b[2])]
        };
        let point = point.map(Dyadic::from_f64);
        TriangleDistance::new(
            [less(&a, &point), less(&b, &point), less(&c, &point)],
            [less(&b, &a), less(&c, &b), less(&a, &c)],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::placed_point::PlacedCorners;
    use super::*;
    use crate::arithmetic::{Interval, Numbers, Ratio, usual_or_long};
    use crate::exact::proximity::{Feature, round_point};
    use crate::placed::PlacementMatrix;
    use crate::shapes::Triangle64;
    use core::cmp::Ordering;

    /// Returns a point and a placed triangle: of all sizes, slivers, points over borders of regions.
    fn case(numbers: &mut Numbers) -> Option<(V3, PlacedTriangle)> {
        let is_narrow = numbers.next().is_multiple_of(2);
        let [a, b, mut c] = [(); 3].map(|()| match is_narrow {
            true => numbers.vector().map(|x| f64::from(x as f32)),
            false => numbers.vector(),
        });
        let (kind, along) = (numbers.next() >> 32, numbers.float(4));
        let scale = 2f64.powi((kind >> 3) as i32 % 80 - 40);
        let grid = kind % 3 == 0;
        let mut entry = || {
            if grid {
                numbers.float(1)
            } else {
                numbers.float(4) * scale
            }
        };
        let rows = [(); 3].map(|()| [entry(), entry(), entry(), entry()]);
        let matrix = PlacementMatrix::from_rows(rows).ok()?;
        if kind % 5 == 0 {
            c = core::array::from_fn(|i| a[i] + (b[i] - a[i]) * along);
        }
        let triangle = Triangle64::new(a, b, c);
        let image = |v: V3| rows.map(|[x, y, z, m]| x * v[0] + y * v[1] + z * v[2] + m);
        let (a, b, c) = (image(a), image(b), image(c));
        let normal = crate::arithmetic::cross(minus(b, a), minus(c, a)).map(|x| x.value);
        let point: V3 = match kind % 7 {
            0 => a,
            1 => core::array::from_fn(|i| a[i] + along * (b[i] - a[i])),
            2 => core::array::from_fn(|i| a[i] + along * normal[i]),
            3 => core::array::from_fn(|i| a[i] + along * (b[i] - a[i]) + normal[i] * 1e-3),
            _ => numbers.vector().map(|x| x * scale),
        };
        let is_usual = point.iter().all(|x| x.is_finite()) && triangle.is_finite();
        is_usual.then(|| (point, PlacedTriangle::new(triangle, matrix)))
    }

    /// Where bounds decide, they decide what exact arithmetic does, and every number is in its interval.
    #[test]
    fn a_search_finds_no_difference_between_the_stages() {
        let rounds = usual_or_long(6_000, 1_000_000);
        let mut numbers = Numbers(0x1357_9bdf_0246_8ace);
        let (mut decided, mut open, mut missed) = ([0usize; 3], 0, 0);
        for _ in 0..rounds {
            let Some((point, placed)) = case(&mut numbers) else {
                continue;
            };
            let exact = ExactDistance::exactly_of_placed(point, &placed);
            let corners = NearCorners::of(point, &placed);
            let found = TriangleDistance::of_placed(&placed, &corners);
            let what = || std::format!("{point:?} {placed:?}");
            let (Some(exact), Some(found)) = (&exact, &found) else {
                assert!(found.is_none(), "no area: {}", what());
                open += 1;
                continue;
            };
            assert_eq!(found.feature(), exact.feature(), "{}", what());
            let square = exact.square();
            for limit in [1e-6, 1.0, 1e6, 1e12] {
                if corners.are_beyond(limit) {
                    assert_eq!(square.cmp_f64(limit), Ordering::Greater, "{}", what());
                    missed += 1;
                }
            }
            let inside = |ratio: &Ratio, (low, high): Interval| {
                assert_ne!(ratio.cmp_f64(low), Ordering::Less, "{}", what());
                assert_ne!(ratio.cmp_f64(high), Ordering::Greater, "{}", what());
            };
            if let Some(interval) = found.square_interval() {
                inside(&square, interval);
            }
            for (place, interval) in found.weight_intervals().into_iter().enumerate() {
                if let Some(interval) = interval {
                    inside(&exact.weights()[place], interval);
                }
            }
            // The exact square of the distance from the rounded point is next to the exact one.
            let corners = PlacedCorners {
                point,
                placed: &placed,
            };
            let near = round_point(point, &corners, exact.feature()).to_array();
            let gap = minus(near, point);
            let off = gap.iter().map(|x| x * x).sum::<f64>().sqrt() - square.root_to_f32() as f64;
            let size = near
                .iter()
                .chain(&point)
                .fold(0.0, |most, x| f64::max(most, x.abs()));
            let gap = f64::from(square.root_to_f32());
            assert!(
                off.abs() <= 1e-6 * gap + 1e-14 * size + 1e-40,
                "{off} {}",
                what()
            );
            decided[match found.feature() {
                Feature::Vertex(_) => 0,
                Feature::Edge(_) => 1,
                Feature::Face => 2,
            }] += 1;
        }
        println!("vertices, edges, faces {decided:?}, {open} open, {missed} missed");
        assert!(
            decided.iter().all(|&count| count * 50 > rounds),
            "{decided:?}"
        );
        assert!(open > 100 && missed > 100, "{open} {missed}");
    }
}

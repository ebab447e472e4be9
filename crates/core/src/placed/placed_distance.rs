//! The part of a placed triangle that is closest to a point, and its distance.
//!
//! The polynomials are those of `proximity/mod.rs`. They are written once, and evaluated in `f64` with
//! running bounds and, where these leave a sign open, in dyadic numbers. In `f64`, the corners relative
//! to the point are `A v + (m - p)` and the edges `A (v' - v)`, each with the bound of
//! `placed_products.rs`, so that the translation does not enter the edges.
//!
//! # Range
//! A quotient is certified only if the denominator is within 2^-600 and 2^600, and the numerator below
//! that. Then what underflows in the bound of a quotient is below 2^-1070 / 2^-600, and [`LOST`] covers
//! it.

use super::placed_exact::WorldCorners;
use super::placed_products::Image;
use super::placed_triangle::PlacedTriangle;
use crate::InlineMap;
use crate::arithmetic::{
    Bounded, Dyadic, Interval, Number, Ratio, V3, Vector, cross_product, dot, minus, quotient,
    widen,
};
use crate::proximity::Feature;

/// 2^-460.
const LOST: f64 = f64::from_bits((1023 - 460) << 52);
/// 2^600.
const LARGE: f64 = f64::from_bits((1023 + 600) << 52);

/// A placed triangle with area relative to a point, and its closest feature.
pub(super) struct PlacedDistance<N> {
    /// Relative to the point.
    corners: [Vector<N>; 3],
    /// From each corner to the next one.
    edges: [Vector<N>; 3],
    normal: Vector<N>,
    feature: Feature,
}

/// The numerator and the denominator, which is positive.
type Fraction<N> = (N, N);

impl<N: Number> PlacedDistance<N> {
    /// Returns `None` where these numbers leave open which part it is, or whether the triangle has area,
    /// and if it has none.
    #[inline(always)]
    fn new(corners: [Vector<N>; 3], edges: [Vector<N>; 3]) -> Option<Self> {
        let normal = cross_product(&edges[0], &edges[1]);
        let is_sure = |x: &N| matches!(x.sign(), Some(1 | -1));
        if !normal.iter().any(is_sure) {
            return None;
        }
        let mut found = PlacedDistance {
            corners,
            edges,
            normal,
            feature: Feature::Face,
        };
        found.feature = found.find_feature()?;
        Some(found)
    }

    #[inline(always)]
    fn find_feature(&self) -> Option<Feature> {
        let starts = [0, 1, 2].inline_map(|i: usize| dot(&self.corners[i], &self.edges[i]).sign());
        let ends =
            [0, 1, 2].inline_map(|i: usize| dot(&self.corners[(i + 1) % 3], &self.edges[i]).sign());
        for i in 0..3 {
            let (start, end) = (starts[i], ends[(i + 2) % 3]);
            if start == Some(-1) || end == Some(1) {
                continue;
            }
            return (start.is_some() && end.is_some()).then_some(Feature::Vertex(i as u8));
        }
        for i in 0..3 {
            if matches!(starts[i], Some(0 | 1)) || matches!(ends[i], Some(0 | -1)) {
                continue;
            }
            match self.side(i).sign() {
                Some(1) => {}
                Some(_) if starts[i].is_some() && ends[i].is_some() => {
                    return Some(Feature::Edge(i as u8));
                }
                _ => return None,
            }
        }
        Some(Feature::Face)
    }

    /// Returns the weight of the corner opposite to an edge of the foot of the perpendicular on the
    /// plane, times the square of the normal.
    #[inline(always)]
    fn side(&self, i: usize) -> N {
        dot(
            &self.normal,
            &cross_product(&self.corners[i], &self.edges[i]),
        )
    }

    /// Returns the part of the triangle that is closest to the point.
    pub(super) fn feature(&self) -> Feature {
        self.feature
    }

    /// Returns the squared distance.
    #[inline(always)]
    fn square(&self) -> Fraction<N> {
        match self.feature {
            Feature::Vertex(i) => {
                let corner = &self.corners[usize::from(i) % 3];
                (dot(corner, corner), N::exactly(1.0))
            }
            Feature::Edge(i) => {
                let i = usize::from(i) % 3;
                let edge = &self.edges[i];
                let moment = cross_product(&self.corners[i], edge);
                (dot(&moment, &moment), dot(edge, edge))
            }
            Feature::Face => {
                let height = dot(&self.normal, &self.corners[0]);
                (height.times(&height), dot(&self.normal, &self.normal))
            }
        }
    }

    /// Returns `u` and `v`.
    fn weights(&self) -> [Fraction<N>; 2] {
        let fixed = |weight: bool| (N::exactly(weight.into()), N::exactly(1.0));
        match self.feature {
            Feature::Vertex(i) => [fixed(i == 1), fixed(i == 2)],
            Feature::Edge(i) => {
                let i = usize::from(i) % 3;
                let edge = &self.edges[i];
                let whole = || dot(edge, edge);
                // The weights of the edge's start and end.
                let start = || (dot(&self.corners[(i + 1) % 3], edge), whole());
                let end = || (dot(&self.corners[i], edge).negative(), whole());
                match i {
                    0 => [end(), fixed(false)],
                    1 => [start(), end()],
                    _ => [fixed(false), start()],
                }
            }
            Feature::Face => {
                let whole = dot(&self.normal, &self.normal);
                [(self.side(2), whole.clone()), (self.side(0), whole)]
            }
        }
    }

    /// Returns a coordinate of the closest point, relative to the given one.
    fn coordinate(&self, axis: usize) -> Fraction<N> {
        match self.feature {
            Feature::Vertex(i) => {
                let corner = &self.corners[usize::from(i) % 3];
                (corner[axis].clone(), N::exactly(1.0))
            }
            Feature::Edge(i) => {
                let i = usize::from(i) % 3;
                let (corner, edge) = (&self.corners[i], &self.edges[i]);
                let whole = dot(edge, edge);
                let along = dot(corner, edge).times(&edge[axis]);
                (corner[axis].times(&whole).minus(&along), whole)
            }
            Feature::Face => {
                let height = dot(&self.normal, &self.corners[0]);
                (
                    height.times(&self.normal[axis]),
                    dot(&self.normal, &self.normal),
                )
            }
        }
    }
}

impl PlacedDistance<Bounded> {
    /// Measures in `f64`; returns `None` where that cannot decide.
    #[inline]
    pub(super) fn measure(point: V3, placed: &PlacedTriangle) -> Option<Self> {
        let [p0, p1, p2] = placed.triangle.corners().inline_map(widen);
        let base = minus(placed.matrix.translation(), point);
        let corners = [p0, p1, p2].inline_map(|v| Image::of(&placed.matrix, v, base).bounded());
        let edge = |from: V3, to: V3| {
            let difference = minus(to, from);
            Image::of(&placed.matrix, difference, [0.0; 3]).bounded()
        };
        PlacedDistance::new(corners, [edge(p0, p1), edge(p1, p2), edge(p2, p0)])
    }

    /// Returns an interval around the squared distance, if it is within the range.
    #[inline]
    pub(super) fn square_interval(&self) -> Option<Interval> {
        let (low, high) = interval(self.square())?;
        Some((low.max(0.0), high))
    }

    /// Returns intervals around `u` and `v`, if they are within the range.
    pub(super) fn weight_intervals(&self) -> [Option<Interval>; 2] {
        self.weights().map(interval)
    }
}

/// Returns an interval around a quotient, if its numbers are within the range.
#[inline(always)]
fn interval((num, den): Fraction<Bounded>) -> Option<Interval> {
    // In this form NaN is beyond.
    let is_usual = den.value >= 1.0 / LARGE && den.value <= LARGE && num.value.abs() <= LARGE;
    if !is_usual {
        return None;
    }
    let (low, high) = quotient(num, den);
    (low >= -f64::MAX && high <= f64::MAX).then_some((low - LOST, high + LOST))
}

impl PlacedDistance<Dyadic> {
    /// Returns `None` if the triangle has no area or is not finite. The point must be finite.
    pub(super) fn measure_exactly(point: V3, placed: &PlacedTriangle) -> Option<Self> {
        if !placed.triangle.is_finite() {
            return None;
        }
        let WorldCorners([a, b, c]) = placed.world();
        let less = |a: &Vector<Dyadic>, b: &Vector<Dyadic>| {
            [a[0].sub(&b[0]), a[1].sub(&b[1]), a[2].sub(&b[2])]
        };
        let point = point.map(Dyadic::from_f64);
        PlacedDistance::new(
            [less(&a, &point), less(&b, &point), less(&c, &point)],
            [less(&b, &a), less(&c, &b), less(&a, &c)],
        )
    }

    /// Returns the exact squared distance.
    pub(super) fn exact_square(&self) -> Ratio {
        let (num, den) = self.square();
        Ratio::new(num, den)
    }

    /// Returns the exact `u` or `v`.
    pub(super) fn exact_weight(&self, place: usize) -> Ratio {
        let [u, v] = self.weights();
        let (num, den) = if place == 0 { u } else { v };
        Ratio::new(num, den)
    }

    /// Returns a coordinate of the closest point, exactly.
    pub(super) fn exact_coordinate(&self, point: V3, axis: usize) -> Ratio {
        let (vector, den) = self.coordinate(axis);
        let point = Dyadic::from_f64(point[axis]);
        Ratio::new(point.mul(&den).add(&vector), den)
    }
}

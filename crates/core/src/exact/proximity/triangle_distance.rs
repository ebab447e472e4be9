//! The part of a triangle that is closest to a point, and its distance, in numbers of any kind.
//!
//! The polynomials of `exact/proximity/mod.rs` are written once, for triangles of a mesh and for placed ones.

use super::Feature;
use crate::arithmetic::{
    Bounded, Dyadic, InlineMap, Interval, Number, Ratio, Vector, cross_product, dot, exact_minus,
    quotient, widen,
};
use crate::shapes::Triangle;
use glam::Vec3;

/// A triangle with area relative to a point, and its closest part.
pub struct TriangleDistance<N> {
    /// Relative to the point.
    corners: [Vector<N>; 3],
    /// From each corner to the next one.
    edges: [Vector<N>; 3],
    normal: Vector<N>,
    feature: Feature,
}

/// The same in exact numbers, which leave nothing open.
pub(crate) type ExactDistance = TriangleDistance<Dyadic>;

/// The numerator and the denominator, which is positive.
pub(crate) type Fraction<N> = (N, N);

impl<N: Number> TriangleDistance<N> {
    /// Returns `None` where these numbers leave open which part it is, or whether the triangle has area,
    /// and if it has none.
    #[inline(always)]
    pub(crate) fn new(corners: [Vector<N>; 3], edges: [Vector<N>; 3]) -> Option<Self> {
        let normal = cross_product(&edges[0], &edges[1]);
        let is_sure = |x: &N| matches!(x.sign(), Some(1 | -1));
        if !normal.iter().any(is_sure) {
            return None;
        }
        let mut found = TriangleDistance {
            corners,
            edges,
            normal,
            feature: Feature::Face,
        };
        found.feature = find_feature(
            [0, 1, 2].inline_map(|i: usize| dot(&found.corners[i], &found.edges[i]).sign()),
            [0, 1, 2]
                .inline_map(|i: usize| dot(&found.corners[(i + 1) % 3], &found.edges[i]).sign()),
            |i| found.side(i).sign(),
        )?;
        Some(found)
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

    /// Returns a triangle with area whose closest part is known.
    pub(crate) fn of_feature(
        corners: [Vector<N>; 3],
        edges: [Vector<N>; 3],
        feature: Feature,
    ) -> Self {
        TriangleDistance {
            // Nothing else needs it.
            normal: match feature {
                Feature::Face => cross_product(&edges[0], &edges[1]),
                _ => [0.0; 3].map(N::exactly),
            },
            corners,
            edges,
            feature,
        }
    }

    /// Returns the part of the triangle that is closest to the point.
    pub(crate) fn feature(&self) -> Feature {
        self.feature
    }

    /// Returns the squared distance.
    #[inline(always)]
    pub(crate) fn square_fraction(&self) -> Fraction<N> {
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
    pub(crate) fn weight_fractions(&self) -> [Fraction<N>; 2] {
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
}

/// 2^-460.
const LOST: f64 = f64::from_bits((1023 - 460) << 52);
/// 2^600.
const LARGE: f64 = f64::from_bits((1023 + 600) << 52);

impl TriangleDistance<Bounded> {
    /// Returns an interval around the squared distance, if it is within the range.
    #[inline]
    pub(crate) fn square_interval(&self) -> Option<Interval> {
        let (low, high) = interval(self.square_fraction())?;
        Some((low.max(0.0), high))
    }

    /// Returns intervals around `u` and `v`, if they are within the range.
    pub(crate) fn weight_intervals(&self) -> [Option<Interval>; 2] {
        self.weight_fractions().map(interval)
    }
}

/// Returns an interval around a quotient, if its numbers are within the range: the denominator within 2^-600 and
/// 2^600, and the numerator below that. Then what underflows in the bound of a quotient is below
/// 2^-1070 / 2^-600, and [`LOST`] covers it.
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

/// Returns the part of the triangle that is closest to the point, by the signs of `c_i . e_i`,
/// `c_(i+1) . e_i` and `n . (c_i x e_i)`; `None` if open signs leave that open.
#[inline(always)]
pub(super) fn find_feature(
    starts: [Option<i32>; 3],
    ends: [Option<i32>; 3],
    side: impl Fn(usize) -> Option<i32>,
) -> Option<Feature> {
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
        match side(i) {
            Some(1) => {}
            Some(_) if starts[i].is_some() && ends[i].is_some() => {
                return Some(Feature::Edge(i as u8));
            }
            _ => return None,
        }
    }
    Some(Feature::Face)
}

impl TriangleDistance<Dyadic> {
    /// Returns `None` if the triangle has no area or is not finite. The point must be finite.
    pub(super) fn of(point: Vec3, triangle: &Triangle) -> Option<Self> {
        if !triangle.is_finite() {
            return None;
        }
        let [a, b, c] = triangle.corners().map(widen);
        let point = widen(point);
        TriangleDistance::new(
            [
                exact_minus(a, point),
                exact_minus(b, point),
                exact_minus(c, point),
            ],
            [exact_minus(b, a), exact_minus(c, b), exact_minus(a, c)],
        )
    }

    /// Returns the squared distance.
    pub(crate) fn square(&self) -> Ratio {
        let (num, den) = self.square_fraction();
        Ratio::new(num, den)
    }

    /// Returns `u` and `v`.
    pub(crate) fn weights(&self) -> [Ratio; 2] {
        let [(u, u_den), (v, v_den)] = self.weight_fractions();
        [Ratio::new(u, u_den), Ratio::new(v, v_den)]
    }

    /// Returns a coordinate of the part's closest point to the point whose coordinate is given.
    pub(crate) fn coordinate(&self, point: f64, axis: usize) -> Ratio {
        // The vector from the point to the closest point.
        let (vector, den) = match self.feature {
            Feature::Vertex(i) => {
                let corner = &self.corners[usize::from(i)];
                (corner[axis].clone(), Dyadic::from_f64(1.0))
            }
            Feature::Edge(i) => {
                let (corner, edge) = (&self.corners[usize::from(i)], &self.edges[usize::from(i)]);
                let whole = dot(edge, edge);
                let along = dot(corner, edge).mul(&edge[axis]);
                (corner[axis].mul(&whole).sub(&along), whole)
            }
            Feature::Face => {
                let height = dot(&self.normal, &self.corners[0]);
                (
                    height.mul(&self.normal[axis]),
                    dot(&self.normal, &self.normal),
                )
            }
        };
        let point = Dyadic::from_f64(point);
        Ratio::new(point.mul(&den).add(&vector), den)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;

    /// Coordinates that span 60 bits, the least of them odd, take no memory from the heap.
    #[test]
    fn coordinates_of_60_bits_stay_inline() {
        let mut numbers = Numbers(0x510e_527f_ade6_82d1);
        let mut features = [0; 3];
        for _ in 0..2_000 {
            let mut coordinate = || {
                let bits = numbers.next();
                let size = ((bits >> 20) as u32 & 0xff_ffff | 1) as f32;
                let size = size * 2f32.powi((bits % 37) as i32);
                if bits >> 63 == 0 { size } else { -size }
            };
            let mut vector = || Vec3::new(coordinate(), coordinate(), coordinate());
            let p = vector();
            let mut exact = || {
                let triangle = Triangle::new(vector(), vector(), vector());
                ExactDistance::of(p, &triangle).expect("it has area")
            };
            let (a, b) = (exact(), exact());
            features[match a.feature() {
                Feature::Vertex(_) => 0,
                Feature::Edge(_) => 1,
                Feature::Face => 2,
            }] += 1;
            assert!(!a.square().is_on_heap_beside(&b.square()));
            let [u, v] = a.weights();
            assert!(!u.is_on_heap_beside(&v));
            for axis in 0..3 {
                assert!(!a.coordinate(p[axis].into(), axis).is_on_heap_beside(&u));
            }
        }
        assert!(features.iter().all(|&count| count > 100), "{features:?}");
    }
}

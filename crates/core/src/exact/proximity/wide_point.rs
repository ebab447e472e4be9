//! A point in `f64`, prepared for measuring distances from triangles in `f64`.
//!
//! In `f64`, with the bounds of `f64_distance.rs`, distances are decided nearly always, and by dyadic numbers the
//! rest; numbers are rounded in lanes (`round_near.rs`), and what these leave open by pairs of `f64`s. Corners relative
//! to the point and edges are differences of coordinates.

use super::f64_distance::{Relative, measure};
use super::round_near::{round_distance, round_near};
use super::{
    CertifiedDistance, ClosestPoint, Corners, ExactDistance, Measure, TriangleDistance,
    are_one_feature, round_point,
};
use crate::arithmetic::{InlineMap, Number, Pair, V3, Vector};
use crate::exact::{Verdict, level};
use crate::shapes::{PrimId, Triangle64};
use core::cell::LazyCell;
use core::cmp::Ordering;
use glam::DVec3;

/// Whether numbers are rounded in lanes. In WebAssembly these are 60 kB, to round one answer of each query.
const HAS_LANES: bool = !cfg!(target_family = "wasm");

/// A finite point.
#[derive(Clone, Copy, Debug)]
pub struct WidePoint(V3);

type CertifiedWide = CertifiedDistance<PrimId, Triangle64>;

impl WidePoint {
    /// Returns `None` if a coordinate is NaN or infinite.
    #[inline]
    pub(crate) fn new(point: DVec3) -> Option<Self> {
        point.is_finite().then_some(WidePoint(point.to_array()))
    }

    pub(crate) fn point(&self) -> V3 {
        self.0
    }

    /// Returns the corners of a triangle relative to the point, and its edges.
    #[inline(always)]
    fn relative<N: Number>(&self, triangle: &Triangle64) -> [[Vector<N>; 3]; 2] {
        let [a, b, c] = triangle.coordinates();
        let minus = |a: V3, b: V3| [0, 1, 2].inline_map(|i: usize| N::of_difference(a[i], b[i]));
        let corners = [minus(a, self.0), minus(b, self.0), minus(c, self.0)];
        [corners, [minus(b, a), minus(c, b), minus(a, c)]]
    }

    /// Returns the closest part of a triangle in pairs of `f64`s.
    fn part(&self, found: &CertifiedWide) -> TriangleDistance<Pair> {
        let [corners, edges] = self.relative(&found.triangle);
        TriangleDistance::of_feature(corners, edges, found.feature)
    }

    fn rounded_distance(&self, found: &CertifiedWide, part: &TriangleDistance<Pair>) -> f64 {
        let (num, den) = part.square_fraction();
        num.root_over(&den).unwrap_or_else(|| {
            let square = self.exact_square(found);
            square.map_or(f64::INFINITY, |square| square.root_to_f64())
        })
    }

    /// Returns whether the box around a triangle is certainly farther than a limit of the squared distance. A gap
    /// has a rounding, the square one more, and the sums two.
    #[inline(always)]
    fn is_beyond(&self, triangle: &Triangle64, limit: f64) -> bool {
        let [a, b, c] = triangle.coordinates();
        let gap = |axis: usize| {
            let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
            let below = low.min(c[axis]) - self.0[axis];
            let above = self.0[axis] - high.max(c[axis]);
            below.max(above).max(0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        (x * x + y * y + z * z) * (1.0 - 8.0 * f64::EPSILON) > limit
    }
}

impl Measure for WidePoint {
    type Id = PrimId;
    type Measured = Triangle64;
    type Answer = ClosestPoint<f64>;
    type Length = f64;

    #[inline]
    fn measure_quickly(
        &self,
        id: PrimId,
        triangle: &Triangle64,
        limit: f64,
    ) -> Verdict<CertifiedWide> {
        if limit < f64::INFINITY && self.is_beyond(triangle, limit) {
            return Verdict::Missed;
        }
        let relative = Relative::of(self.0, triangle.coordinates());
        match measure(&relative).filter(|_| relative.is_usual()) {
            None => Verdict::Open,
            Some((_, (low, _))) if low > limit => Verdict::Missed,
            Some((feature, square)) => Verdict::Touched(CertifiedDistance {
                id,
                triangle: *triangle,
                feature,
                square,
            }),
        }
    }

    fn exact(&self, triangle: &Triangle64) -> Option<ExactDistance> {
        if !triangle.is_finite() {
            return None;
        }
        let [corners, edges] = self.relative(triangle);
        ExactDistance::new(corners, edges)
    }

    #[cold]
    #[inline(never)]
    fn order_close(&self, a: &CertifiedWide, b: &CertifiedWide) -> Ordering {
        let of = |found: &CertifiedWide| (found.triangle.corners(), found.feature);
        let ((a_corners, a_feature), (b_corners, b_feature)) = (of(a), of(b));
        match are_one_feature((&a_corners, a_feature), (&b_corners, b_feature)) {
            true => Ordering::Equal,
            false => self.order_exactly(a, b),
        }
    }

    fn distance(&self, found: &CertifiedWide) -> f64 {
        let rounded = match HAS_LANES {
            true => fearless_simd::dispatch!(level(), simd => {
                round_distance(simd, self.0, &found.triangle, found.feature)
            }),
            false => None,
        };
        rounded.unwrap_or_else(|| self.rounded_distance(found, &self.part(found)))
    }

    fn closest_point(&self, found: &CertifiedWide) -> ClosestPoint<f64> {
        let rounded = match HAS_LANES {
            true => fearless_simd::dispatch!(level(), simd => {
                round_near(simd, self.0, (found.id, &found.triangle), found.feature)
            }),
            false => None,
        };
        rounded.unwrap_or_else(|| self.closest_by_pairs(found))
    }
}

impl WidePoint {
    /// Rounds what the lanes leave open.
    #[cold]
    #[inline(never)]
    fn closest_by_pairs(&self, found: &CertifiedWide) -> ClosestPoint<f64> {
        let part = self.part(found);
        let quick = part.weight_fractions();
        let exact = LazyCell::new(|| self.exact(&found.triangle));
        let weight = |place: usize| {
            let (num, den) = &quick[place];
            num.over(den, 0.0).unwrap_or_else(|| {
                let exact = exact.as_ref().map(|exact| exact.weights()[place].to_f64());
                exact.unwrap_or(f64::NAN) // not so: it has area
            })
        };
        let near = NearTriangle {
            point: self.0,
            triangle: &found.triangle,
        };
        ClosestPoint {
            distance: self.rounded_distance(found, &part),
            prim: found.id,
            u: weight(0),
            v: weight(1),
            point: round_point(self.0, &near, found.feature),
            feature: found.feature,
        }
    }
}

/// A triangle near a point.
struct NearTriangle<'a> {
    point: V3,
    triangle: &'a Triangle64,
}

impl NearTriangle<'_> {
    fn at(&self, corner: u8) -> V3 {
        self.triangle.coordinates()[usize::from(corner) % 3]
    }
}

impl Corners for NearTriangle<'_> {
    fn corner<N: Number>(&self, corner: u8) -> [Vector<N>; 2] {
        let at = self.at(corner);
        let from_point = [0, 1, 2].map(|axis| N::of_difference(at[axis], self.point[axis]));
        [at.map(N::exactly), from_point]
    }

    fn edge<N: Number>(&self, from: u8, to: u8) -> Vector<N> {
        let (from, to) = (self.at(from), self.at(to));
        [0, 1, 2].map(|axis| N::of_difference(to[axis], from[axis]))
    }
}

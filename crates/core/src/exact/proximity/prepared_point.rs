//! A point prepared for measuring distances from triangles.

use super::f64_distance::{Relative, difference_of_squares, measure};
use super::grid_distance::GridDistance;
use super::{CertifiedDistance, ClosestPoint, ExactDistance, Measure, measured_distance, rounding};
use crate::arithmetic::{InlineMap, Ratio, V3, widen};
use crate::exact::Verdict;
use crate::shapes::{PrimId, Triangle};
use core::cmp::Ordering;
use glam::Vec3;

/// A finite point, prepared for measuring distances from triangles.
#[derive(Clone, Copy, Debug)]
pub struct PreparedPoint {
    point: Vec3,
    wide: V3,
}

impl PreparedPoint {
    /// Returns `None` if a coordinate is NaN or infinite.
    #[inline]
    pub(crate) fn new(point: Vec3) -> Option<Self> {
        let wide = widen(point);
        point.is_finite().then_some(PreparedPoint { point, wide })
    }

    /// Returns the point.
    #[inline]
    pub(crate) fn point(&self) -> Vec3 {
        self.point
    }

    pub(super) fn wide(&self) -> V3 {
        self.wide
    }

    #[cold]
    #[inline(never)]
    fn order_slowly(&self, a: &CertifiedDistance, b: &CertifiedDistance) -> Ordering {
        if let (Some(a), Some(b)) = (a.vertex(), b.vertex())
            && let Some(sign) = difference_of_squares(self.wide, widen(a), widen(b)).sign()
        {
            return sign.cmp(&0);
        }
        self.order_exactly(a, b)
    }
}

impl Measure for PreparedPoint {
    type Id = PrimId;
    type Measured = Triangle;
    type Answer = ClosestPoint;
    type Length = f32;

    #[inline]
    fn measure_quickly(
        &self,
        id: PrimId,
        triangle: &Triangle,
        limit: f64,
    ) -> Verdict<CertifiedDistance> {
        let corners = triangle.corners().inline_map(widen);
        match measure(&Relative::of(self.wide, corners)) {
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

    fn exact(&self, triangle: &Triangle) -> Option<ExactDistance> {
        ExactDistance::of(self.point, triangle)
    }

    /// By integers of a fixed width, if all coordinates lie on one grid of these.
    #[cold]
    #[inline(never)]
    fn measure_slowly(
        &self,
        id: PrimId,
        triangle: &Triangle,
        limit: f64,
    ) -> Option<CertifiedDistance> {
        if !triangle.is_finite() {
            return None;
        }
        let (feature, square) = match GridDistance::of(self.point, triangle) {
            Some(exact) => {
                let exact = exact?;
                (exact.feature, exact.square_interval())
            }
            None => {
                let exact = self.exact(triangle)?;
                (exact.feature(), exact.square().interval())
            }
        };
        (square.0 <= limit).then_some(CertifiedDistance {
            id,
            triangle: *triangle,
            feature,
            square,
        })
    }

    fn exact_square(&self, found: &CertifiedDistance) -> Option<Ratio> {
        match GridDistance::of(self.point, &found.triangle) {
            Some(exact) => Some(exact?.square()),
            None => Some(self.exact(&found.triangle)?.square()),
        }
    }

    #[inline]
    fn order_close(&self, a: &CertifiedDistance, b: &CertifiedDistance) -> Ordering {
        match a.is_from_same_feature_as(b) {
            true => Ordering::Equal,
            false => self.order_slowly(a, b),
        }
    }

    fn distance(&self, found: &CertifiedDistance) -> f32 {
        measured_distance(self, found)
    }

    fn closest_point(&self, found: &CertifiedDistance) -> ClosestPoint {
        rounding::closest_point(self, found)
    }
}

//! What measures distances, for collectors of every kind of triangle.

use super::{CertifiedDistance, ExactDistance, Length};
use crate::arithmetic::{Ratio, compare, round_root};
use crate::exact::Verdict;
use core::cmp::Ordering;

/// The certified distance of a point from one of its triangles.
pub(crate) type DistanceBy<P> = CertifiedDistance<<P as Measure>::Id, <P as Measure>::Measured>;

/// A finite point, prepared for measuring distances from triangles: those of a mesh, or of a scene.
pub trait Measure {
    /// The id of a triangle. Ties in the distance go to the lowest id.
    type Id: Copy + Ord;

    /// A triangle.
    type Measured: Copy;

    /// The answer that callers see.
    type Answer;

    /// The distance that callers see.
    type Length: Length;

    /// Measures the distance from a triangle in `f64`, as far as that can decide. May report a
    /// triangle whose squared distance is certainly above `limit` as missed.
    fn measure_quickly(
        &self,
        id: Self::Id,
        shape: &Self::Measured,
        limit: f64,
    ) -> Verdict<DistanceBy<Self>>;

    /// Returns the exact distance from a triangle; `None` if that has no area or is not finite.
    fn exact(&self, shape: &Self::Measured) -> Option<ExactDistance>;

    /// Does what [`measure_quickly`](Measure::measure_quickly) does, exactly. A triangle without area is missed.
    #[cold]
    #[inline(never)]
    fn measure_slowly(
        &self,
        id: Self::Id,
        shape: &Self::Measured,
        limit: f64,
    ) -> Option<DistanceBy<Self>> {
        let exact = self.exact(shape)?;
        let square = exact.square().interval();
        (square.0 <= limit).then_some(CertifiedDistance {
            id,
            triangle: *shape,
            feature: exact.feature(),
            square,
        })
    }

    /// Measures the distance from a triangle.
    #[inline(always)]
    fn measure(
        &self,
        id: Self::Id,
        shape: &Self::Measured,
        limit: f64,
    ) -> Option<DistanceBy<Self>> {
        match self.measure_quickly(id, shape, limit) {
            Verdict::Missed => None,
            Verdict::Touched(found) => Some(found),
            Verdict::Open => self.measure_slowly(id, shape, limit),
        }
    }

    /// Returns the exact squared distance.
    fn exact_square(&self, found: &DistanceBy<Self>) -> Option<Ratio> {
        Some(self.exact(&found.triangle)?.square())
    }

    /// Compares distances that their intervals leave open, but not the ids.
    fn order_close(&self, a: &DistanceBy<Self>, b: &DistanceBy<Self>) -> Ordering;

    /// Returns the answer, each number rounded once.
    fn closest_point(&self, found: &DistanceBy<Self>) -> Self::Answer;

    /// Compares by exact distance, then by id.
    #[inline]
    fn order(&self, a: &DistanceBy<Self>, b: &DistanceBy<Self>) -> Ordering {
        let distances = compare(a.square, b.square, || self.order_close(a, b));
        distances.then_with(|| a.id.cmp(&b.id))
    }

    /// Compares the exact squared distances.
    fn order_exactly(&self, a: &DistanceBy<Self>, b: &DistanceBy<Self>) -> Ordering {
        match (self.exact_square(a), self.exact_square(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => Ordering::Equal, // not so: both have area
        }
    }

    /// Compares the exact distance with a radius that is not negative and not NaN.
    #[inline]
    fn order_radius(&self, found: &DistanceBy<Self>, radius: Self::Length) -> Ordering {
        compare(found.square, radius.square(), || {
            self.order_radius_exactly(found, radius)
        })
    }

    #[cold]
    #[inline(never)]
    fn order_radius_exactly(&self, found: &DistanceBy<Self>, radius: Self::Length) -> Ordering {
        match self.exact_square(found) {
            Some(square) => square.cmp_root(radius.into()),
            None => Ordering::Greater, // not so: it has area
        }
    }

    /// Returns the distance alone, rounded once.
    fn distance(&self, found: &DistanceBy<Self>) -> Self::Length;
}

/// Returns the distance that a point measured, as the nearest `f32`.
pub(crate) fn measured_distance<P: Measure>(point: &P, found: &DistanceBy<P>) -> f32 {
    round_root(found.square).unwrap_or_else(|| {
        let square = point.exact_square(found);
        square.map_or(f32::INFINITY, |square| square.root_to_f32())
    })
}

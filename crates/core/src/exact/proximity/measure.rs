//! What measures distances, for collectors of every kind of triangle.

use crate::exact::Verdict;
use core::cmp::Ordering;

/// A finite point, prepared for measuring distances from triangles: those of a mesh, or of a scene.
pub trait Measure {
    /// The id of a triangle. Ties in the distance go to the lowest id.
    type Id: Copy + Ord;

    /// A triangle.
    type Measured;

    /// A certified distance, which has a meaning only together with the point.
    type Certified: Copy;

    /// The answer that callers see.
    type Answer;

    /// Measures the distance from a triangle in `f64`, as far as that can decide. May report a
    /// triangle whose squared distance is certainly above `limit` as missed.
    fn measure_quickly(
        &self,
        id: Self::Id,
        shape: &Self::Measured,
        limit: f64,
    ) -> Verdict<Self::Certified>;

    /// Does the same, exactly. A triangle without area is missed.
    fn measure_slowly(
        &self,
        id: Self::Id,
        shape: &Self::Measured,
        limit: f64,
    ) -> Option<Self::Certified>;

    /// Measures the distance from a triangle.
    #[inline(always)]
    fn measure(&self, id: Self::Id, shape: &Self::Measured, limit: f64) -> Option<Self::Certified> {
        match self.measure_quickly(id, shape, limit) {
            Verdict::Missed => None,
            Verdict::Touched(found) => Some(found),
            Verdict::Open => self.measure_slowly(id, shape, limit),
        }
    }

    /// Compares by exact distance, then by id.
    fn order(&self, a: &Self::Certified, b: &Self::Certified) -> Ordering;

    /// Compares the exact distance with a radius that is not negative and not NaN.
    fn order_radius(&self, found: &Self::Certified, radius: f32) -> Ordering;

    /// Returns the distance alone, rounded once.
    fn distance(&self, found: &Self::Certified) -> f32;

    /// Returns the answer, each number rounded once.
    fn closest_point(&self, found: &Self::Certified) -> Self::Answer;

    /// Returns the id of the triangle.
    fn id(found: &Self::Certified) -> Self::Id;

    /// Returns an upper bound of the exact squared distance.
    fn square_high(found: &Self::Certified) -> f64;
}

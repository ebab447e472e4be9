//! Half spaces and planes as regions.

use super::clipping::{LinearFunction, has_point_in_all, place_box};
use super::{BoxPosition, Region};
use crate::arithmetic::{Bounded, Dyadic, V3};
use crate::shapes::{Coordinate, Plane};
use glam::DVec3;

/// The half space in front of a plane, with the plane.
///
/// As a region it is asked which triangles have a point in front of the plane or on it; the
/// [`Plane`] itself, which triangles have a point on it.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
/// use estoc::{BruteForce, Plane, RegionQuery, Triangle, shapes::HalfSpace};
/// let upright = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 0.0, z + 1.0]);
/// let engine = BruteForce::new([0.0, 0.5, 1.5].map(upright));
/// // x * 0 + y * 0 + z * 1 - 1 = 0.
/// let plane = Plane::from_offset([0.0, 0.0, 1.0], 1.0)?;
/// let ids = |found: Vec<estoc::PrimId>| found.iter().map(|prim| prim.get()).collect::<Vec<_>>();
/// assert_eq!(ids(engine.overlaps(&plane)), [0, 1]);
/// assert_eq!(ids(engine.overlaps(&HalfSpace(plane))), [0, 1, 2]);
/// # Ok::<(), estoc::shapes::PlaneError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace(
    /// The plane that bounds it.
    pub Plane,
);

impl<C: Coordinate> LinearFunction for Plane<C> {
    fn value(&self, point: V3) -> Bounded {
        self.height(point)
    }

    fn exact_value(&self, point: V3) -> Dyadic {
        self.exact_height(point)
    }

    fn gradient(&self) -> V3 {
        self.wide_normal()
    }
}

impl Region for HalfSpace {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        None
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        place_box(&[self.0], min, max)
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        has_point_in_all(&[self.0], corners)
    }
}

impl<C: Coordinate> Region for Plane<C> {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        None
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        // No box is inside a plane, and one that is inside an open side is outside the plane.
        let sides = [*self, self.flipped()].map(|side| place_box(&[side], min, max));
        match sides.contains(&BoxPosition::Outside) {
            true => BoxPosition::Outside,
            false => BoxPosition::Crossing,
        }
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        let mut sides = [false; 3];
        for corner in corners {
            sides[(self.sign_at(corner.to_array()) + 1) as usize] = true;
        }
        let [is_behind, is_on, is_in_front] = sides;
        is_on || (is_behind && is_in_front)
    }
}

//! The frustum: what lies in front of several planes.

use super::clipping::{MOST, has_point_in_all, place_box};
use super::{BoxPosition, Region};
use crate::shapes::Plane;
use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};

/// What lies in front of up to six planes, with the planes: the view of a camera, what a rectangle
/// of a picture shows ([`Camera::frustum`](crate::Camera::frustum)), or any other convex polyhedron
/// of up to six faces.
///
/// The planes are used exactly as given. The region may be unbounded, flat, or empty; without planes
/// it is all of space.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
/// use estoc::{BruteForce, Plane, RegionQuery, Triangle, shapes::Frustum};
/// // In front of both: x >= 1 and x + y <= 2.
/// let planes = [Plane::from_offset([1.0, 0.0, 0.0], 1.0)?, Plane::from_offset([-1.0, -1.0, 0.0], -2.0)?];
/// let wedge = Frustum::try_new(&planes)?;
/// let engine = BruteForce::new([
///     Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), // touches
///     Triangle::new([1.0, 1.5, 0.0], [2.0, 1.5, 0.0], [0.5, 1.1, 0.0]), // in front of one at a time
/// ]);
/// let found = engine.overlaps(&wedge);
/// assert_eq!(found.iter().map(|prim| prim.get()).collect::<Vec<_>>(), [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Frustum {
    planes: ArrayVec<Plane, MOST>,
}

impl Frustum {
    /// The largest number of planes.
    pub const MOST_PLANES: usize = MOST;

    /// Returns the region in front of these planes.
    ///
    /// A plane `a x + b y + c z + d = 0` with the front where the sum is positive is
    /// [`Plane::from_offset([a, b, c], -d)`](Plane::from_offset).
    ///
    /// # Errors
    /// [`FrustumError`] for more than six planes.
    pub fn try_new(planes: &[Plane]) -> Result<Self, FrustumError> {
        match planes.try_into() {
            Ok(planes) => Ok(Frustum { planes }),
            Err(_) => Err(FrustumError::TooManyPlanes(planes.len())),
        }
    }

    /// Returns the planes, as given.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Returns whether the point is in front of every plane or on it, decided exactly; `false` for
    /// a point that is not finite.
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        use crate::shapes::PlaneSide::{Front, On};
        let point = point.into();
        let mut planes = self.planes.iter();
        point.is_finite() && planes.all(|plane| matches!(plane.side_of(point), Some(Front | On)))
    }
}

impl Region for Frustum {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        None
    }

    fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        place_box(&self.planes, min, max)
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        has_point_in_all(&self.planes, corners)
    }
}

/// The reason why planes do not define a frustum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrustumError {
    /// There are more planes than a frustum has.
    #[error("a frustum has at most {MOST} planes, not {0}; leave out planes that others imply")]
    TooManyPlanes(usize),
}

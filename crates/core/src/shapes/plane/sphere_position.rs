//! The position of a sphere at rest relative to a plane.

use super::Plane;
use crate::arithmetic::{Bounded, Dyadic, cmp_root, widen};
use crate::shapes::Sphere;
use core::cmp::Ordering;

/// The position of a sphere relative to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpherePosition {
    /// In front, or touching from the front: the centre's distance is at least the radius.
    Front,
    /// Behind, or touching from behind: the centre's distance is at most minus the radius.
    Back,
    /// On both sides.
    Straddling,
}

/// The height of the sphere's centre above a plane, compared with the reach: the radius times the
/// length of the plane's normal.
pub(super) struct Standing {
    /// The sign of the centre's height.
    pub(super) side: i32,
    /// The order of the absolute height and the reach.
    pub(super) order: Ordering,
    /// The absolute height minus the reach.
    pub(super) gap: Bounded,
}

impl Plane {
    /// Returns the position of the sphere, decided exactly for a normal of any length.
    ///
    /// A sphere that touches the plane from the front is in front, one that touches from behind is
    /// behind. A sphere of radius 0 on the plane does both and counts as in front.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Plane, Sphere, shapes::SpherePosition};
    /// let floor = Plane::from_offset([0.0, 1.0, 0.0], 0.0).unwrap();
    /// let at = |height| Sphere::try_new([0.0, height, 0.0], 2.0).unwrap();
    /// assert_eq!(floor.classify(&at(2.0)), SpherePosition::Front);
    /// assert_eq!(floor.classify(&at(1.999_999_9)), SpherePosition::Straddling);
    /// assert_eq!(floor.classify(&at(-2.0)), SpherePosition::Back);
    /// ```
    pub fn classify(&self, sphere: &Sphere) -> SpherePosition {
        let standing = self.standing(sphere);
        match (standing.order, standing.side) {
            (Ordering::Less, _) => SpherePosition::Straddling,
            (_, -1) => SpherePosition::Back,
            _ => SpherePosition::Front,
        }
    }

    pub(super) fn standing(&self, sphere: &Sphere) -> Standing {
        let center = widen(sphere.center());
        let (height, length) = (self.height(center), self.length());
        let reach = f64::from(sphere.radius()) * length.value;
        let gap = Bounded {
            value: height.value.abs() - reach,
            // The length is off by 3v (v = 2^-53), its product by 4v, the difference by v of both.
            error: height.error + 3.0 * f64::EPSILON * (reach + height.value.abs()),
        };
        let (side, order) = match (height.sign(), gap.sign()) {
            (Some(side), Some(order)) => (side, order.cmp(&0)),
            _ => {
                let height = self.exact_height(center);
                let side = height.sign();
                (side, cmp_root(&size(height), &self.exact_reach(sphere)))
            }
        };
        Standing { side, order, gap }
    }

    /// Returns the square of the sphere's radius times that of the normal's length.
    pub(super) fn exact_reach(&self, sphere: &Sphere) -> Dyadic {
        let radius = f64::from(sphere.radius());
        self.exact_square().mul(&Dyadic::from_f64(radius * radius))
    }
}

/// Returns the absolute value.
pub(super) fn size(x: Dyadic) -> Dyadic {
    if x.sign() < 0 { x.neg() } else { x }
}

//! Hits that shapes of users report.

use super::{SceneHit, ScenePrim};
use crate::arithmetic::{Dyadic, Surd};
use crate::exact::PreparedRay;
use crate::shapes::{RayKind, Side};

/// A hit that a shape of the user reports. Its parameter is taken as exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserHit {
    /// The parameter along the ray, in the unit of the ray given. One that is NaN or infinite is no hit.
    pub t: f64,
    /// The side that the ray comes from; by convention the front from outside.
    pub side: Side,
    /// Whether the ray crosses the surface there, which it does not where it only touches it.
    pub crosses: bool,
}

impl UserHit {
    /// Returns a hit where the ray enters: on the front, crossing.
    pub fn entry(t: f64) -> Self {
        UserHit {
            t,
            side: Side::Front,
            crosses: true,
        }
    }

    /// Returns a hit where the ray leaves: on the back, crossing.
    pub fn exit(t: f64) -> Self {
        UserHit {
            side: Side::Back,
            ..UserHit::entry(t)
        }
    }

    /// Returns a hit where the ray touches the front and crosses nothing.
    pub fn tangent(t: f64) -> Self {
        UserHit {
            crosses: false,
            ..UserHit::entry(t)
        }
    }
}

/// A reported hit as a candidate of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedUserHit {
    /// The hit.
    pub hit: UserHit,
    /// A ray sees the shape if it shares a bit with this.
    pub mask: u32,
}

/// A reported hit within a ray's interval.
#[derive(Clone, Copy, Debug)]
pub struct UserTouch {
    pub(super) id: ScenePrim,
    pub(super) hit: UserHit,
}

impl PlacedUserHit {
    pub(super) fn touch<R: RayKind>(
        &self,
        ray: &PreparedRay<'_, R>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Option<UserTouch> {
        let t = self.hit.t;
        // In this form NaN is missed.
        let counts = t.is_finite() && t >= ray.t_min() && t <= ray.t_max() && t <= t_limit;
        counts.then_some(UserTouch { id, hit: self.hit })
    }
}

impl UserTouch {
    pub(super) fn exact_t(&self) -> Surd {
        Surd::quotient(Dyadic::from_f64(self.hit.t), Dyadic::from_f64(1.0))
    }

    pub(super) fn hit(&self) -> SceneHit {
        // Turns -0 into +0.
        SceneHit::on(self.id, [self.hit.t as f32 + 0.0, 0.0, 0.0])
    }
}

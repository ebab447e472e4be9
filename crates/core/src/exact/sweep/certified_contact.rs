//! The certified first contact of a moving sphere with a triangle.

use crate::arithmetic::Interval;
use crate::exact::proximity::Feature;
use crate::shapes::{PrimId, Triangle64};

/// The certified first contact of a moving sphere with a triangle with area.
///
/// Contains an interval around the exact time, so that most comparisons need only two `f64`s. Only
/// [`PreparedSphere`](super::PreparedSphere) can make one, and it has a meaning only together with
/// the sphere that made it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CertifiedContact {
    pub(super) prim: PrimId,
    pub(super) triangle: Triangle64,
    /// The part of the triangle that is touched first; `None` if the sphere touches the triangle at
    /// the start.
    pub(super) feature: Option<Feature>,
    /// The ends of the interval of the time.
    pub(super) time: Interval,
}

impl CertifiedContact {
    /// Returns the id of the triangle.
    pub(crate) fn prim(&self) -> PrimId {
        self.prim
    }

    /// Returns an upper bound of the exact time.
    pub(crate) fn latest(&self) -> f64 {
        self.time.1
    }

    /// Returns whether the sphere touches at the start.
    pub(crate) fn is_at_start(&self) -> bool {
        self.feature.is_none()
    }
}

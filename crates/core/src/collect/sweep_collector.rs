//! Takes the candidates for the first contact of one moving sphere, certifies them and keeps the
//! first.

use crate::exact::sweep::{CertifiedContact, MovingSphere64, PreparedSphere, SphereContact};
use crate::shapes::{Coordinate, PrimId, Triangle64};
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// Takes candidates from an engine (see
/// [`SweepEngine::visit_swept`](crate::SweepEngine::visit_swept)).
pub struct SweepCollector {
    sphere: PreparedSphere,
    /// Contacts after this do not count; one exactly then does.
    t_max: f64,
    limit: f64,
    first: Option<CertifiedContact>,
}

impl SweepCollector {
    /// Returns `None` where there is no answer: for a centre or a velocity that is not finite, and
    /// for a radius or a time that is negative or NaN.
    pub(crate) fn new(sphere: &MovingSphere64) -> Option<Self> {
        let t_max = sphere.t_max;
        let sphere = PreparedSphere::new(sphere)?;
        (t_max >= 0.0).then_some(SweepCollector {
            sphere,
            t_max,
            limit: t_max,
            first: None,
        })
    }

    /// Returns the sphere. Its centre and its velocity, which may be zero, are finite; its radius is not negative and may
    /// be infinite, and so is its greatest time.
    pub fn sphere(&self) -> MovingSphere64 {
        let sphere = MovingSphere64::new(
            self.sphere.center(),
            self.sphere.velocity(),
            self.sphere.radius(),
        );
        sphere.with_t_max(self.t_max)
    }

    /// Returns the time after which no contact is wanted any more; it falls as triangles are found,
    /// to 0 when one is found that the sphere touches at the start. Contacts exactly then are still
    /// wanted: ties go to the lowest id.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Takes a candidate, a [`Triangle`](crate::Triangle) as one in `f64` of the same corners. `Break` means that the
    /// answer is known.
    pub fn offer(&mut self, prim: PrimId, triangle: &Triangle64) -> ControlFlow<()> {
        // Of what touches at the start, only a lower id can come before.
        if let Some(first) = &self.first
            && first.is_at_start()
            && prim > first.prim()
        {
            return ControlFlow::Continue(());
        }
        let Some(found) = self.sphere.contact(prim, triangle, self.limit) else {
            return ControlFlow::Continue(());
        };
        if self.t_max < f64::INFINITY
            && self.sphere.order_time(&found, self.t_max) == Ordering::Greater
        {
            return ControlFlow::Continue(());
        }
        let is_first = match &self.first {
            None => true,
            Some(first) => self.sphere.order(&found, first) == Ordering::Less,
        };
        if is_first {
            // The interval of an earlier one may be wider, so the least limit so far stays.
            if found.latest() < self.limit {
                self.limit = found.latest();
            }
            self.first = Some(found);
            if found.is_at_start() && found.prim().index() == 0 {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the first contact.
    pub(crate) fn first_found<C: Coordinate>(&self) -> Option<SphereContact<C>> {
        self.sphere.sphere_contact(self.first.as_ref()?)
    }
}

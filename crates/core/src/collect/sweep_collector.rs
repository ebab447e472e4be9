//! Takes the candidates for the first contact of one moving sphere, certifies them and keeps the
//! first.

use crate::exact::sweep::{CertifiedContact, PreparedSphere, SphereContact};
use crate::shapes::{PrimId, Triangle};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::Vec3;

/// Takes candidates from an engine (see
/// [`SweepEngine::visit_swept`](crate::SweepEngine::visit_swept)).
pub struct SweepCollector {
    sphere: PreparedSphere,
    /// Contacts after this do not count; one exactly then does.
    t_max: f32,
    limit: f64,
    first: Option<CertifiedContact>,
}

impl SweepCollector {
    /// Returns `None` where there is no answer: for a centre or a velocity that is not finite, and
    /// for a radius or a time that is negative or NaN.
    pub(crate) fn new(center: Vec3, velocity: Vec3, radius: f32, t_max: f32) -> Option<Self> {
        let sphere = PreparedSphere::new(center, velocity, radius)?;
        (t_max >= 0.0).then_some(SweepCollector {
            sphere,
            t_max,
            limit: t_max.into(),
            first: None,
        })
    }

    /// Returns the sphere's centre at the start, which is finite.
    pub fn center(&self) -> Vec3 {
        self.sphere.center()
    }

    /// Returns the velocity, which is finite and may be zero.
    pub fn velocity(&self) -> Vec3 {
        self.sphere.velocity()
    }

    /// Returns the radius, which is not negative and may be infinite.
    pub fn radius(&self) -> f32 {
        self.sphere.radius()
    }

    /// Returns the time after which no contact is wanted any more; it falls as triangles are found,
    /// to 0 when one is found that the sphere touches at the start. Contacts exactly then are still
    /// wanted: ties go to the lowest id.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Takes a candidate. `Break` means that the answer is known.
    pub fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> ControlFlow<()> {
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
        if self.t_max < f32::INFINITY
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
    pub(crate) fn first_found(&self) -> Option<SphereContact> {
        self.sphere.sphere_contact(self.first.as_ref()?)
    }
}

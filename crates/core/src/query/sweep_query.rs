//! Queries about moving spheres.

use crate::engine::SweepEngine;
use crate::exact::sweep::{MovingSphere, SphereContact};
use crate::query::{CoordinateOf, first_contact};
use glam::Vec3;

/// Queries about the triangles that a moving sphere touches.
///
/// Every [`SweepEngine`] implements them, and none can override them: an engine supplies
/// candidates, and the answers are computed here, in exact arithmetic, the same for every engine.
///
/// # Rules for all queries
/// - A sphere is solid and closed: it touches a triangle at the time t when the exact distance of
///   its centre, then at `center + t velocity`, is at most the radius. Triangles are closed too; one
///   without area is never touched.
/// - The first contact is at the least t that is not negative. A sphere that touches a triangle at
///   the start does so at 0, in whatever direction it moves.
/// - Contacts are ordered by exact t, ties by [`PrimId`](crate::PrimId).
/// - A radius of 0 is a moving point. It touches what a ray hits, and also triangles whose plane it
///   moves in. A sphere with velocity 0 touches only what it touches at the start.
/// - There is no contact where the centre or the velocity is not finite, or the radius is negative or
///   NaN. An infinite radius touches every triangle at the start.
/// - Masks have no effect: spheres see every triangle.
pub trait SweepQuery: SweepEngine {
    /// Returns the first contact of a sphere that moves without end; [`FirstContact`](crate::FirstContact)
    /// is the question about a sphere that moves up to a time.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, SweepQuery, Triangle, query::Feature};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let engine = BruteForce::new([9.0, 5.0].map(sheet));
    /// let contact = engine.sweep_sphere([1.0, 2.0, 0.0], [0.0, 0.0, 2.0], 1.0).unwrap();
    /// assert_eq!((contact.t, contact.prim.get()), (2.0, 1)); // the centre is then at z = 4
    /// assert_eq!(contact.point, [1.0, 2.0, 5.0].into());
    /// assert_eq!((contact.feature, contact.is_touching_at_start), (Feature::Face, false));
    /// assert!(engine.sweep_sphere([1.0, 2.0, 0.0], [0.0, 0.0, -2.0], 1.0).is_none());
    /// ```
    #[must_use]
    #[doc(alias = "cast_sphere")]
    #[doc(alias = "shape_cast")]
    #[doc(alias = "time_of_impact")]
    fn sweep_sphere(
        &self,
        center: impl Into<Vec3>,
        velocity: impl Into<Vec3>,
        radius: f32,
    ) -> Option<SphereContact<CoordinateOf<Self>>> {
        first_contact(self, MovingSphere::new(center, velocity, radius).into())
    }
}

impl<E: SweepEngine + ?Sized> SweepQuery for E {}

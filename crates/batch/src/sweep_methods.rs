//! A method of [`Batch`] and of [`RayStream`] for the question about moving spheres.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::items::IntoItems;
use crate::report::BatchReport;
use crate::stream::{RayStream, StreamItem, StreamedFrom};
use estoc_core::{FirstContact, MovingSphere, SphereContact, SweepEngine};
use std::ops::ControlFlow;

/// Many moving spheres. Options of rays do not apply, nor do masks. Inactive spheres touch nothing.
impl Batch<'_> {
    /// Returns the first contact of each moving sphere with the triangles; see
    /// [`SweepQuery::sweep_sphere_within`](estoc_core::SweepQuery::sweep_sphere_within). A sphere
    /// whose centre or velocity is not finite, or whose radius or greatest time is negative or NaN,
    /// touches nothing.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Triangle, query::MovingSphere};
    /// let floor = Triangle::new([-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]);
    /// let engine = BruteForce::new([floor]);
    /// // One step of each of three balls; the third one does not reach the floor.
    /// let balls = [1.0, 3.0, 9.0]
    ///     .map(|y| MovingSphere::new([0.0, y, 0.0], [0.0, -4.0, 0.0], 1.0).with_t_max(1.0));
    /// let contacts = Batch::new().sweep_spheres(&engine, &balls)?;
    /// let times = contacts.iter().map(|contact| contact.map(|contact| contact.t));
    /// assert!(times.eq([Some(0.0), Some(0.5), None]));
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    #[doc(alias = "cast_spheres")]
    #[doc(alias = "shape_cast")]
    pub fn sweep_spheres<'r, E: SweepEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        spheres: impl IntoItems<'r, Item = MovingSphere>,
    ) -> Result<Vec<Option<SphereContact>>, BatchError> {
        self.ask(engine, FirstContact, spheres)
    }

    /// Writes the first contact of each moving sphere into the caller's slice, as
    /// [`sweep_spheres`](Batch::sweep_spheres) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn sweep_spheres_into<'r, E: SweepEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        spheres: impl IntoItems<'r, Item = MovingSphere>,
        contacts: &mut [Option<SphereContact>],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, FirstContact, spheres, contacts)
    }
}

/// Questions about moving spheres.
impl<S: Iterator<Item: StreamItem<Item = MovingSphere>>> RayStream<'_, S> {
    /// Returns the first contact of each moving sphere with the triangles; see
    /// [`Batch::sweep_spheres`].
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Triangle, query::MovingSphere};
    /// use std::ops::ControlFlow;
    /// let engine = BruteForce::new([Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])]);
    /// let grow = (0..).map(|i| MovingSphere::new([-1.0, 2.0, 3.0], [0.0, 0.0, -1.0], i as f32 / 8.0));
    /// let first = Batch::new().stream(grow).sweep_spheres(&engine, |spheres, contacts| {
    ///     match spheres.iter().zip(contacts).find(|(_, contact)| contact.is_some()) {
    ///         Some((sphere, _)) => ControlFlow::Break(sphere.radius),
    ///         None => ControlFlow::Continue(()),
    ///     }
    /// })?;
    /// assert_eq!(first.break_value(), Some(1.0)); // it passes an edge at this distance
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn sweep_spheres<E: SweepEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[MovingSphere], &[Option<SphereContact>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, FirstContact, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }
}

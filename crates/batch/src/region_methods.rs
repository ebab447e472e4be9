//! A method of [`Batch`] and of [`RayStream`] for each question about regions.

use crate::answers::{Answers, Rows};
use crate::batch::Batch;
use crate::error::BatchError;
use crate::stream::{ItemFrom, RayStream, StreamItem, StreamedFrom, each_block};
use estoc_core::{AnyOverlap, Overlaps, PrimId, Question, Region, RegionEngine};
use std::ops::ControlFlow;

/// Many regions. Options of rays do not apply, nor do masks. Inactive regions overlap nothing. By
/// default a thread takes one region at a time, since each may overlap any number of triangles.
impl Batch<'_> {
    /// Returns the triangles that have a point in each region, by id; see
    /// [`RegionQuery::overlaps`](estoc_core::RegionQuery::overlaps).
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Aabb, Batch, BruteForce, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let engine = BruteForce::new([1.0, 5.0].map(sheet));
    /// let boxes = [4.0, 6.0].map(|z| Aabb::try_new([0.0; 3], [1.0, 1.0, z]).unwrap());
    /// let found = Batch::new().overlaps(&engine, &boxes)?;
    /// assert!(found.rows().map(<[_]>::len).eq([1, 2]));
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Batch::ask); [`max_hits`](Batch::max_hits) limits the number of triangles of all
    /// regions.
    pub fn overlaps<E: RegionEngine + Sync + ?Sized, R: Region>(
        &self,
        engine: &E,
        regions: &[R],
    ) -> Result<Rows<PrimId>, BatchError> {
        self.ask(engine, Overlaps, &references(regions))
    }

    /// Returns whether any triangle has a point in each region; see
    /// [`RegionQuery::any_overlap`](estoc_core::RegionQuery::any_overlap).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn any_overlap<E: RegionEngine + Sync + ?Sized, R: Region>(
        &self,
        engine: &E,
        regions: &[R],
    ) -> Result<Vec<bool>, BatchError> {
        self.ask(engine, AnyOverlap, &references(regions))
    }
}

/// One method per question about regions.
impl<S: Iterator<Item: StreamItem<Item: Region>>> RayStream<'_, S> {
    /// Returns the triangles that have a point in each region, by id; see [`Batch::overlaps`].
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Sphere, Triangle};
    /// use std::ops::ControlFlow;
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let engine = BruteForce::new([1.0, 5.0].map(sheet));
    /// let spheres = (0..).map(|i| Sphere::try_new([1.0, 1.0, 0.0], i as f32));
    /// let both = Batch::new().stream(spheres).overlaps(&engine, |spheres, rows| {
    ///     match rows.rows().position(|row| row.len() == 2) {
    ///         Some(place) => ControlFlow::Break(spheres[place].radius()),
    ///         None => ControlFlow::Continue(()),
    ///     }
    /// })?;
    /// assert_eq!(both.break_value(), Some(5.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn overlaps<E: RegionEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        sink: impl FnMut(&[ItemFrom<S>], &Rows<PrimId>) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask_about_regions(engine, Overlaps, sink)
    }

    /// Returns whether any triangle has a point in each region; see [`Batch::any_overlap`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn any_overlap<E: RegionEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[ItemFrom<S>], &[bool]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask_about_regions(engine, AnyOverlap, |regions, any: &Vec<bool>| {
            sink(regions, any)
        })
    }

    fn ask_about_regions<E: RegionEngine + Sync + ?Sized, Q, A, B>(
        self,
        engine: &E,
        question: Q,
        sink: impl FnMut(&[ItemFrom<S>], &A) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B>
    where
        Q: for<'r> Question<E, &'r dyn Region>,
        A: for<'r> Answers<E, Q, &'r dyn Region> + Default + Send,
    {
        let none: &[&dyn Region] = &[];
        let of_none = self.batch.query(engine, question, none, None);
        let fill = |batch: Batch<'_>, regions: &[ItemFrom<S>], answers: &mut A| {
            batch.ask_into(engine, question, &references(regions), answers)
        };
        each_block(self.items, &of_none, fill, sink)
    }
}

/// Returns the regions as items.
fn references<R: Region>(regions: &[R]) -> Vec<&dyn Region> {
    regions.iter().map(|region| region as &dyn Region).collect()
}

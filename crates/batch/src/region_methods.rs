//! A method of [`Batch`] and of [`RayStream`] for each question about regions.

use crate::answers::Rows;
use crate::batch::Batch;
use crate::error::BatchError;
use crate::items::RegionIndex;
use crate::region_question::{AnyOverlap, Overlaps};
use crate::stream::{ItemFrom, RayStream, StreamItem, StreamedFrom};
use estoc_core::{PrimId, Region, RegionEngine};
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
        let indices = RegionIndex::list(regions.len());
        self.ask_as(engine, Overlaps(regions), &*indices)
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
        let indices = RegionIndex::list(regions.len());
        self.ask_as(engine, AnyOverlap(regions), &*indices)
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
        let solve = |batch: &Batch<'_>, regions: &[_], rows: &mut Rows<PrimId>| {
            let indices = RegionIndex::list(regions.len());
            batch.ask_into(engine, Overlaps(regions), &*indices, rows)
        };
        self.each_block_of_regions(engine, Overlaps::<ItemFrom<S>>(&[]), solve, sink)
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
        let solve = |batch: &Batch<'_>, regions: &[_], any: &mut Vec<bool>| {
            let indices = RegionIndex::list(regions.len());
            batch.ask_into(engine, AnyOverlap(regions), &*indices, any)
        };
        let of_none = AnyOverlap::<ItemFrom<S>>(&[]);
        self.each_block_of_regions(engine, of_none, solve, |regions, any: &Vec<bool>| {
            sink(regions, any)
        })
    }
}

//! A method of [`Batch`] and of [`RayStream`] for each question about what is near points.

use crate::answers::Rows;
use crate::batch::Batch;
use crate::error::BatchError;
use crate::items::IntoItems;
use crate::report::BatchReport;
use crate::stream::{RayStream, StreamItem, StreamedFrom};
use estoc_core::glam::Vec3;
use estoc_core::{
    AnyWithin, ClosestK, ClosestPoint, ClosestPointWithin, Distance, PointEngine, PrimId, Within,
};
use std::ops::ControlFlow;

/// One method per question about what is near points. Options of rays do not apply, nor do masks.
impl Batch<'_> {
    /// Returns the closest point of the triangles to each point; see
    /// [`PointQuery::closest_point`](estoc_core::PointQuery::closest_point).
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let engine = BruteForce::new([1.0, 5.0].map(sheet));
    /// let closest = Batch::new().closest_points(&engine, &[[1.0, 2.0, 4.0], [1.0, 2.0, 0.5]])?;
    /// let found = closest.iter().flatten().map(|found| (found.prim.get(), found.distance));
    /// assert!(found.eq([(1, 1.0), (0, 0.5)]));
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn closest_points<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
    ) -> Result<Vec<Option<ClosestPoint>>, BatchError> {
        self.ask(engine, ClosestPointWithin::default(), points)
    }

    /// Writes the closest point of the triangles to each point into the caller's slice, as
    /// [`closest_points`](Batch::closest_points) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn closest_points_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        closest: &mut [Option<ClosestPoint>],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, ClosestPointWithin::default(), points, closest)
    }

    /// Returns the closest point of the triangles to each point, if its exact distance is at most
    /// `max_distance`; see
    /// [`PointQuery::closest_point_within`](estoc_core::PointQuery::closest_point_within).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn closest_points_within<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        max_distance: f32,
    ) -> Result<Vec<Option<ClosestPoint>>, BatchError> {
        self.ask(engine, ClosestPointWithin(max_distance), points)
    }

    /// Writes the closest point of the triangles to each point into the caller's slice, as
    /// [`closest_points_within`](Batch::closest_points_within) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn closest_points_within_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        max_distance: f32,
        closest: &mut [Option<ClosestPoint>],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, ClosestPointWithin(max_distance), points, closest)
    }

    /// Returns the distance of each point from the triangles; see
    /// [`PointQuery::distance`](estoc_core::PointQuery::distance).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn distances<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
    ) -> Result<Vec<Option<f32>>, BatchError> {
        self.ask(engine, Distance, points)
    }

    /// Writes the distance of each point from the triangles into the caller's slice, as
    /// [`distances`](Batch::distances) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn distances_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        distances: &mut [Option<f32>],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Distance, points, distances)
    }

    /// Returns whether the exact distance of any triangle from each point is at most `radius`; see
    /// [`PointQuery::any_within`](estoc_core::PointQuery::any_within).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn any_within<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        radius: f32,
    ) -> Result<Vec<bool>, BatchError> {
        self.ask(engine, AnyWithin(radius), points)
    }

    /// Writes whether any triangle is that close to each point into the caller's slice, as
    /// [`any_within`](Batch::any_within) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn any_within_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        radius: f32,
        any: &mut [bool],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, AnyWithin(radius), points, any)
    }
}

/// Questions with any number of answers for each point.
impl Batch<'_> {
    /// Returns the closest points of the `k` triangles that are closest to each point, by exact
    /// distance, ties by id; see
    /// [`PointQuery::closest_points`](estoc_core::PointQuery::closest_points).
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([8.0, 2.0, 5.0].map(sheet));
    /// let rows = Batch::new().k_closest_points(&engine, &[[0.0, 0.0, 1.0], [0.0, 0.0, 9.0]], 2)?;
    /// let prims = |point| rows.row(point).unwrap().iter().map(|found| found.prim.get());
    /// assert!(prims(0).eq([1, 2]) && prims(1).eq([0, 2]));
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Batch::ask); [`max_hits`](Batch::max_hits) limits the number of closest points of
    /// all points.
    pub fn k_closest_points<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        k: usize,
    ) -> Result<Rows<ClosestPoint>, BatchError> {
        self.ask(engine, ClosestK(k), points)
    }

    /// Replaces the contents of `rows` by the closest points of the `k` closest triangles, as
    /// [`k_closest_points`](Batch::k_closest_points) returns them, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into). After an error the container is empty.
    pub fn k_closest_points_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        k: usize,
        rows: &mut Rows<ClosestPoint>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, ClosestK(k), points, rows)
    }

    /// Returns the triangles whose exact distance from each point is at most `radius`, by id; see
    /// [`PointQuery::within`](estoc_core::PointQuery::within) and the example of [`Rows`].
    ///
    /// # Errors
    /// As [`ask`](Batch::ask); [`max_hits`](Batch::max_hits) limits the number of triangles of all
    /// points.
    pub fn within<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        radius: f32,
    ) -> Result<Rows<PrimId>, BatchError> {
        self.ask(engine, Within(radius), points)
    }

    /// Replaces the contents of `rows` by the triangles that are that close to each point, as
    /// [`within`](Batch::within) returns them, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into). After an error the container is empty.
    pub fn within_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        radius: f32,
        rows: &mut Rows<PrimId>,
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, Within(radius), points, rows)
    }
}

/// One method per question about what is near points.
impl<S: Iterator<Item: StreamItem<Item = Vec3>>> RayStream<'_, S> {
    /// Returns the closest point of the triangles to each point; see [`Batch::closest_points`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn closest_points<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        sink: impl FnMut(&[Vec3], &[Option<ClosestPoint>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.closest_points_within(engine, f32::INFINITY, sink)
    }

    /// Returns the closest point of the triangles to each point, if its exact distance is at most
    /// `max_distance`; see [`Batch::closest_points_within`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn closest_points_within<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        max_distance: f32,
        mut sink: impl FnMut(&[Vec3], &[Option<ClosestPoint>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        let question = ClosestPointWithin(max_distance);
        self.ask(engine, question, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }

    /// Returns the distance of each point from the triangles; see [`Batch::distances`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn distances<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[Vec3], &[Option<f32>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, Distance, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }

    /// Returns whether the exact distance of any triangle from each point is at most `radius`; see
    /// [`Batch::any_within`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn any_within<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        radius: f32,
        mut sink: impl FnMut(&[Vec3], &[bool]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, AnyWithin(radius), |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }

    /// Returns the closest points of the `k` triangles that are closest to each point; see
    /// [`Batch::k_closest_points`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn k_closest_points<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        k: usize,
        sink: impl FnMut(&[Vec3], &Rows<ClosestPoint>) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, ClosestK(k), sink)
    }

    /// Returns the triangles whose exact distance from each point is at most `radius`; see
    /// [`Batch::within`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn within<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        radius: f32,
        sink: impl FnMut(&[Vec3], &Rows<PrimId>) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, Within(radius), sink)
    }
}

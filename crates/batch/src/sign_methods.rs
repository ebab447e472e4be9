//! A method of [`Batch`] and of [`RayStream`] for each question about the side of a surface that
//! points are on.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::items::IntoItems;
use crate::report::BatchReport;
use crate::stream::{RayStream, StreamItem, StreamedFrom};
use estoc_core::glam::Vec3;
use estoc_core::{
    ContainsBy, EstimatedWinding, PointEngine, SignRule, SignedDistance, SignedDistanceBy, Winding,
    WindingEstimate, WindingNumber,
};
use std::ops::ControlFlow;

/// One method per question about signs. Options of rays do not apply, nor do masks.
impl Batch<'_> {
    /// Returns the distance of each point from a closed surface, **negative inside**; see
    /// [`PointQuery::signed_distance`](estoc_core::PointQuery::signed_distance).
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BatchError, BruteForce, Triangle};
    /// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    /// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]].map(|[a, b, c]| Triangle::new(a, b, c));
    /// let points = [[1.0, 2.0, 2.0], [1.0, 2.0, -3.0]];
    /// let found = Batch::new().signed_distances(&BruteForce::new(faces), &points)?;
    /// assert!(found.iter().flatten().map(|found| found.signed).eq([-1.0, 3.0]));
    /// let open = BruteForce::new(&faces[1..]);
    /// let refused = Batch::new().signed_distances(&open, &points);
    /// assert!(matches!(refused, Err(BatchError::Surface(_))));
    /// # Ok::<(), BatchError>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface is not closed; else as [`ask`](Batch::ask).
    pub fn signed_distances<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
    ) -> Result<Vec<Option<SignedDistance>>, BatchError> {
        self.signed_distances_by(engine, points, SignRule::Parity)
    }

    /// Returns the distance of each point from a surface, **negative inside** by a rule; see
    /// [`PointQuery::signed_distance_by`](estoc_core::PointQuery::signed_distance_by).
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface has no inside by this rule; else as
    /// [`ask`](Batch::ask).
    pub fn signed_distances_by<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        rule: SignRule,
    ) -> Result<Vec<Option<SignedDistance>>, BatchError> {
        SignedDistanceBy(rule).check_surface(engine)?;
        self.ask(engine, SignedDistanceBy(rule), points)
    }

    /// Writes the signed distance of each point into the caller's slice, as
    /// [`signed_distances_by`](Batch::signed_distances_by) returns it, and returns a report.
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface has no inside by this rule; else as
    /// [`ask_into`](Batch::ask_into).
    pub fn signed_distances_by_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        rule: SignRule,
        distances: &mut [Option<SignedDistance>],
    ) -> Result<BatchReport, BatchError> {
        SignedDistanceBy(rule).check_surface(engine)?;
        self.ask_into(engine, SignedDistanceBy(rule), points, distances)
    }

    /// Returns whether each point is inside by a rule; see
    /// [`PointQuery::contains_by`](estoc_core::PointQuery::contains_by). There is an answer for every
    /// point that is active.
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface has no inside by this rule; else as
    /// [`ask`](Batch::ask).
    pub fn contains_by<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        rule: SignRule,
    ) -> Result<Vec<Option<bool>>, BatchError> {
        SignedDistanceBy(rule).check_surface(engine)?;
        self.ask(engine, ContainsBy(rule), points)
    }

    /// Returns how often a closed, oriented surface winds around each point; see
    /// [`PointQuery::winding_number`](estoc_core::PointQuery::winding_number). There is an answer
    /// for every point that is active.
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface is not closed and oriented; else as
    /// [`ask`](Batch::ask).
    pub fn winding_numbers<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
    ) -> Result<Vec<Option<Winding>>, BatchError> {
        WindingNumber.check_surface(engine)?;
        self.ask(engine, WindingNumber, points)
    }

    /// Writes how often the surface winds around each point into the caller's slice, as
    /// [`winding_numbers`](Batch::winding_numbers) returns it, and returns a report.
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface is not closed and oriented; else as
    /// [`ask_into`](Batch::ask_into).
    pub fn winding_numbers_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        numbers: &mut [Option<Winding>],
    ) -> Result<BatchReport, BatchError> {
        WindingNumber.check_surface(engine)?;
        self.ask_into(engine, WindingNumber, points, numbers)
    }

    /// Returns an estimate of the generalised winding number of each point, with a bound of its
    /// error; see [`PointQuery::winding_estimate`](estoc_core::PointQuery::winding_estimate).
    ///
    /// # Errors
    /// As [`ask`](Batch::ask).
    pub fn winding_estimates<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
    ) -> Result<Vec<WindingEstimate>, BatchError> {
        self.ask(engine, EstimatedWinding, points)
    }

    /// Writes an estimate for each point into the caller's slice, as
    /// [`winding_estimates`](Batch::winding_estimates) returns it, and returns a report.
    ///
    /// # Errors
    /// As [`ask_into`](Batch::ask_into).
    pub fn winding_estimates_into<'r, E: PointEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        points: impl IntoItems<'r, Item = Vec3>,
        estimates: &mut [WindingEstimate],
    ) -> Result<BatchReport, BatchError> {
        self.ask_into(engine, EstimatedWinding, points, estimates)
    }
}

/// One method per question about signs.
impl<S: Iterator<Item: StreamItem<Item = Vec3>>> RayStream<'_, S> {
    /// Returns the distance of each point from a closed surface, **negative inside**; see
    /// [`Batch::signed_distances`].
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface is not closed; else as [`ask`](RayStream::ask).
    pub fn signed_distances<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        sink: impl FnMut(&[Vec3], &[Option<SignedDistance>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.signed_distances_by(engine, SignRule::Parity, sink)
    }

    /// Returns the distance of each point from a surface, **negative inside** by a rule; see
    /// [`Batch::signed_distances_by`].
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface has no inside by this rule; else as
    /// [`ask`](RayStream::ask).
    pub fn signed_distances_by<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        rule: SignRule,
        mut sink: impl FnMut(&[Vec3], &[Option<SignedDistance>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        SignedDistanceBy(rule)
            .check_surface(engine)
            .map_err(BatchError::from)?;
        self.ask(engine, SignedDistanceBy(rule), |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }

    /// Returns how often a closed, oriented surface winds around each point; see
    /// [`Batch::winding_numbers`].
    ///
    /// # Errors
    /// [`BatchError::Surface`] if the surface is not closed and oriented; else as
    /// [`ask`](RayStream::ask).
    pub fn winding_numbers<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[Vec3], &[Option<Winding>]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        WindingNumber
            .check_surface(engine)
            .map_err(BatchError::from)?;
        self.ask(engine, WindingNumber, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }

    /// Returns an estimate of the generalised winding number of each point; see
    /// [`Batch::winding_estimates`].
    ///
    /// # Errors
    /// As [`ask`](RayStream::ask).
    pub fn winding_estimates<E: PointEngine + Sync + ?Sized, B>(
        self,
        engine: &E,
        mut sink: impl FnMut(&[Vec3], &[WindingEstimate]) -> ControlFlow<B>,
    ) -> StreamedFrom<S, B> {
        self.ask(engine, EstimatedWinding, |items, answers: &Vec<_>| {
            sink(items, answers)
        })
    }
}

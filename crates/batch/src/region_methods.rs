//! Many regions in parallel.

use crate::batch::Batch;
use crate::error::BatchError;
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, PrimId, Progress, Region, RegionEngine, RegionQuery};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Many regions. Options of rays do not apply, nor do masks. Inactive regions overlap nothing.
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
    /// assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Cancelled`], [`BatchError::Threads`], [`BatchError::RaysOnly`] for options of rays,
    /// and [`BatchError::Length`] if the number of flags is not that of regions.
    pub fn overlaps<E: RegionEngine + Sync + ?Sized, R: Region>(
        &self,
        engine: &E,
        regions: &[R],
    ) -> Result<Vec<Vec<PrimId>>, BatchError> {
        self.of_regions(regions, |region| engine.overlaps(region))
    }

    /// Returns whether any triangle has a point in each region; see
    /// [`RegionQuery::any_overlap`](estoc_core::RegionQuery::any_overlap).
    ///
    /// # Errors
    /// As [`overlaps`](Batch::overlaps).
    pub fn any_overlap<E: RegionEngine + Sync + ?Sized, R: Region>(
        &self,
        engine: &E,
        regions: &[R],
    ) -> Result<Vec<bool>, BatchError> {
        self.of_regions(regions, |region| engine.any_overlap(region))
    }

    pub(crate) fn of_regions<R: Region, A: Default + Send>(
        &self,
        regions: &[R],
        answer: impl Fn(&R) -> A + Sync,
    ) -> Result<Vec<A>, BatchError> {
        self.check_item::<Vec3>()?;
        self.check_lengths(regions.len())?;
        let is_cancelled = || self.cancel.is_some_and(CancelToken::is_cancelled);
        if is_cancelled() {
            return Err(BatchError::Cancelled);
        }
        let done = AtomicUsize::new(0);
        let answer = |(place, region): (usize, &R)| {
            if is_cancelled() {
                return Err(BatchError::Cancelled);
            }
            let answer = match self.active.is_none_or(|active| active[place]) {
                true => answer(region),
                false => A::default(),
            };
            if let Some(progress) = self.progress {
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress(Progress::new(done as u64, regions.len() as u64));
            }
            Ok(answer)
        };
        self.in_pool(|| regions.par_iter().enumerate().map(answer).collect())?
    }
}

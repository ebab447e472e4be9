//! The least distance of two meshes, with threads of its own.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::run::in_pool;
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, LeastOf, NearestPair, PairEngine};

impl Batch<'_> {
    /// Returns the least distance of two meshes if it is at most `max_distance`, and where they are that
    /// near; see [`PairQuery`](estoc_core::PairQuery). It can be cancelled; there is no progress.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Triangle};
    /// let sheet = |z| BruteForce::new([Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z])]);
    /// let batch = Batch::new().threads(2);
    /// let nearest = batch.least_distance(&sheet(1.0), &sheet(3.0), f32::INFINITY)?;
    /// assert_eq!(nearest.map(|found| found.distance), Some(2.0));
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Cancelled`], [`BatchError::Threads`], and [`BatchError::RaysOnly`] or
    /// [`BatchError::Length`] for settings that apply to rays.
    pub fn least_distance<E: PairEngine + Sync>(
        &self,
        engine: &E,
        other: &E,
        max_distance: f32,
    ) -> Result<Option<LeastOf<E::Measured>>, BatchError> {
        self.check_settings::<Vec3>()?;
        self.check_lengths(0)?;
        let Some(nearest) = NearestPair::within(max_distance) else {
            return Ok(None);
        };
        let never = CancelToken::new();
        let cancel = self.cancel.unwrap_or(&never);
        let found = in_pool(self.threads, || engine.nearest_pair(other, nearest, cancel))?;
        Ok(found.ok_or(BatchError::Cancelled)?.answer())
    }
}

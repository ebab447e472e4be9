//! Cuts with many planes.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::run::in_pool;
use estoc_core::glam::Vec3;
use estoc_core::{CoordinateOf, Plane, Progress, RegionEngine, RegionQuery, Section};
use estoc_system::parallel::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

impl Batch<'_> {
    /// Returns the cut of the mesh with each plane, in their order, such as the layers of a print; see
    /// [`RegionQuery::section`](estoc_core::RegionQuery::section). Each plane is cut in one thread.
    ///
    /// Options of rays do not apply, nor do masks. [`progress`](Batch::progress) counts planes, and
    /// nothing is cut by an inactive one.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Plane, Triangle};
    /// let wall = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]);
    /// let layers: Vec<Plane> = (0..4)
    ///     .map(|i| Plane::from_offset([0.0, 0.0, 1.0], i as f32 + 0.5))
    ///     .collect::<Result<_, _>>()?;
    /// let sections = Batch::new().sections(&BruteForce::new([wall]), &layers)?;
    /// assert!(sections.iter().all(|section| section.area().is_none())); // a wall has no inside
    /// let lengths = sections.iter().flat_map(|section| section.segments());
    /// let lengths: Vec<f32> = lengths.map(|(_, [a, b])| a.distance(b)).collect();
    /// assert_eq!(lengths, [3.5, 2.5, 1.5, 0.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Cancelled`], [`BatchError::Threads`], [`BatchError::RaysOnly`] for options of rays,
    /// and [`BatchError::Length`] if the number of flags is not that of planes.
    pub fn sections<E: RegionEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        planes: &[Plane<CoordinateOf<E>>],
    ) -> Result<Vec<Section<CoordinateOf<E>>>, BatchError> {
        self.check_settings::<Vec3>()?;
        self.check_lengths(planes.len())?;
        BatchError::if_cancelled(self.cancel)?;
        let done = AtomicUsize::new(0);
        let cut = |(place, plane): (usize, &Plane<_>)| {
            BatchError::if_cancelled(self.cancel)?;
            let section = match self.active.is_none_or(|active| active[place]) {
                true => engine.section(plane),
                false => Section {
                    plane: *plane,
                    polylines: Vec::new(),
                },
            };
            if let Some(progress) = self.progress {
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress(Progress::new(done as u64, planes.len() as u64));
            }
            Ok(section)
        };
        in_pool(self.threads, || {
            planes.par_iter().enumerate().map(cut).collect()
        })?
    }
}

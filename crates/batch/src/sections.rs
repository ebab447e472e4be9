//! Cuts with many planes.

use crate::batch::Batch;
use crate::error::BatchError;
use estoc_core::{Plane, RegionEngine, RegionQuery, Section};

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
    /// let lengths = sections.iter().flat_map(|section| section.segments());
    /// let lengths: Vec<f32> = lengths.map(|(_, [a, b])| a.distance(b)).collect();
    /// assert_eq!(lengths, [3.5, 2.5, 1.5, 0.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps`](Batch::overlaps).
    pub fn sections<E: RegionEngine + Sync + ?Sized>(
        &self,
        engine: &E,
        planes: &[Plane],
    ) -> Result<Vec<Section>, BatchError> {
        self.of_regions(planes, |plane| engine.section(plane))
    }
}

//! Regions as items, by their indices in a list.
//!
//! Regions need not be `Copy`, and may be of any type. So what a batch hands around are their indices,
//! and the question has the list.

use super::{Item, ItemSlice, sealed};
use estoc_core::Ray;
use estoc_core::glam::Vec3;

/// The index of a region in a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionIndex(usize);

impl RegionIndex {
    /// Returns the indices of this number of regions.
    pub(crate) fn list(regions: usize) -> Vec<RegionIndex> {
        (0..regions).map(RegionIndex).collect()
    }

    pub(crate) fn get(self) -> usize {
        self.0
    }
}

impl sealed::Sealed for RegionIndex {}

impl Item for RegionIndex {
    type Items<'a> = ItemSlice<'a, RegionIndex>;

    const TAKES_OPTIONS: bool = false;

    // A region may overlap any number of triangles.
    const CHUNK_SIZE: Option<usize> = Some(1);

    /// Regions keep their order.
    fn ray(&self) -> Ray {
        Ray::new(Vec3::ZERO, Vec3::X)
    }
}

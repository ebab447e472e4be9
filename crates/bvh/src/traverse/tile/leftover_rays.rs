//! Rays that are in no tile: collected, and then interleaved, or traced as bundles.

use super::ray_rows::TILE;
use crate::traverse::bundle::{BundleRoom, bundles};
use crate::traverse::interleaved;
use crate::traverse::ray_group::RayGroup;
use crate::traverse::wanted::Wanted;
use crate::wide::WideTree;
use estoc_core::exact::PreparedRay;
use estoc_core::{Queue, Technique, TechniqueCounts};
use fearless_simd::Level;

/// The largest number of rays traced at a time: that of the usual chunk, which is traced at once.
const MOST: usize = 4096;
/// Fewer rays are scattered, and are interleaved.
const BUNDLES_FROM: usize = 64;

pub(super) struct LeftoverRays<'r> {
    rays: Vec<(usize, PreparedRay<'r>)>,
    bundles: Option<Box<BundleRoom<'r>>>,
}

impl<'r> LeftoverRays<'r> {
    pub(super) fn new() -> Self {
        LeftoverRays {
            rays: Vec::new(),
            bundles: None,
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, place: usize, ray: PreparedRay<'r>) {
        if self.rays.capacity() == 0 {
            // Up to a tile of rays is added before they are traced.
            self.rays.reserve_exact(MOST + TILE);
        }
        self.rays.push((place, ray));
    }

    /// Returns whether there is no room for another tile of rays.
    #[inline(always)]
    pub(super) fn are_many(&self) -> bool {
        self.rays.len() >= MOST
    }

    /// Traces all rays, and returns how many by which technique.
    #[inline(never)]
    pub(super) fn trace<W: Wanted>(
        &mut self,
        wanted: W,
        tree: &WideTree,
        level: Level,
        queue: &mut Queue<'r>,
    ) -> TechniqueCounts {
        let rays = self.rays.len();
        if rays == 0 {
            return TechniqueCounts::default();
        }
        if rays >= BUNDLES_FROM {
            let room = self.bundles.get_or_insert_with(BundleRoom::new);
            let counts = bundles(wanted, tree, level, Some(&self.rays), room, queue);
            debug_assert!(counts.is_some(), "there are kernels for both or for none");
            self.rays.clear();
            return counts.unwrap_or_default();
        }
        let mut group = RayGroup::of_taken(&self.rays);
        let asked = interleaved(wanted, tree, level, queue, &mut group);
        self.rays.clear();
        debug_assert!(asked.is_some(), "there are kernels for both or for none");
        TechniqueCounts::of(Technique::Interleaved, rays)
    }
}

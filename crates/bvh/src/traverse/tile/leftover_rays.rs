//! Rays that are in no tile: collected, so that many are traced at a time.

use super::TileTarget;
use super::ray_rows::TILE;
use super::tile_ray::TileRay;
use crate::traverse::bundle::ray_window::NumberedRay;
use estoc_core::exact::PreparedRay;
use estoc_core::{Queue, TechniqueCounts};

/// The largest number of rays traced at a time: that of the usual chunk, which is traced at once.
const MOST: usize = 4096;

pub(super) struct LeftoverRays<'r, R>(Vec<NumberedRay<'r, R>>);

impl<'r, R: TileRay> LeftoverRays<'r, R> {
    pub(super) fn new() -> Self {
        LeftoverRays(Vec::new())
    }

    #[inline(always)]
    pub(super) fn push(&mut self, place: usize, ray: PreparedRay<'r, R>) {
        if self.0.capacity() == 0 {
            // Up to a tile of rays is added before they are traced.
            self.0.reserve_exact(MOST + TILE);
        }
        self.0.push((place, ray));
    }

    /// Traces the rays if there is no room for another tile of them, and returns how many by which technique.
    #[inline(always)]
    pub(super) fn trace_if_many<T: TileTarget<'r, Ray = R>>(
        &mut self,
        target: &mut T,
        queue: &mut Queue<'r, T::Primitive, R>,
    ) -> TechniqueCounts {
        match self.0.len() >= MOST {
            true => self.trace(target, queue),
            false => TechniqueCounts::default(),
        }
    }

    /// Traces all rays, and returns how many by which technique.
    #[inline(never)]
    pub(super) fn trace<T: TileTarget<'r, Ray = R>>(
        &mut self,
        target: &mut T,
        queue: &mut Queue<'r, T::Primitive, R>,
    ) -> TechniqueCounts {
        if self.0.is_empty() {
            return TechniqueCounts::default();
        }
        let counts = target.trace_others(&self.0, queue);
        self.0.clear();
        counts
    }
}

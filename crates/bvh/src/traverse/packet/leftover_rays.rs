//! Rays that are in no packet: collected, and then interleaved.

use crate::traverse::interleave::{Source, Start};
use crate::traverse::interleaved;
use crate::traverse::ray_group::RayGroup;
use crate::traverse::wanted::Wanted;
use crate::wide::WideTree;
use estoc_core::Queue;
use estoc_core::exact::PreparedRay;
use fearless_simd::{Level, Simd};

/// The largest number of rays traced at a time: that of the usual chunk, which is traced at once.
const ROOM: usize = 4096;

pub(super) struct LeftoverRays<'r>(Vec<(usize, PreparedRay<'r>)>);

impl<'r> LeftoverRays<'r> {
    pub(super) fn new() -> Self {
        LeftoverRays(Vec::new())
    }

    #[inline(always)]
    pub(super) fn push(&mut self, place: usize, ray: PreparedRay<'r>) {
        if self.0.capacity() == 0 {
            self.0.reserve_exact(ROOM);
        }
        self.0.push((place, ray));
    }

    /// Traces the rays if there is no room for another, and returns their number.
    #[inline(always)]
    pub(super) fn ask_if_full(
        &mut self,
        wanted: impl Wanted,
        tree: &WideTree,
        level: Level,
        queue: &mut Queue<'r>,
    ) -> usize {
        match self.0.len() >= ROOM {
            true => self.ask(wanted, tree, level, queue),
            false => 0,
        }
    }

    /// Traces all rays, and returns their number.
    #[inline(never)]
    pub(super) fn ask(
        &mut self,
        wanted: impl Wanted,
        tree: &WideTree,
        level: Level,
        queue: &mut Queue<'r>,
    ) -> usize {
        let rays = self.0.len();
        if rays > 0 {
            let mut source = HandedOut {
                rays: self.0.drain(..),
                group: RayGroup::new(),
            };
            let asked = interleaved(wanted, tree, level, queue, &mut source);
            debug_assert!(asked.is_some(), "there are kernels for both or for none");
        }
        rays
    }
}

/// Rays that were already taken from a queue, prepared eight at a time.
struct HandedOut<'r, R> {
    rays: R,
    group: RayGroup<'r>,
}

impl<'r, R: Iterator<Item = (usize, PreparedRay<'r>)>> Source<'r> for HandedOut<'r, R> {
    #[inline(always)]
    fn next<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        queue: &mut Queue<'r>,
        asked: &mut usize,
        start: Start<'_, 'r>,
    ) -> bool {
        let rays = &mut self.rays;
        self.group.start_next(
            simd,
            tree,
            #[inline(always)]
            |_| rays.next(),
            queue,
            asked,
            start,
        )
    }
}

//! Rays that are in no packet: gathered, and then interleaved.

use super::super::interleaved;
use crate::wide::WideTree;
use estoc_core::exact::PreparedRay;
use estoc_core::{PrimId, Queue, Triangle};
use fearless_simd::Level;

/// So many are asked at a time at most: as many as the usual slice has, which is then asked once.
const ROOM: usize = 4096;

pub(super) struct Left<'r>(Vec<(usize, PreparedRay<'r>)>);

impl<'r> Left<'r> {
    pub(super) fn new() -> Self {
        Left(Vec::new())
    }

    #[inline(always)]
    pub(super) fn push(&mut self, place: usize, ray: PreparedRay<'r>) {
        if self.0.capacity() == 0 {
            self.0.reserve_exact(ROOM);
        }
        self.0.push((place, ray));
    }

    /// Asks them if there is no room for another; how many they were.
    #[inline(always)]
    pub(super) fn ask_if_full<Q: Queue<'r>>(
        &mut self,
        tree: &WideTree,
        level: Level,
        queue: &mut Q,
    ) -> usize {
        match self.0.len() >= ROOM {
            true => self.ask(tree, level, queue),
            false => 0,
        }
    }

    /// Asks them all; how many they were.
    #[inline(never)]
    pub(super) fn ask<Q: Queue<'r>>(
        &mut self,
        tree: &WideTree,
        level: Level,
        queue: &mut Q,
    ) -> usize {
        let rays = self.0.len();
        if rays > 0 {
            let rays = self.0.drain(..);
            let asked = interleaved(tree, level, &mut Again { rays, queue });
            debug_assert!(asked.is_some(), "there are kernels for both or for none");
        }
        rays
    }
}

/// A queue of rays that another queue had handed out.
struct Again<'q, Q, R> {
    rays: R,
    queue: &'q mut Q,
}

impl<'r, Q, R> Queue<'r> for Again<'_, Q, R>
where
    Q: Queue<'r>,
    R: Iterator<Item = (usize, PreparedRay<'r>)>,
{
    type Collector = Q::Collector;

    fn next(&mut self) -> Option<(usize, PreparedRay<'r>)> {
        self.rays.next()
    }

    fn takes_every_hit(&self, place: usize) -> bool {
        self.queue.takes_every_hit(place)
    }

    fn collector(&mut self, place: usize, ray: PreparedRay<'r>) -> Q::Collector {
        self.queue.collector(place, ray)
    }

    fn finish(&mut self, place: usize, collector: &mut Q::Collector) {
        self.queue.finish(place, collector);
    }

    fn only(&mut self, place: usize, ray: PreparedRay<'r>, prim: PrimId, triangle: &Triangle) {
        self.queue.only(place, ray, prim, triangle);
    }

    fn counted(&mut self, place: usize, hits: usize) {
        self.queue.counted(place, hits);
    }

    fn miss(&mut self, place: usize) {
        self.queue.miss(place);
    }
}

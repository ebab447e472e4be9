//! Any hit of rays with nothing in common, one by one while they visit few nodes and leaves.
//!
//! A ray in flight takes longer to start and to complete than a single one, and its steps save waits
//! for memory. Where rays end after few visits, and what they visit is in the caches, as in a room
//! whose walls most rays hit, single rays are faster.

use super::interleave::Taken;
use super::plain_ray;
use super::ray_group::RayGroup;
use super::skipped::Skipped;
use super::wanted::Any;
use super::{for_many, interleaved};
use crate::wide::WideTree;
use core::cell::Cell;
use estoc_core::exact::PreparedRay;
use estoc_core::{Queue, Ray, Technique, TechniqueCounts};
use fearless_simd::Level;

/// In larger trees, single rays wait for memory even where they visit little.
const LARGEST: usize = 24 << 20;
/// Rays that visit this number of nodes and leaves on average take as long in flight as alone.
const FEW: usize = 6;
/// The number of single rays after which it is decided how the next ones are traced, and of those
/// after a decision for single rays whose visits are not counted, which is faster.
const COUNTED: usize = 16;
const UNCOUNTED: usize = 32;
/// The number of rays in flight between two decisions.
const IN_FLIGHT: usize = 512;
/// The number of rays whose visits decide.
const REMEMBERED: usize = 256;

/// The visits of the last rays.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecentVisits {
    rays: usize,
    visits: usize,
}

impl RecentVisits {
    /// Returns what is assumed before the first ray: the few first ones tell little.
    pub(super) fn expected() -> Self {
        RecentVisits {
            rays: 8,
            visits: 32,
        }
    }

    /// Adds the visits of rays.
    pub(super) fn add(&mut self, rays: usize, visits: usize) {
        self.rays += rays;
        self.visits += visits;
        while self.rays > REMEMBERED {
            (self.rays, self.visits) = (self.rays / 2, self.visits / 2);
        }
    }

    /// Returns whether rays visited at most [`FEW`] nodes and leaves on average.
    pub(super) fn are_few(&self) -> bool {
        self.visits <= FEW * self.rays
    }
}

/// Returns whether single rays may be faster than rays in flight. Those that are neither plain nor
/// scaled to be plain are not.
pub(super) fn may_be_short(tree: &WideTree) -> bool {
    tree.measures.has_plain_rays() && tree.nodes.bytes() + tree.leaves.bytes() <= LARGEST
}

/// Traces all rays of a queue that asks for any hit. Returns `None`, and takes no ray, at levels
/// without a kernel for rays in flight, or where options exclude hits.
pub(super) fn trace(
    tree: &WideTree,
    level: Level,
    queue: &mut Queue<'_>,
) -> Option<TechniqueCounts> {
    for_many!(level, simd => {
        let _ = simd;
    })?;
    let mut recent = RecentVisits::expected();
    let mut counts = TechniqueCounts::default();
    let mut slice = Some(queue.next_slice(COUNTED)?);
    while let Some((place, rays)) = slice {
        let visits = Cell::new(0);
        let hit = |ray: &Ray| plain_ray::any_skipping(tree, level, ray, Skipped::NONE, &visits);
        counts.one_by_one += answer(queue, (place, rays), hit);
        recent.add(rays.len(), visits.get() as usize);
        if recent.are_few()
            && let Some(slice) = queue.next_slice(UNCOUNTED)
        {
            counts.one_by_one += answer(queue, slice, |ray| plain_ray::any(tree, level, ray));
        }
        while !recent.are_few() {
            let mut group = RayGroup::limited(IN_FLIGHT);
            let Taken { rays, visits } = interleaved(Any, tree, level, queue, &mut group)?;
            recent.add(rays, visits);
            counts += TechniqueCounts::of(Technique::Interleaved, rays);
            if rays < IN_FLIGHT {
                return Some(counts);
            }
        }
        slice = queue.next_slice(COUNTED);
    }
    Some(counts)
}

/// Completes rays of which `hit` tells whether they hit anything. Returns the number of those that
/// are defined.
#[inline(always)]
fn answer(
    queue: &mut Queue<'_>,
    (place, rays): (usize, &[Ray]),
    mut hit: impl FnMut(&Ray) -> bool,
) -> usize {
    let mut defined = 0;
    for (place, ray) in (place..).zip(rays) {
        queue.counted(place, hit(ray).into());
        defined += usize::from(PreparedRay::new(ray).is_some());
    }
    defined
}

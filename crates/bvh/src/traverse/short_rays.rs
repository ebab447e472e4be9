//! Rays with nothing in common, one by one while they visit few nodes and leaves: their first hits, or
//! whether they hit anything.
//!
//! A ray in flight takes longer to start and to complete than a single one, and its steps save waits
//! for memory. Where rays end after few visits, and what they visit is in the caches, as in a room
//! whose walls most rays hit, single rays are faster.

use super::interleave::Taken;
use super::plain_ray::{self, PlainQuestion, answer_skipping};
use super::ray_group::RayGroup;
use super::skipped::Skipped;
use super::wanted::{Any, Closest};
use super::{for_many, interleaved};
use crate::wide::WideTree;
use core::cell::Cell;
use estoc_core::{Hit, QueryItem, Queue, Ray, Technique, TechniqueCounts};
use fearless_simd::Level;

/// In larger trees, single rays wait for memory even where they visit little.
const LARGEST: usize = 24 << 20;
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
struct RecentVisits {
    rays: usize,
    visits: usize,
}

impl RecentVisits {
    /// Returns what is assumed before the first ray: the few first ones tell little.
    fn expected() -> Self {
        RecentVisits {
            rays: 8,
            visits: 32,
        }
    }

    /// Adds the visits of rays.
    fn add(&mut self, rays: usize, visits: usize) {
        self.rays += rays;
        self.visits += visits;
        while self.rays > REMEMBERED {
            (self.rays, self.visits) = (self.rays / 2, self.visits / 2);
        }
    }

    /// Returns whether rays visited at most `few` nodes and leaves on average.
    fn are_at_most(&self, few: usize) -> bool {
        self.visits <= few * self.rays
    }
}

/// Returns whether single rays may be faster than rays in flight. Those that are neither plain nor
/// scaled to be plain are not.
pub(super) fn may_be_short(tree: &WideTree) -> bool {
    tree.measures.has_plain_rays() && tree.nodes.bytes() + tree.leaves.bytes() <= LARGEST
}

/// A question that a single call may answer for each ray of a queue.
pub(super) trait Single: PlainQuestion {
    /// Rays that visit this number of nodes and leaves on average take as long in flight as alone.
    const FEW: usize;

    /// Completes a ray.
    fn complete(queue: &mut Queue<'_>, place: usize, answer: Self::Answer<Hit>);
}

impl Single for Closest {
    const FEW: usize = 7;

    #[inline(always)]
    fn complete(queue: &mut Queue<'_>, place: usize, answer: Option<Hit>) {
        queue.certified(place, answer);
    }
}

impl Single for Any {
    const FEW: usize = 6;

    #[inline(always)]
    fn complete(queue: &mut Queue<'_>, place: usize, answer: bool) {
        queue.counted(place, answer.into());
    }
}

/// Traces all rays of a queue. Returns `None`, and takes no ray, at levels without a kernel for rays in
/// flight, or where options exclude hits.
pub(super) fn trace<W: Single>(
    wanted: W,
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
        counts.one_by_one += complete::<W>(queue, (place, rays), (tree, level), Some(&visits));
        recent.add(rays.len(), visits.get() as usize);
        if recent.are_at_most(W::FEW)
            && let Some(slice) = queue.next_slice(UNCOUNTED)
        {
            counts.one_by_one += complete::<W>(queue, slice, (tree, level), None);
        }
        while !recent.are_at_most(W::FEW) {
            let mut group = RayGroup::limited(IN_FLIGHT);
            let Taken { rays, visits } = interleaved(wanted, tree, level, queue, &mut group)?;
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

/// Completes rays by single calls, and adds their visits if they are counted. Returns the number of those that are
/// defined.
#[inline(always)]
fn complete<W: Single>(
    queue: &mut Queue<'_>,
    (place, rays): (usize, &[Ray]),
    (tree, level): (&WideTree, Level),
    visits: Option<&Cell<u32>>,
) -> usize {
    let mut defined = 0;
    for (place, ray) in (place..).zip(rays) {
        let answer = match visits {
            None => plain_ray::answer::<W>(tree, level, ray),
            Some(visits) => answer_skipping::<W>(tree, level, ray, Skipped::NONE, visits),
        };
        W::complete(queue, place, answer);
        defined += usize::from(ray.is_defined());
    }
    defined
}

//! Bundles: up to sixteen rays of one octant that start near each other but diverge, such as those
//! of ambient occlusion, and share the upper part of their traversal.
//!
//! Lanes are rays: a box is tested against bounds of all rays of a bundle, and then against each
//! (`bundle_walk.rs`). Where only a few rays continue, each continues alone by the code of single
//! rays (Benthin, Wald, Woop, Ernst and Mark 2012, "Combining Single and Packet-Ray Tracing for
//! Arbitrary Ray Distributions on the Intel MIC Architecture", switch to that at once), and leaves
//! are visited by its test too (`bundle_leaf.rs`). Doubts are settled where they are met. Rays that
//! are not plain are interleaved.

pub mod box_lanes;
pub mod bundle_hull;
pub mod bundle_leaf;
pub mod bundle_trial;
pub mod bundle_walk;
pub mod ray_bundle;
pub mod ray_window;

use super::interleave::{Source, Start, interleave};
use super::ray_group::RayGroup;
use super::skipped::Skipped;
use super::wanted::Wanted;
use crate::wide::{Tag, WIDTH, WideTree};
use arrayvec::ArrayVec;
use bundle_leaf::Progress;
use bundle_trial::Trial;
use bundle_walk::{Stack, walk};
use estoc_core::{Queue, Technique, TechniqueCounts};
use fearless_simd::{Level, Simd, SimdBase, f32x16};
use ray_bundle::Bundle;
use ray_window::{Placed, Window};

/// The largest number of rays in a bundle.
pub const LANES: usize = 16;
/// Fewer rays traverse alone from the start.
const FEWEST: usize = 4;

/// A number of each ray.
pub type Lanes = [f32; LANES];

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, lanes: &Lanes) -> f32x16<S> {
    f32x16::load_array_ref(simd, lanes)
}

#[inline(always)]
pub(super) fn store<S: Simd>(lanes: &mut Lanes, numbers: f32x16<S>) {
    numbers.store_array(lanes);
}

/// The buffers that bundles reuse.
pub(super) struct BundleRoom<'r> {
    bundle: Bundle<'r>,
    stack: Stack,
    progress: Progress,
}

impl BundleRoom<'_> {
    /// Returns them on the heap: they are too large for the stacks of some threads.
    pub(super) fn new() -> Box<Self> {
        Box::new(BundleRoom {
            bundle: Bundle::new(),
            stack: Stack::new(),
            progress: Progress::new(),
        })
    }
}

/// Traverses with these rays, or with all rays of a queue, in bundles of rays of one octant.
///
/// Returns `None`, and takes no ray, where interleaving is no slower.
#[inline(never)]
pub(super) fn bundles<'r, W: Wanted>(
    wanted: W,
    tree: &WideTree,
    level: Level,
    given: Option<&[Placed<'r>]>,
    room: &mut BundleRoom<'r>,
    queue: &mut Queue<'r>,
) -> Option<TechniqueCounts> {
    if tree.nodes.is_empty() {
        return None;
    }
    super::for_many!(level, simd => bundles_with(simd, wanted, tree, given, room, queue))
}

#[inline(always)]
fn bundles_with<'r, S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    given: Option<&[Placed<'r>]>,
    room: &mut BundleRoom<'r>,
    queue: &mut Queue<'r>,
) -> TechniqueCounts {
    let mut source = Bundles {
        wanted,
        window: Window::of(given),
        room,
        odd: ArrayVec::new(),
        shared: 0,
        trial: Trial::new(tree.nodes.bytes() + tree.leaves.bytes()),
        group: RayGroup::new(),
    };
    let asked = interleave(simd, wanted, tree, queue, &mut source).rays;
    TechniqueCounts::of(Technique::Bundles, source.shared)
        + TechniqueCounts::of(Technique::Interleaved, asked - source.shared)
}

/// A source of the rays that are in no bundle, which traces those that are in bundles.
struct Bundles<'g, 'r, W> {
    wanted: W,
    window: Window<'g, 'r>,
    room: &'g mut BundleRoom<'r>,
    /// Rays that traverse alone from the start.
    odd: ArrayVec<Placed<'r>, LANES>,
    /// The number of rays that have been in bundles.
    shared: usize,
    trial: Trial,
    group: RayGroup<'g, 'r>,
}

impl<'r, W: Wanted> Source<'r> for Bundles<'_, 'r, W> {
    #[inline(always)]
    fn next<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        queue: &mut Queue<'r>,
        asked: &mut usize,
        start: Start<'_, 'r>,
    ) -> bool {
        loop {
            if let Some(ready) = self.group.next(simd, tree, queue, asked, start.ray) {
                if ready {
                    start.waiting.push(Tag::NODE.0, 0);
                    return true;
                }
                continue;
            }
            if !self.odd.is_empty() {
                self.group.fill(simd, tree, || self.odd.pop());
                continue;
            }
            if self.trial.is_alone() {
                let window = &mut self.window;
                self.group.fill(
                    simd,
                    tree,
                    #[inline(always)]
                    || window.next_alone(queue),
                );
                if self.group.is_empty() {
                    return false;
                }
                self.trial.pass(WIDTH as u32);
                continue;
            }
            let rays = self.go(simd, tree, queue);
            let Some(rays) = rays else {
                return false;
            };
            *asked += rays;
        }
    }
}

impl<'r, W: Wanted> Bundles<'_, 'r, W> {
    /// Traces the next bundle. Returns the number of rays that this was done for; `None` if none
    /// are left.
    #[inline(never)]
    fn go<S: Simd>(&mut self, simd: S, tree: &WideTree, queue: &mut Queue<'r>) -> Option<usize> {
        simd.vectorize(
            #[inline(always)]
            || self.go_with(simd, tree, queue),
        )
    }

    #[inline(always)]
    fn go_with<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        queue: &mut Queue<'r>,
    ) -> Option<usize> {
        let BundleRoom {
            bundle,
            stack,
            progress,
        } = &mut *self.room;
        bundle.rays.clear();
        let fit = self.window.next(queue, &mut bundle.rays)?;
        if !fit || bundle.rays.len() < FEWEST {
            self.odd.extend(bundle.rays.iter().copied());
            return Some(0);
        }
        bundle.prepare(simd, tree);
        if bundle.ready != 0 {
            progress.begin(skipped(&bundle.rays, queue));
            let shared = walk(simd, self.wanted, tree, bundle, stack, progress);
            self.trial.take(shared);
            self.shared += bundle.ready.count_ones() as usize;
            answer::<S, W>(simd, tree, bundle, progress, queue);
        }
        let mut unfit = bundle.all() & !bundle.ready;
        while unfit != 0 {
            let lane = unfit.trailing_zeros() as usize;
            unfit &= unfit - 1;
            self.odd.push(bundle.rays[lane]);
        }
        Some(bundle.ready.count_ones() as usize)
    }
}

/// Returns the triangles that rays skip.
#[inline(always)]
fn skipped<'r>(rays: &[Placed<'r>], queue: &Queue<'r>) -> [Skipped; LANES] {
    let mut skipped = [Skipped::NONE; LANES];
    for (to, &(place, _)) in skipped.iter_mut().zip(rays) {
        *to = Skipped::of(queue.hit_rule(place)).unwrap_or(Skipped::NONE);
    }
    skipped
}

/// Completes the rays.
#[inline(always)]
fn answer<'r, S: Simd, W: Wanted>(
    simd: S,
    tree: &WideTree,
    bundle: &Bundle<'r>,
    progress: &Progress,
    queue: &mut Queue<'r>,
) {
    let leaves = tree.view();
    let mut lanes = bundle.ready;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % LANES;
        lanes &= lanes - 1;
        let (place, ray) = bundle.rays[lane];
        match W::FIRST {
            true => {
                let hit = progress.hit(simd, tree, leaves, (lane, ray.ray()));
                queue.certified(place, hit);
            }
            false => queue.counted(place, (progress.done >> lane & 1) as usize),
        }
    }
}

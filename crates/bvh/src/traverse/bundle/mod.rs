//! Bundles: up to sixteen rays of one octant that start near each other but diverge, such as those
//! of ambient occlusion, and share the upper part of their traversal.
//!
//! Lanes are rays: a box is tested against all rays of a bundle, and so is a triangle
//! (`bundle_walk.rs`, `bundle_leaf.rs`). Where only a few rays continue, each continues alone, with
//! a list of its remaining children, interleaved with others (Benthin, Wald, Woop, Ernst and Mark
//! 2012, "Combining Single and Packet-Ray Tracing for Arbitrary Ray Distributions on the Intel MIC
//! Architecture", switch to that at once). Whatever is not certain goes to that list. So answers
//! are found by the same code as for rays that traverse alone from the start.

mod bundle_leaf;
pub mod bundle_trial;
mod bundle_vectors;
pub mod bundle_walk;
pub mod ray_bundle;
pub mod ray_window;

use super::interleave::{Source, Start, interleave};
use super::ray_group::RayGroup;
use super::wanted::Wanted;
use crate::wide::{Tag, WideTree};
use arrayvec::ArrayVec;
use bundle_trial::Trial;
use bundle_walk::{Stack, walk};
use core::marker::PhantomData;
use estoc_core::{Queue, Technique, TechniqueCounts};
use fearless_simd::{Level, Simd};
use ray_bundle::Bundle;
use ray_window::{Placed, Window};

/// The largest number of rays in a bundle.
pub const LANES: usize = 16;
/// Fewer rays traverse alone from the start.
const FEWEST: usize = 4;

/// Traverses with all rays of a queue, in bundles of rays with similar directions.
///
/// Returns `None`, and takes no ray, where interleaving is no slower.
pub(super) fn bundles<W: Wanted>(
    wanted: W,
    tree: &WideTree,
    level: Level,
    queue: &mut Queue<'_>,
) -> Option<TechniqueCounts> {
    if tree.nodes.is_empty() {
        return None;
    }
    super::for_many!(level, simd => bundles_with(simd, wanted, tree, queue))
}

#[inline(always)]
fn bundles_with<S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    queue: &mut Queue<'_>,
) -> TechniqueCounts {
    let mut source = Bundles {
        wanted: PhantomData::<W>,
        window: Window::new(),
        bundle: Box::new(Bundle::new()),
        stack: Stack::new(),
        left: 0,
        odd: ArrayVec::new(),
        shared: 0,
        trial: Trial::default(),
        group: RayGroup::new(),
    };
    let asked = interleave(simd, wanted, tree, queue, &mut source);
    TechniqueCounts::of(Technique::Bundles, source.shared)
        + TechniqueCounts::of(Technique::Interleaved, asked - source.shared)
}

/// A source of rays that continue after a bundle, or that were in none.
struct Bundles<'r, W> {
    wanted: PhantomData<W>,
    window: Window<'r>,
    bundle: Box<Bundle<'r>>,
    stack: Stack,
    /// The rays of the bundle that continue, as bits.
    left: u32,
    /// Rays that traverse alone from the start.
    odd: ArrayVec<Placed<'r>, LANES>,
    /// The number of rays that have been in bundles.
    shared: usize,
    trial: Trial,
    group: RayGroup<'r>,
}

impl<'r, W: Wanted> Source<'r> for Bundles<'r, W> {
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
            if self.left != 0 {
                let lane = self.left.trailing_zeros() as usize;
                self.left &= self.left - 1;
                self.bundle.go_on(lane, start);
                return true;
            }
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
                    || window.next_alone().or_else(|| queue.next()),
                );
                if self.group.is_empty() {
                    return false;
                }
                self.trial.pass();
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

impl<'r, W: Wanted> Bundles<'r, W> {
    /// Traverses with the next rays as far as they share nodes. Returns the number of rays that
    /// this was done for; `None` if none are left.
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
        let bundle = &mut *self.bundle;
        bundle.rays.clear();
        let fit = self.window.next(queue, &mut bundle.rays)?;
        if !fit || bundle.rays.len() < FEWEST {
            self.odd.extend(bundle.rays.iter().copied());
            return Some(0);
        }
        bundle.prepare(simd, tree);
        let shared = match W::FIRST {
            true => walk::<S, false>(simd, tree, bundle, &mut self.stack),
            false => walk::<S, true>(simd, tree, bundle, &mut self.stack),
        };
        self.trial.take(shared);
        bundle.ready &= !bundle.again;
        self.shared += bundle.ready.count_ones() as usize;
        self.left = answer(tree, bundle, queue);
        let mut unfit = bundle.all() & !bundle.ready;
        while unfit != 0 {
            let lane = unfit.trailing_zeros() as usize;
            unfit &= unfit - 1;
            bundle.own[lane].clear();
            self.odd.push(bundle.rays[lane]);
        }
        Some(bundle.ready.count_ones() as usize)
    }
}

/// Completes rays whose answer is known. Returns the others, as bits.
#[inline(always)]
fn answer<'r>(tree: &WideTree, bundle: &mut Bundle<'r>, queue: &mut Queue<'r>) -> u32 {
    let leaves = tree.view();
    let mut goes_on = 0;
    let mut lanes = bundle.ready;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % LANES;
        lanes &= lanes - 1;
        if bundle.done >> lane & 1 == 1 {
            bundle.own[lane].clear();
            queue.counted(bundle.rays[lane].0, 1);
            continue;
        }
        if bundle.cull(lane) {
            goes_on |= 1 << lane;
            continue;
        }
        let (place, ray) = bundle.rays[lane];
        let tag = Tag(bundle.kept_tag[lane]);
        if tag.len() == 0 {
            queue.miss(place);
        } else {
            let first = bundle.kept_leaf[lane] as usize;
            let (prim, triangle) = leaves.triangle(first, tag.len(), tag.lane());
            queue.only(place, ray, prim, &triangle);
        }
    }
    goes_on
}

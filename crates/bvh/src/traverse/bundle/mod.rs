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
pub mod bundle_doubts;
pub mod bundle_hull;
pub mod bundle_leaf;
pub(in crate::traverse) mod bundle_target;
pub mod bundle_trial;
pub mod bundle_walk;
pub mod ray_bundle;
pub mod ray_lanes;
pub mod ray_window;

use super::interleaved;
use super::late_hits::LateHits;
use super::ray_group::{RayGroup, RayInGroup};
use super::skipped::Skipped;
use super::wanted::Wanted;
use bundle_doubts::{BundleDoubts, SettledDoubts};
use bundle_leaf::{BundleProgress, MeshBundle};
use bundle_target::BundleTarget;
use bundle_trial::Trial;
use bundle_walk::{Stack, walk};
use estoc_core::exact::Touch;
use estoc_core::{PrimId, Queue, Ray, RayKind, RayTest, Technique, TechniqueCounts};
use fearless_simd::{Level, Simd, SimdBase, f32x16};
use ray_bundle::Bundle;
use ray_window::{NumberedRay, Window};

/// The largest number of rays in a bundle.
pub const LANES: usize = 16;
/// Fewer rays traverse alone from the start.
const FEWEST: usize = 4;
/// The number of rays outside of bundles that are interleaved together: those of the usual chunk.
const ALONE: usize = 4096;

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
pub(super) struct BundleRoom<'r, R = Ray, T = Touch> {
    bundle: Bundle<'r, R>,
    stack: Stack,
    progress: BundleProgress,
    doubts: BundleDoubts<T>,
    /// Rays that are in no bundle, to be interleaved.
    alone: Vec<NumberedRay<'r, R>>,
}

impl<R, T: Copy> BundleRoom<'_, R, T> {
    /// Returns them on the heap: they are too large for the stacks of some threads.
    pub(super) fn new() -> Box<Self> {
        Box::new(BundleRoom {
            bundle: Bundle::new(),
            stack: Stack::new(),
            progress: BundleProgress::new(),
            doubts: BundleDoubts::new(),
            alone: Vec::with_capacity(ALONE + LANES),
        })
    }
}

/// Traverses with these rays, or with all rays of a queue, in bundles of rays of one octant.
///
/// Returns `None`, and takes no ray, where interleaving is no slower.
#[inline(never)]
pub(super) fn bundles<'r, R: RayInGroup, T: BundleTarget<R>, W: Wanted>(
    wanted: W,
    target: T,
    level: Level,
    given: Option<&[NumberedRay<'r, R>]>,
    room: &mut BundleRoom<'r, R, T::Touch>,
    queue: &mut Queue<'r, T::Primitive, R>,
) -> Option<TechniqueCounts> {
    let tree = target.tree();
    if tree.nodes.is_empty() {
        return None;
    }
    let mut bundles = Bundles {
        wanted,
        target,
        level,
        window: Window::of(given),
        room,
        late: LateHits::new(),
        trial: Trial::new(tree.nodes.bytes() + tree.leaves.bytes()),
        counts: TechniqueCounts::default(),
    };
    loop {
        let is_done = match bundles.trial.is_alone() {
            true => bundles.take_alone(queue),
            false => super::for_many!(level, simd => bundles.trace_next(simd, queue))?,
        };
        if is_done || bundles.room.alone.len() >= ALONE {
            bundles.interleave(queue);
        }
        if is_done {
            let Bundles { late, counts, .. } = &mut bundles;
            super::for_many!(level, simd => {
                target.complete_late(simd, target.tree().view(), late, queue);
            })?;
            return Some(*counts);
        }
    }
}

struct Bundles<'b, 'g, 'r, R: RayInGroup, T: BundleTarget<R>, W> {
    wanted: W,
    target: T,
    level: Level,
    window: Window<'g, 'r, R>,
    room: &'b mut BundleRoom<'r, R, T::Touch>,
    late: LateHits<'r, R>,
    trial: Trial,
    counts: TechniqueCounts,
}

impl<'r, R: RayInGroup, T: BundleTarget<R>, W: Wanted> Bundles<'_, '_, 'r, R, T, W> {
    /// Traces bundles while they pay and no list is full. Returns whether no ray is left.
    #[inline(always)]
    fn trace_next<S: Simd>(&mut self, simd: S, queue: &mut Queue<'r, T::Primitive, R>) -> bool {
        while !self.trial.is_alone() && self.room.alone.len() < ALONE {
            if !self.trace_bundle(simd, queue) {
                return true;
            }
        }
        false
    }

    /// Traces the next bundle, or collects its rays if it is none. Returns whether there was any.
    #[inline(never)]
    fn trace_bundle<S: Simd>(&mut self, simd: S, queue: &mut Queue<'r, T::Primitive, R>) -> bool {
        simd.vectorize(
            #[inline(always)]
            || self.trace_bundle_with(simd, queue),
        )
    }

    #[inline(always)]
    fn trace_bundle_with<S: Simd>(
        &mut self,
        simd: S,
        queue: &mut Queue<'r, T::Primitive, R>,
    ) -> bool {
        let BundleRoom {
            bundle,
            stack,
            progress,
            doubts,
            alone,
        } = &mut *self.room;
        bundle.rays.clear();
        let Some(fit) = self.window.next(queue, &mut bundle.rays) else {
            return false;
        };
        if !fit || bundle.rays.len() < FEWEST {
            alone.extend(bundle.rays.iter().copied());
            return true;
        }
        let target = self.target;
        target.prepare_bundle(simd, bundle);
        if bundle.ready != 0 {
            let tree = target.tree();
            progress.begin(skipped(&bundle.rays, queue));
            doubts.begin();
            let mut visitor = MeshBundle {
                wanted: self.wanted,
                tree,
                leaves: tree.view(),
                progress,
                doubts: SettledDoubts {
                    target,
                    rays: &bundle.rays,
                    doubts,
                },
            };
            let lanes = (&mut bundle.lanes, bundle.ready);
            let shared = walk(simd, self.wanted, &tree.nodes, lanes, stack, &mut visitor);
            self.trial.take(shared);
            let rays = bundle.ready.count_ones() as usize;
            self.counts += TechniqueCounts::of(Technique::Bundles, rays);
            let found = (&*progress, &*doubts, &mut self.late);
            answer::<S, R, T, W>(simd, target, bundle, found, queue);
        }
        let mut unfit = bundle.all() & !bundle.ready;
        while unfit != 0 {
            let lane = unfit.trailing_zeros() as usize;
            unfit &= unfit - 1;
            alone.push(bundle.rays[lane]);
        }
        true
    }

    /// Collects rays while bundles do not pay and the list is not full. Returns whether no ray is left.
    fn take_alone(&mut self, queue: &mut Queue<'r, T::Primitive, R>) -> bool {
        let alone = &mut self.room.alone;
        let before = alone.len();
        let most = (self.trial.alone() as usize).min(ALONE - before);
        alone.extend(self.window.alone(queue).take(most));
        let taken = alone.len() - before;
        self.trial.pass(taken as u32);
        taken < most
    }

    /// Traces the rays that were collected.
    fn interleave(&mut self, queue: &mut Queue<'r, T::Primitive, R>) {
        let alone = &mut self.room.alone;
        if alone.is_empty() {
            return;
        }
        let mut group = RayGroup::of_taken(alone);
        let asked = interleaved(self.wanted, self.target, self.level, queue, &mut group);
        debug_assert!(asked.is_some(), "there are kernels for both or for none");
        self.counts += TechniqueCounts::of(Technique::Interleaved, alone.len());
        alone.clear();
    }
}

/// Returns the triangles that rays skip.
#[inline(always)]
fn skipped<'r, R: RayKind, P: RayTest<R, Id = PrimId>>(
    rays: &[NumberedRay<'r, R>],
    queue: &Queue<'r, P, R>,
) -> [Skipped; LANES] {
    let mut skipped = [Skipped::NONE; LANES];
    for (to, &(place, _)) in skipped.iter_mut().zip(rays) {
        *to = Skipped::of(queue.hit_rule(place)).unwrap_or(Skipped::NONE);
    }
    skipped
}

/// Completes the rays.
#[inline(always)]
fn answer<'r, S: Simd, R: RayInGroup, T: BundleTarget<R>, W: Wanted>(
    simd: S,
    target: T,
    bundle: &Bundle<'r, R>,
    (progress, doubts, late): (
        &BundleProgress,
        &BundleDoubts<T::Touch>,
        &mut LateHits<'r, R>,
    ),
    queue: &mut Queue<'r, T::Primitive, R>,
) {
    let leaves = target.tree().view();
    let mut lanes = bundle.ready;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % LANES;
        lanes &= lanes - 1;
        let ray = bundle.rays[lane];
        match W::FIRST {
            true => {
                let found = (progress.kept(lane), doubts.of(lane));
                target.complete_kept(simd, leaves, ray, found, late, queue);
            }
            false => queue.counted(ray.0, (progress.done >> lane & 1) as usize),
        }
    }
}

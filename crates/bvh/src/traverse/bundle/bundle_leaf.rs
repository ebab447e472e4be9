//! What the rays of a bundle have found in a mesh so far, and their leaf tests.
//!
//! A leaf is tested by the test of plain rays with one triangle after the other, rays in the lanes, or where
//! these are few, with one ray after the other, triangles in the lanes, without branches; and again with
//! branches for a ray of which that leaves something open.

use super::bundle_walk::BundleVisitor;
use super::ray_lanes::RayLanes;
use super::{LANES, Lanes, load, store};
use crate::traverse::kernel_ray::{grant, grant_all};
use crate::traverse::leaf_block::with_block;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::plain_ray::leaf::{SpanRay, spans, wide_spans};
use crate::traverse::prefetch::Ahead;
use crate::traverse::single_walk::descend;
use crate::traverse::skipped::Skipped;
use crate::traverse::t_spans::Passed;
use crate::traverse::wanted::Wanted;
use crate::wide::{LeafView, Tag, WIDTH, WideTree};
use core::ops::ControlFlow;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, mask32x16, u32x16};

/// What a ray met in the last leaf.
#[derive(Clone, Copy)]
struct LaneSpans {
    from: [f32; WIDTH],
    to: [f32; WIDTH],
    certain: u32,
}

/// The nearest hits of rays.
#[repr(C, align(64))]
struct KeptLanes {
    from: Lanes,
    to: Lanes,
    names: [[u32; LANES]; 2],
}

impl KeptLanes {
    const NONE: KeptLanes = KeptLanes {
        from: [f32::INFINITY; LANES],
        to: [f32::INFINITY; LANES],
        names: [[0; LANES]; 2],
    };

    #[inline(always)]
    fn get(&self, lane: usize) -> NearestCertain {
        let lane = lane % LANES;
        let name = [self.names[0][lane], self.names[1][lane]];
        NearestCertain::named(name, self.from[lane], self.to[lane])
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, kept: NearestCertain) {
        let lane = lane % LANES;
        [self.names[0][lane], self.names[1][lane]] = kept.name();
        (self.from[lane], self.to[lane]) = (kept.from(), kept.limit());
    }
}

/// What is done about leaves whose hits are not all certain, or not in their order.
pub(in crate::traverse) trait LaneDoubts {
    /// Returns the nearest hit of the ray of a lane after the triangles of a leaf, of which those in `maybe`
    /// may be hit; `None` if the ray wants no more.
    fn settle<S: Simd>(
        &mut self,
        simd: S,
        lane: usize,
        found: (NearestCertain, u32, usize, usize),
    ) -> Option<NearestCertain>;

    /// Returns whether the ray of a lane hits any triangle of those in `maybe`, of the leaf at `first`.
    fn any<S: Simd>(&mut self, simd: S, lane: usize, leaf: (u32, usize, usize)) -> bool;
}

/// What the rays of a bundle have found so far.
pub struct BundleProgress {
    /// The rays that want no more, as bits: where any hit suffices, those that have one.
    pub done: u32,
    /// For first hits: the nearest ones.
    kept: KeptLanes,
    met: [LaneSpans; LANES],
    /// The triangles that the rays skip, and whether there are any.
    skipped: [Skipped; LANES],
    skips: bool,
}

impl BundleProgress {
    pub fn new() -> Self {
        BundleProgress {
            done: 0,
            kept: KeptLanes::NONE,
            met: [LaneSpans {
                from: [0.0; WIDTH],
                to: [0.0; WIDTH],
                certain: 0,
            }; LANES],
            skipped: [Skipped::NONE; LANES],
            skips: false,
        }
    }

    /// Forgets what other rays have found; these skip the given triangles.
    #[inline(always)]
    pub(in crate::traverse) fn begin(&mut self, skipped: [Skipped; LANES]) {
        self.skipped = skipped;
        self.skips = skipped.iter().any(|&skipped| skipped != Skipped::NONE);
        self.kept = KeptLanes::NONE;
        self.done = 0;
    }

    /// Returns the nearest hit of the ray of a lane, where first hits are wanted.
    #[inline(always)]
    pub(in crate::traverse) fn kept(&self, lane: usize) -> NearestCertain {
        self.kept.get(lane)
    }

    /// Returns the triangles of a leaf that the ray of a lane does not skip.
    #[inline(always)]
    fn leave<S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        lane: usize,
        leaf: (usize, usize),
        passed: Passed,
    ) -> Passed {
        match self.skips {
            true => self.skipped[lane].leave(simd, leaves, leaf, passed),
            false => passed,
        }
    }
}

/// The traversal of a mesh's tree with a bundle.
pub(in crate::traverse) struct MeshBundle<'a, W, D> {
    pub wanted: W,
    pub tree: &'a WideTree,
    pub leaves: LeafView<'a>,
    pub progress: &'a mut BundleProgress,
    pub doubts: D,
}

impl<S: Simd, W: Wanted, D: LaneDoubts> BundleVisitor<S> for MeshBundle<'_, W, D> {
    #[inline(always)]
    fn done(&self) -> u32 {
        self.progress.done
    }

    #[inline(always)]
    fn visit_leaf(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        leaf: (usize, usize),
        _: f32,
    ) -> u32 {
        let mut nearer = 0;
        let mut lanes = self.visit_together(simd, rays, lanes, leaf, &mut nearer);
        lanes = match lanes & lanes.wrapping_sub(1) {
            0 => lanes,
            _ if W::FIRST => self.keep_most(simd, rays, lanes, leaf, &mut nearer),
            _ => self.visit_most(simd, rays, lanes, leaf),
        };
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % LANES;
            lanes &= lanes - 1;
            let before = rays.limit[lane];
            let limit = self.visit(simd, lane, &rays.leaf_ray(lane), leaf, before);
            if W::FIRST && limit < before {
                rays.limit[lane] = limit;
                nearer |= 1 << lane;
            }
        }
        nearer
    }

    #[inline(never)]
    fn go_alone(&mut self, simd: S, rays: &mut RayLanes, lane: usize, place: u32) {
        simd.vectorize(
            #[inline(always)]
            || {
                let ray = rays.plain(simd, lane);
                let leaf_ray = rays.leaf_ray(lane);
                let start = (rays.limit[lane % LANES], Tag::NODE, place);
                let nodes = (&self.tree.nodes[..], Ahead::Next);
                let wanted = self.wanted;
                let _ = descend(
                    simd,
                    wanted,
                    nodes,
                    &ray,
                    start,
                    &(),
                    #[inline(always)]
                    |simd: S, leaf: (usize, usize), limit: f32| {
                        let limit = self.visit(simd, lane, &leaf_ray, leaf, limit);
                        if W::FIRST {
                            rays.limit[lane % LANES] = limit;
                        }
                        match self.progress.done >> lane & 1 {
                            0 => ControlFlow::Continue(limit),
                            _ => ControlFlow::Break(()),
                        }
                    },
                );
            },
        );
    }
}

impl<W: Wanted, D: LaneDoubts> MeshBundle<'_, W, D> {
    /// Visits a leaf with those of these rays that have the longest axis of the first, if they are more than its
    /// triangles and first hits are wanted. Any hits would take 2 to 6 % longer. Returns the others, and those of which something is left open, and adds the rays whose limit
    /// has changed to `nearer`.
    #[inline(always)]
    fn visit_together<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        leaf: (usize, usize),
        nearer: &mut u32,
    ) -> u32 {
        let (leaves, progress) = (self.leaves, &mut *self.progress);
        let (first, len) = leaf;
        let most = len as u32;
        if !W::FIRST || progress.skips || lanes.count_ones() <= most {
            return lanes;
        }
        let same = rays.with_axis_of_first(simd, lanes);
        if same.count_ones() <= most {
            return lanes;
        }
        with_block(
            simd,
            leaves,
            leaf,
            #[inline(always)]
            |block| {
                let mut open = 0;
                let (mut from, mut to) = (
                    load(simd, &progress.kept.from),
                    load(simd, &progress.kept.to),
                );
                let mut at = u32x16::splat(simd, 0);
                let mut met = 0;
                for place in 0..len % (WIDTH + 1) {
                    let spans = rays.spans(simd, block, place, same);
                    let Passed { maybe, certain } = spans.passed;
                    open |= maybe & !certain;
                    if certain == 0 {
                        continue;
                    }
                    let is_nearer = spans.to.simd_lt(from);
                    let is_unclear = !is_nearer & spans.from.simd_le(to);
                    open |= certain & is_unclear.to_bitmask() as u32;
                    let certain = mask32x16::from_bitmask(simd, certain.into());
                    let taken = certain & is_nearer;
                    met |= taken.to_bitmask() as u32;
                    from = taken.select(spans.from, from);
                    to = taken.select(spans.to, to);
                    at = taken.select(u32x16::splat(simd, (len << 8 | place) as u32), at);
                }
                met &= !open;
                if met != 0 {
                    let taken = mask32x16::from_bitmask(simd, met.into());
                    let kept = &mut progress.kept;
                    let before = [load(simd, &kept.from), load(simd, &kept.to)];
                    store(&mut kept.from, taken.select(from, before[0]));
                    store(&mut kept.to, taken.select(to, before[1]));
                    let [firsts, places] = &mut kept.names;
                    let before = u32x16::load_array_ref(simd, firsts);
                    let name = u32x16::splat(simd, first as u32);
                    taken.select(name, before).store_array(firsts);
                    let before = u32x16::load_array_ref(simd, places);
                    taken.select(at, before).store_array(places);
                    let before = rays.limits(simd);
                    let limit = taken.select(grant_all(simd, to).min(before), before);
                    *nearer |= limit.simd_lt(before).to_bitmask() as u32;
                    store(&mut rays.limit, limit);
                }
                lanes & !same | open
            },
        )
    }

    /// Visits a leaf with the rays for which that is decided quickly. Returns the others, as bits.
    ///
    /// What a ray meets is hard to predict: a loop without branches computes several rays at once.
    #[inline(always)]
    fn visit_most<S: Simd>(
        &mut self,
        simd: S,
        rays: &RayLanes,
        lanes: u32,
        leaf: (usize, usize),
    ) -> u32 {
        let (leaves, progress) = (self.leaves, &mut *self.progress);
        with_block(
            simd,
            leaves,
            leaf,
            #[inline(always)]
            |block| {
                let (mut left, mut hit, mut unsure) = (lanes, 0, 0);
                while left != 0 {
                    let lane = left.trailing_zeros() as usize % LANES;
                    left &= left - 1;
                    let passed =
                        wide_spans(simd, block, &rays.leaf_ray(lane), rays.limit[lane]).passed;
                    let passed = progress.leave(simd, leaves, lane, leaf, passed);
                    hit |= u32::from(passed.certain != 0) << lane;
                    unsure |= u32::from(passed.maybe != 0) << lane;
                }
                progress.done |= hit;
                unsure & !hit
            },
        )
    }

    /// Does what [`visit_most`](Self::visit_most) does for first hits, and adds the rays whose limit
    /// has changed to `nearer`.
    #[inline(always)]
    fn keep_most<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        leaf: (usize, usize),
        nearer: &mut u32,
    ) -> u32 {
        let (leaves, progress) = (self.leaves, &mut *self.progress);
        let (mut hit, mut unsure) = with_block(
            simd,
            leaves,
            leaf,
            #[inline(always)]
            |block| {
                let (mut left, mut hit, mut unsure) = (lanes, 0, 0);
                while left != 0 {
                    let lane = left.trailing_zeros() as usize % LANES;
                    left &= left - 1;
                    let spans = wide_spans(simd, block, &rays.leaf_ray(lane), rays.limit[lane]);
                    let Passed { maybe, certain } =
                        progress.leave(simd, leaves, lane, leaf, spans.passed);
                    let met = &mut progress.met[lane];
                    spans.from.store_array(&mut met.from);
                    spans.to.store_array(&mut met.to);
                    met.certain = certain;
                    hit |= u32::from(certain != 0) << lane;
                    unsure |= u32::from(maybe != certain) << lane;
                }
                (hit, unsure)
            },
        );
        hit &= !unsure;
        while hit != 0 {
            let lane = hit.trailing_zeros() as usize % LANES;
            hit &= hit - 1;
            let LaneSpans { from, to, certain } = &progress.met[lane];
            let Some(kept) = progress
                .kept
                .get(lane)
                .and_certain(*certain, from, to, leaf)
            else {
                unsure |= 1 << lane;
                continue;
            };
            progress.kept.set(lane, kept);
            let limit = grant(kept.limit());
            if limit < rays.limit[lane] {
                rays.limit[lane] = limit;
                *nearer |= 1 << lane;
            }
        }
        unsure
    }

    /// Visits a leaf with the ray of one lane. Returns the limit, perhaps lowered.
    #[inline(always)]
    fn visit<S: Simd>(
        &mut self,
        simd: S,
        lane: usize,
        leaf_ray: &SpanRay,
        (first, len): (usize, usize),
        limit: f32,
    ) -> f32 {
        let (leaves, progress) = (self.leaves, &mut *self.progress);
        let lane = lane % LANES;
        let mut spans = with_block(
            simd,
            leaves,
            (first, len),
            #[inline(always)]
            |block| spans(simd, block, leaf_ray, limit),
        );
        if spans.passed.maybe == 0 {
            return limit;
        }
        spans.passed = progress.leave(simd, leaves, lane, (first, len), spans.passed);
        let maybe = spans.passed.maybe;
        if maybe == 0 {
            return limit;
        }
        if !W::FIRST {
            if spans.passed.certain != 0 || self.doubts.any(simd, lane, (maybe, first, len)) {
                progress.done |= 1 << lane;
            }
            return limit;
        }
        let before = progress.kept.get(lane);
        let kept = before.and(&spans, first, len);
        let kept = match kept {
            Some(kept) => kept,
            None => match self.doubts.settle(simd, lane, (before, maybe, first, len)) {
                Some(kept) => kept,
                None => {
                    progress.done |= 1 << lane;
                    return limit;
                }
            },
        };
        progress.kept.set(lane, kept);
        let nearer = grant(kept.limit());
        if nearer < limit { nearer } else { limit }
    }
}

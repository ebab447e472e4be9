//! What the rays of a bundle have found so far, and their leaf tests.
//!
//! A leaf is tested with one ray after the other, its triangles in the lanes: by the test of plain
//! rays, without branches, and again with branches for a ray of which that leaves something open.

use super::LANES;
use super::ray_bundle::Bundle;
use crate::traverse::kernel_ray::grant;
use crate::traverse::leaf_block::with_block;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::plain_ray::doubts::{self, CROWD, Doubts};
use crate::traverse::plain_ray::hit_of;
use crate::traverse::plain_ray::leaf::{SpanRay, spans, wide_spans};
use crate::traverse::skipped::Skipped;
use crate::traverse::t_spans::Passed;
use crate::traverse::wanted::Wanted;
use crate::wide::{LeafView, WIDTH, WideTree};
use estoc_core::{Hit, Ray};
use fearless_simd::{Simd, SimdBase};

/// What a ray met in the last leaf.
#[derive(Clone, Copy)]
struct LaneSpans {
    from: [f32; WIDTH],
    to: [f32; WIDTH],
    certain: u32,
}

/// What the rays of a bundle have found so far.
pub struct BundleProgress {
    /// The rays that have a hit where any one suffices, as bits.
    pub done: u32,
    /// For first hits: the nearest ones, and what is known of rays with doubts, given as bits.
    kept: [NearestCertain; LANES],
    doubts: [Doubts; LANES],
    doubted: u32,
    /// For any hit: by ray, the number of triangles in doubt of one leaf from which those parallel
    /// to the ray are dropped first.
    crowd: [u32; LANES],
    met: [LaneSpans; LANES],
    /// The triangles that the rays skip, and whether there are any.
    skipped: [Skipped; LANES],
    skips: bool,
}

impl BundleProgress {
    pub fn new() -> Self {
        BundleProgress {
            done: 0,
            kept: [NearestCertain::NONE; LANES],
            doubts: core::array::from_fn(|_| Doubts::new()),
            doubted: 0,
            crowd: [CROWD; LANES],
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
    pub(super) fn begin(&mut self, skipped: [Skipped; LANES]) {
        self.skipped = skipped;
        self.skips = skipped.iter().any(|&skipped| skipped != Skipped::NONE);
        self.kept = [NearestCertain::NONE; LANES];
        self.crowd = [CROWD; LANES];
        (self.done, self.doubted) = (0, 0);
    }

    /// Visits a leaf with all of these rays. Returns those whose limit may have changed, as bits.
    #[inline(always)]
    pub(super) fn visit_all<S: Simd, W: Wanted>(
        &mut self,
        simd: S,
        tree: &WideTree,
        leaves: LeafView<'_>,
        bundle: &mut Bundle<'_>,
        lanes: u32,
        leaf: (usize, usize),
    ) -> u32 {
        let mut nearer = 0;
        let mut lanes = match lanes & (lanes - 1) {
            0 => lanes,
            _ if W::FIRST => self.keep_most(simd, leaves, bundle, lanes, leaf, &mut nearer),
            _ => self.visit_most(simd, leaves, bundle, lanes, leaf),
        };
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % LANES;
            lanes &= lanes - 1;
            let leaf_ray = bundle.leaf_ray(lane);
            let ray = (bundle.rays[lane].1.ray(), &leaf_ray);
            let before = bundle.limit[lane];
            let limit = self.visit::<S, W>(simd, tree, leaves, (lane, ray), leaf, before);
            if W::FIRST && limit < before {
                bundle.limit[lane] = limit;
                nearer |= 1 << lane;
            }
        }
        nearer
    }

    /// Visits a leaf with the rays for which that is decided quickly. Returns the others, as bits.
    ///
    /// What a ray meets is hard to predict: a loop without branches computes several rays at once.
    #[inline(always)]
    fn visit_most<S: Simd>(
        &mut self,
        simd: S,
        leaves: LeafView<'_>,
        bundle: &Bundle<'_>,
        lanes: u32,
        leaf: (usize, usize),
    ) -> u32 {
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
                    let ray = bundle.leaf_ray(lane);
                    let passed = wide_spans(simd, block, &ray, ray.t_max).passed;
                    let passed = self.leave(simd, leaves, lane, leaf, passed);
                    hit |= u32::from(passed.certain != 0) << lane;
                    unsure |= u32::from(passed.maybe != 0) << lane;
                }
                self.done |= hit;
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
        leaves: LeafView<'_>,
        bundle: &mut Bundle<'_>,
        lanes: u32,
        leaf: (usize, usize),
        nearer: &mut u32,
    ) -> u32 {
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
                    let spans = wide_spans(simd, block, &bundle.leaf_ray(lane), bundle.limit[lane]);
                    let Passed { maybe, certain } =
                        self.leave(simd, leaves, lane, leaf, spans.passed);
                    let met = &mut self.met[lane];
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
            let LaneSpans { from, to, certain } = &self.met[lane];
            let Some(kept) = self.kept[lane].and_certain(*certain, from, to, leaf) else {
                unsure |= 1 << lane;
                continue;
            };
            self.kept[lane] = kept;
            let limit = grant(kept.limit());
            if limit < bundle.limit[lane] {
                bundle.limit[lane] = limit;
                *nearer |= 1 << lane;
            }
        }
        unsure
    }

    /// Visits a leaf with the ray of one lane. Returns the limit, perhaps lowered.
    #[inline(always)]
    pub(super) fn visit<S: Simd, W: Wanted>(
        &mut self,
        simd: S,
        tree: &WideTree,
        leaves: LeafView<'_>,
        (lane, (ray, leaf_ray)): (usize, (&Ray, &SpanRay)),
        (first, len): (usize, usize),
        limit: f32,
    ) -> f32 {
        let lane = lane % LANES;
        let reach = if W::FIRST { limit } else { leaf_ray.t_max };
        let mut spans = with_block(
            simd,
            leaves,
            (first, len),
            #[inline(always)]
            |block| spans(simd, block, leaf_ray, reach),
        );
        if spans.passed.maybe == 0 {
            return limit;
        }
        spans.passed = self.leave(simd, leaves, lane, (first, len), spans.passed);
        let maybe = spans.passed.maybe;
        if maybe == 0 {
            return limit;
        }
        if !W::FIRST {
            let leaf = (maybe, first, len);
            if spans.passed.certain != 0 {
                self.done |= 1 << lane;
            } else {
                match doubts::any(simd, tree, ray, leaf, self.crowd[lane]) {
                    None => self.done |= 1 << lane,
                    Some(now) => self.crowd[lane] = now,
                }
            }
            return limit;
        }
        let kept = match self.kept[lane].and(&spans, first, len) {
            Some(kept) => kept,
            None => {
                if self.doubted >> lane & 1 == 0 {
                    self.doubts[lane] = Doubts::new();
                    self.doubted |= 1 << lane;
                }
                let leaf = (self.kept[lane], maybe, first, len);
                self.doubts[lane].settle(simd, tree, ray, leaf)
            }
        };
        self.kept[lane] = kept;
        let nearer = grant(kept.limit());
        if nearer < limit { nearer } else { limit }
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

    /// Returns the first hit of the ray of a lane.
    #[inline(always)]
    pub(super) fn hit<S: Simd>(
        &self,
        simd: S,
        tree: &WideTree,
        leaves: LeafView<'_>,
        (lane, ray): (usize, &Ray),
    ) -> Option<Hit> {
        let lane = lane % LANES;
        let none = Doubts::new();
        let doubts = match self.doubted >> lane & 1 {
            0 => &none,
            _ => &self.doubts[lane],
        };
        hit_of(simd, tree, leaves, ray, (self.kept[lane], doubts))
    }
}

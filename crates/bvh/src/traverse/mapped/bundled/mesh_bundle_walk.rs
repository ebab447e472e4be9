//! Traversal of a mesh's tree with rays of another space, which share it.

use super::bundle_descent::{BundleVisitor, visit_parts};
use super::kernel_lanes::{KernelLanes, Unit};
use super::lanes_leaf::lanes_leaf;
use super::mapped_rays::MappedRays;
use super::{BundleState, BundleTriangleSink};
use crate::traverse::bundle::bundle_walk::Item;
use crate::traverse::bundle::{LANES, Lanes};
use crate::traverse::leaf_block::with_block;
use crate::traverse::leaf_ray::LeafRay;
use crate::traverse::leaf_test::leaf_test;
use crate::traverse::mapped::TriangleSink;
use crate::traverse::mapped::mapped_walk;
use crate::wide::{LeafView, Tag, WIDTH, WideTree};
use core::ops::ControlFlow;
use estoc_core::{HitRule, PrimId, Triangle};
use fearless_simd::{Level, Simd, SimdBase, f32x16};

/// Offers every triangle that these rays may hit up to their limits, nearer boxes first. Returns the rays
/// with which nothing was done, as bits: those that are unfit for this, or for `f32`.
pub(crate) fn visit_bundled(
    tree: &WideTree,
    level: Level,
    rays: (&MappedRays, u32),
    state: &mut BundleState,
    sink: &mut dyn BundleTriangleSink,
) -> u32 {
    let unit = Unit {
        origin: [0.0; 3],
        exponent: tree.scale.exponent(),
        reach: tree.measures.reach,
    };
    let leaves = tree.view();
    let mut visitor = TriangleBundleVisitor { tree, leaves, sink };
    visit_parts(level, &tree.nodes, rays, &unit, state, &mut visitor)
}

struct TriangleBundleVisitor<'a> {
    tree: &'a WideTree,
    leaves: LeafView<'a>,
    sink: &'a mut dyn BundleTriangleSink,
}

impl BundleVisitor for TriangleBundleVisitor<'_> {
    const FEW: u32 = 2;

    #[inline(always)]
    fn visit_leaf<S: Simd>(
        &mut self,
        simd: S,
        rays: &KernelLanes,
        item: Item,
        limits: f32x16<S>,
        state: &mut BundleState,
    ) -> bool {
        let (lanes, first, len) = (item.lanes, item.place as usize, Tag::of(item.key).len());
        // By triangle, the rays that may hit it.
        let found = with_block(
            simd,
            self.leaves,
            (first, len),
            #[inline(always)]
            |block| match lanes.count_ones() as usize >= len {
                true => lanes_leaf(simd, block, rays, lanes, limits),
                false => {
                    let mut of_lane: Lanes = [0.0; LANES];
                    limits.store_array(&mut of_lane);
                    let (mut found, mut left) = ([0u32; WIDTH], lanes);
                    while left != 0 {
                        let lane = left.trailing_zeros() as usize % LANES;
                        left &= left - 1;
                        let ray = LeafRay::of(&rays.ray(lane));
                        let mut hits = leaf_test(simd, block, &ray, of_lane[lane]);
                        while hits != 0 {
                            found[hits.trailing_zeros() as usize % WIDTH] |= 1 << lane;
                            hits &= hits - 1;
                        }
                    }
                    found
                }
            },
        );
        let mut has_offered = false;
        for (place, lanes) in found.into_iter().enumerate().take(len) {
            let mut lanes = lanes & !state.done;
            if lanes == 0 {
                continue;
            }
            has_offered = true;
            let (prim, triangle) = self.leaves.triangle(first, len, place);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                state.record(lane, self.sink.offer(lane, prim, &triangle));
            }
        }
        has_offered
    }

    fn go_alone<S: Simd>(
        &mut self,
        simd: S,
        rays: &KernelLanes,
        (lane, place): (usize, u32),
        state: &mut BundleState,
    ) {
        let t_limit = state.t_limit[lane % LANES];
        let sink = &mut *self.sink;
        let mut sink = OneLane { sink, lane };
        let (ray, start) = (rays.ray(lane), (Tag::NODE, place));
        let visited = mapped_walk::walk(simd, self.tree, &ray, start, t_limit, &mut sink);
        state.record(lane, visited);
    }
}

/// The sink of one ray.
struct OneLane<'a> {
    sink: &'a mut dyn BundleTriangleSink,
    lane: usize,
}

impl TriangleSink for OneLane<'_> {
    fn counts(&self) -> Option<(bool, HitRule<PrimId>)> {
        self.sink.counts(self.lane)
    }

    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        self.sink.offer(self.lane, prim, triangle)
    }

    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        self.sink.count(self.lane, hits)
    }
}

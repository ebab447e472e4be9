//! Traversal of a mesh's tree with rays of another space, which share it.

use super::kernel_lanes::{KernelLanes, Unit};
use super::lanes_leaf::lanes_leaf;
use super::mapped_rays::MappedRays;
use super::{BundleState, BundleTriangleSink};
use crate::traverse::bundle::bundle_walk::push_children;
use crate::traverse::bundle::{LANES, Lanes};
use crate::traverse::leaf_block::with_block;
use crate::traverse::leaf_ray::LeafRay;
use crate::traverse::leaf_test::leaf_test;
use crate::traverse::mapped::TriangleSink;
use crate::traverse::mapped::mapped_walk;
use crate::traverse::wanted::Closest;
use crate::wide::{LeafView, Tag, WIDTH, WideTree};
use estoc_core::{PrimId, Triangle};
use fearless_simd::{Level, Simd, SimdBase, f32x16};

/// At most this many rays go on alone, each to the end of the subtree.
const FEW: u32 = 2;

/// Offers every triangle that these rays may hit up to their limits, nearer boxes first. Returns the rays
/// with which nothing was done, as bits: those that are unfit for this, or for `f32`.
pub(crate) fn visit_bundled(
    tree: &WideTree,
    level: Level,
    (rays, lanes): (&MappedRays, u32),
    state: &mut BundleState,
    sink: &mut dyn BundleTriangleSink,
) -> u32 {
    if tree.nodes.is_empty() {
        return 0;
    }
    let unit = Unit {
        origin: [0.0; 3],
        exponent: tree.scale.exponent(),
        reach: tree.measures.reach,
    };
    let Some(mut kernel) = state.kernels.pop() else {
        return lanes;
    };
    let left = crate::traverse::for_many!(level, simd => {
        kernel.in_parts(
            simd,
            (rays, lanes),
            &unit,
            state,
            #[inline(always)]
            |rays, part, limits, state| walk(simd, tree, rays, part, limits, state, sink),
        )
    });
    state.kernels.push(kernel);
    left.unwrap_or(lanes)
}

#[inline(always)]
fn walk<S: Simd>(
    simd: S,
    tree: &WideTree,
    rays: &KernelLanes,
    part: u32,
    mut limits: f32x16<S>,
    state: &mut BundleState,
    sink: &mut dyn BundleTriangleSink,
) {
    let leaves = tree.view();
    let bottom = state.stack.len();
    let mut limit = rays.hull.limit;
    let (mut tag, mut place, mut lanes) = (Tag::NODE, 0, part);
    loop {
        let mut has_offered = false;
        if tag.len() > 0 {
            state.shared.visit(lanes);
            let leaf = (place as usize, tag.len());
            has_offered = visit_leaf(simd, leaves, rays, (lanes, limits), leaf, state, sink);
        } else if lanes.count_ones() <= FEW {
            state.shared.traverse_alone(lanes);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                alone(simd, tree, rays, lane, place, state, sink);
            }
            has_offered = true;
        } else {
            state.shared.visit(lanes);
            let node = &tree.nodes[place as usize];
            let of = (&rays.boxes, &rays.hull);
            push_children(
                simd,
                Closest,
                node,
                of,
                lanes,
                (limits, limit),
                &mut state.stack,
            );
        }
        if has_offered {
            limits = rays.limits(simd, &state.t_limit);
            limit = rays.largest(simd, part & !state.done, limits);
        }
        let Some(item) = state.next(bottom, limit) else {
            return;
        };
        (tag, place, lanes) = (Tag::of(item.key), item.place, item.lanes);
    }
}

/// Visits a leaf. Returns whether a limit may have changed.
#[inline(always)]
fn visit_leaf<S: Simd>(
    simd: S,
    leaves: LeafView<'_>,
    rays: &KernelLanes,
    (lanes, limits): (u32, f32x16<S>),
    (first, len): (usize, usize),
    state: &mut BundleState,
    sink: &mut dyn BundleTriangleSink,
) -> bool {
    // By triangle, the rays that may hit it.
    let found = with_block(
        simd,
        leaves,
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
        let (prim, triangle) = leaves.triangle(first, len, place);
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            state.record(lane, sink.offer(lane, prim, &triangle));
        }
    }
    has_offered
}

/// Traverses what is below a node with the ray of one lane.
#[inline(never)]
fn alone<S: Simd>(
    simd: S,
    tree: &WideTree,
    rays: &KernelLanes,
    lane: usize,
    place: u32,
    state: &mut BundleState,
    sink: &mut dyn BundleTriangleSink,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sink = OneLane { sink, lane };
            let t_limit = state.t_limit[lane % LANES];
            let start = (Tag::NODE, place);
            let visited = mapped_walk::walk(simd, tree, &rays.ray(lane), start, t_limit, &mut sink);
            state.record(lane, visited);
        },
    );
}

/// The sink of one ray.
struct OneLane<'a> {
    sink: &'a mut dyn BundleTriangleSink,
    lane: usize,
}

impl TriangleSink for OneLane<'_> {
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        self.sink.offer(self.lane, prim, triangle)
    }
}

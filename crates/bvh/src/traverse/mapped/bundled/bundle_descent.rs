//! The traversal of a tree with rays of another space that share it.

use super::BundleState;
use super::kernel_lanes::{KernelLanes, Unit};
use super::mapped_rays::MappedRays;
use crate::traverse::bundle::bundle_walk::{Item, push_children};
use crate::traverse::for_many;
use crate::traverse::wanted::Closest;
use crate::wide::{Node, Tag};
use fearless_simd::{Level, Simd, f32x16};

/// Visits the leaves that rays share.
pub(super) trait BundleVisitor {
    /// At most this many rays go on alone, each to the end of the subtree.
    const FEW: u32;

    /// Visits a leaf with these rays. Returns whether a limit may have changed.
    fn visit_leaf<S: Simd>(
        &mut self,
        simd: S,
        rays: &KernelLanes,
        item: Item,
        limits: f32x16<S>,
        state: &mut BundleState,
    ) -> bool;

    /// Traverses what is below a node with the ray of one lane.
    fn go_alone<S: Simd>(
        &mut self,
        simd: S,
        rays: &KernelLanes,
        (lane, place): (usize, u32),
        state: &mut BundleState,
    ) {
        let _ = (simd, rays, lane, place, state);
    }

    /// Prefetches children that are visited soon.
    #[inline(always)]
    fn prefetch(&self, children: &[Item]) {
        let _ = children;
    }
}

/// Visits every leaf whose box some of these rays, given as bits, may meet up to their limits, nearer ones
/// first. Returns the rays with which nothing was done: those that are unfit for this, or for `f32`.
pub(super) fn visit_parts(
    level: Level,
    nodes: &[Node],
    (mapped, lanes): (&MappedRays, u32),
    unit: &Unit,
    state: &mut BundleState,
    visitor: &mut impl BundleVisitor,
) -> u32 {
    if nodes.is_empty() {
        return 0;
    }
    let Some(mut kernel) = state.kernels.pop() else {
        return lanes;
    };
    let left = for_many!(level, simd => {
        kernel.in_parts(
            simd,
            (mapped, lanes),
            unit,
            state,
            #[inline(always)]
            |rays, part, limits, state| descend(simd, nodes, rays, part, limits, state, visitor),
        )
    });
    state.kernels.push(kernel);
    left.unwrap_or(lanes)
}

#[inline(always)]
fn descend<S: Simd, V: BundleVisitor>(
    simd: S,
    nodes: &[Node],
    rays: &KernelLanes,
    part: u32,
    mut limits: f32x16<S>,
    state: &mut BundleState,
    visitor: &mut V,
) {
    let bottom = state.stack.len();
    let mut limit = rays.hull.limit;
    let mut item = Item {
        key: Tag::NODE.0,
        place: 0,
        lanes: part,
    };
    loop {
        let Item { place, lanes, .. } = item;
        let mut is_nearer = false;
        if Tag::of(item.key).len() > 0 {
            state.shared.visit(lanes);
            is_nearer = visitor.visit_leaf(simd, rays, item, limits, state);
        } else if lanes.count_ones() <= V::FEW {
            state.shared.traverse_alone(lanes);
            let mut left = lanes;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                visitor.go_alone(simd, rays, (lane, place), state);
            }
            is_nearer = true;
        } else {
            state.shared.visit(lanes);
            let node = &nodes[place as usize];
            let of = (&rays.boxes, &rays.hull);
            let before = state.stack.len();
            let stack = &mut state.stack;
            push_children(simd, Closest, node, of, lanes, (limits, limit), stack);
            visitor.prefetch(state.stack.above(before));
        }
        if is_nearer {
            limits = rays.limits(simd, &state.t_limit);
            limit = rays.largest(simd, part & !state.done, limits);
        }
        item = match state.next(bottom, limit) {
            Some(next) => next,
            None => return,
        };
    }
}

//! Traversal of a tree over items with rays that share it.

use super::kernel_lanes::{KernelLanes, Unit};
use super::mapped_rays::MappedRays;
use super::{BundleItemSink, BundleState};
use crate::traverse::bundle::bundle_walk::push_children;
use crate::traverse::mapped::item_walk::LARGE;
use crate::traverse::prefetch;
use crate::traverse::wanted::Closest;
use crate::wide::{ItemTree, Tag};
use fearless_simd::{Level, Simd, f32x16};

/// Offers every item whose box some of these rays may meet up to their limits, nearer ones first. Returns
/// the rays with which nothing was done, as bits: those that are unfit for this, or for `f32`.
pub(crate) fn visit_items_bundled(
    tree: &ItemTree,
    level: Level,
    (mapped, lanes): (&MappedRays, u32),
    state: &mut BundleState,
    sink: &mut dyn BundleItemSink,
) -> u32 {
    if tree.nodes.is_empty() {
        return 0;
    }
    let unit = Unit {
        origin: tree.frame.origin,
        exponent: tree.frame.exponent,
        reach: tree.measures.reach,
    };
    let Some(mut kernel) = state.kernels.pop() else {
        return lanes;
    };
    let left = crate::traverse::for_many!(level, simd => {
        kernel.in_parts(
            simd,
            (mapped, lanes),
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
    tree: &ItemTree,
    rays: &KernelLanes,
    part: u32,
    mut limits: f32x16<S>,
    state: &mut BundleState,
    sink: &mut dyn BundleItemSink,
) {
    let is_large = tree.nodes.len() >= LARGE;
    let bottom = state.stack.len();
    let mut limit = rays.hull.limit;
    let (mut tag, mut place, mut lanes, mut key) = (Tag::NODE, 0, part, 0);
    loop {
        state.shared.visit(lanes);
        if tag.len() == 0 {
            let node = &tree.nodes[place as usize];
            let (of, before) = ((&rays.boxes, &rays.hull), state.stack.len());
            push_children(
                simd,
                Closest,
                node,
                of,
                lanes,
                (limits, limit),
                &mut state.stack,
            );
            if is_large {
                for item in state.stack.above(before) {
                    match Tag::of(item.key).len() {
                        0 => prefetch::node(&tree.nodes, item.place),
                        _ => sink.prefetch(tree.item(item.place as usize)),
                    }
                }
            }
        } else {
            // Without its lowest bits, it is no greater than where the first ray enters the box.
            let entry = rays.own_parameters(f32::from_bits(key & !Tag::BITS));
            sink.enter(tree.item(place as usize), lanes, &entry, state);
            limits = rays.limits(simd, &state.t_limit);
            limit = rays.largest(simd, part & !state.done, limits);
        }
        let Some(item) = state.next(bottom, limit) else {
            return;
        };
        (tag, place, lanes, key) = (Tag::of(item.key), item.place, item.lanes, item.key);
    }
}

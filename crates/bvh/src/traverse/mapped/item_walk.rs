//! Traversals of a tree over items.

use super::mapped_frame::{MappedFrame, MappedRay};
use super::{ItemSink, Visited};
use crate::simd_level::at_level;
use crate::traverse::child_order::nearest_first;
use crate::traverse::kernel_ray::{Frame, KernelRay};
use crate::traverse::leaf_visits::smaller;
use crate::traverse::node_test::node_test;
use crate::traverse::prefetch;
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::TraversalStack;
use crate::wide::{ItemTree, MOST_WAITING, Node, Tag, WIDTH, WideBounds};
use arrayvec::ArrayVec;
use estoc_core::exact::PreparedRay;
use fearless_simd::{Bytes, Level, Simd, SimdBase, SimdMask};

/// Offers every item whose box the ray may meet up to the limit, nearer ones first. Returns `None`, and
/// offers nothing, for a ray that is unfit for `f32`. `own` is the ray if it was given in the space of the
/// items, and not mapped.
pub(crate) fn visit_items(
    tree: &ItemTree,
    level: Level,
    (ray, own): (&MappedRay, Option<&PreparedRay<'_>>),
    t_limit: f64,
    sink: &mut dyn ItemSink,
) -> Option<Visited> {
    if tree.nodes.is_empty() {
        return Some(Some(t_limit));
    }
    at_level!(level, simd => {
        let frame = match own {
            Some(own) if tree.frame.is_own() => Frame::usual(own, &tree.measures),
            _ => None,
        };
        let frame = match frame {
            Some(frame) => MappedFrame::Ready(frame),
            None => ray.seen_from(tree.frame.origin).frame(tree, t_limit),
        };
        match frame {
            MappedFrame::Misses => Some(Some(t_limit)),
            MappedFrame::Unfit => None,
            MappedFrame::Ready(frame) => {
                let kernel = KernelRay::of_frame(simd, frame, tree.measures.reach);
                Some(walk(simd, tree, &kernel, t_limit, sink))
            }
        }
    })
}

#[inline(always)]
fn walk<S: Simd>(
    simd: S,
    tree: &ItemTree,
    ray: &KernelRay,
    mut t_limit: f64,
    sink: &mut dyn ItemSink,
) -> Visited {
    let KernelRay { boxes, ends, .. } = ray;
    let nodes: &[Node] = &tree.nodes;
    let is_large = nodes.len() >= LARGE;
    let mut limit = ends.limit(t_limit);
    let mut waiting = TraversalStack::new();
    let (mut tag, mut place, mut entry) = (Tag::NODE, 0, 0.0);
    loop {
        if tag.len() == 0 {
            let node = &nodes[place as usize];
            let (entries, hit) = node_test(simd, node, boxes, limit);
            let hits = hit.to_bitmask() as u32;
            if hits != 0 {
                if is_large {
                    prefetch_children(tree, node, hits, &*sink);
                }
                (tag, place) = nearest_first(simd, node, entries, hit, hits, &mut waiting);
                let entries: [u32; WIDTH] = entries.bitcast::<fearless_simd::u32x8<S>>().to_array();
                entry = f32::from_bits(entries[tag.lane()]);
                continue;
            }
        } else {
            t_limit = sink.enter(tree.item(place as usize), ends.own_parameter(entry))?;
            limit = smaller(ends.limit(t_limit), limit);
        }
        let Some((key, next)) = waiting.pop_keyed(last_key(limit)) else {
            return Some(t_limit);
        };
        // Without its lowest bits, it is no greater than where the ray enters the box.
        (tag, place, entry) = (Tag::of(key), next, f32::from_bits(key & !Tag::BITS));
    }
}

/// The least number of nodes of a tree that prefetches: with what its items hold, it exceeds a core's caches.
pub(super) const LARGE: usize = 1024;

/// Prefetches the children of a node that the ray meets: while the first of them is visited, the others
/// load.
#[inline(always)]
fn prefetch_children(tree: &ItemTree, node: &Node, mut hits: u32, sink: &dyn ItemSink) {
    while hits != 0 {
        let lane = hits.trailing_zeros() as usize % WIDTH;
        hits &= hits - 1;
        match Tag(node.tags[lane]).len() {
            0 => prefetch::node(&tree.nodes, node.place[lane]),
            _ => sink.prefetch(tree.item(node.place[lane] as usize)),
        }
    }
}

/// Offers every item in boxes that `enter` does not refuse, nearer ones first. `enter` takes a box in
/// the space of the items and the limit, and returns a lower bound of the parameters in it.
#[cold]
#[inline(never)]
pub(crate) fn visit_items_by_boxes(
    tree: &ItemTree,
    enter: &dyn Fn(WideBounds, f64) -> Option<f64>,
    mut t_limit: f64,
    sink: &mut dyn ItemSink,
) -> Visited {
    let mut waiting = ArrayVec::<(Result<usize, u32>, f64), MOST_WAITING>::new();
    if !tree.nodes.is_empty() {
        waiting.push((Ok(0), f64::NEG_INFINITY));
    }
    while let Some((child, entry)) = waiting.pop() {
        if entry > t_limit {
            continue;
        }
        match child {
            Err(item) => t_limit = sink.enter(item, entry)?,
            Ok(place) => {
                let bottom = waiting.len();
                let node = &tree.nodes[place];
                for lane in node.lanes() {
                    let (min, max) = node.bounds(lane);
                    let of = [tree.frame.down(min), tree.frame.down(max)];
                    if let Some(entry) = enter(of, t_limit) {
                        waiting.push((tree.child(place, lane), entry));
                    }
                }
                // The nearest on top.
                waiting[bottom..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            }
        }
    }
    Some(t_limit)
}

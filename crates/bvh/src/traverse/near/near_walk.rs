//! Traversal for one point, nearer boxes first.

use super::super::child_order::{key, nearest_first};
use super::super::leaf_block::with_block;
use super::super::leaf_visits::smaller;
use super::super::single_walk::last_key;
use super::super::traversal_stack::{ROOM, TraversalStack};
use super::box_distance::box_distances;
use super::leaf_distance::leaf_distances;
use super::near_limits::{NearLimits, NearSink};
use super::near_point::NearPoint;
use crate::wide::{LeafView, Node, Tag, WIDTH, WideTree};
use core::ops::ControlFlow;
use fearless_simd::{Simd, SimdBase, SimdMask};

/// Offers the collector every triangle that may be as near as its limit.
#[inline(always)]
pub(super) fn walk<S: Simd>(
    simd: S,
    tree: &WideTree,
    point: &impl NearLimits,
    sink: &mut (impl NearSink + ?Sized),
) -> ControlFlow<()> {
    let leaves = tree.view();
    let limit = point.limit(sink.limit());
    descend(
        simd,
        &tree.nodes,
        point.near(),
        limit,
        #[inline(always)]
        |simd, (first, len), limit| {
            let (low, _) = distances(simd, leaves, (first, len), point.near());
            for (place, low) in low.into_iter().enumerate().take(len) {
                if low <= limit {
                    let (prim, triangle) = leaves.triangle(first, len, place);
                    sink.offer(prim, &triangle)?;
                }
            }
            ControlFlow::Continue(smaller(point.limit(sink.limit()), limit))
        },
    )
}

/// The number of candidates that wait at a time.
const MOST_WAITING: usize = 64;

const _: () = assert!(MOST_WAITING < ROOM);

/// Offers the collector the triangles that may be the closest one, at the end of the traversal.
///
/// Candidates wait like children: with their lower bound as the key, the place and the length of
/// their leaf in its lowest bits, which makes the bound no larger.
#[inline(always)]
pub(super) fn closest<S: Simd>(
    simd: S,
    tree: &WideTree,
    point: &impl NearLimits,
    sink: &mut (impl NearSink + ?Sized),
) {
    let leaves = tree.view();
    let mut candidates = TraversalStack::new();
    let mut least = f32::INFINITY;
    let mut last_limit = point.limit(sink.limit());
    let _ = descend(
        simd,
        &tree.nodes,
        point.near(),
        last_limit,
        #[inline(always)]
        |simd, (first, len), mut limit| {
            let (low, high) = distances(simd, leaves, (first, len), point.near());
            for &high in &high[..len] {
                least = smaller(high, least);
            }
            limit = smaller(point.limit_of_high(least), limit);
            for (place, &low) in low[..len].iter().enumerate() {
                if low <= limit {
                    if candidates.len() == MOST_WAITING {
                        limit = make_room(leaves, point, limit, &mut candidates, sink);
                    }
                    candidates.push(key(low.to_bits(), Tag::new(place, len)), first as u32);
                }
            }
            last_limit = limit;
            ControlFlow::<(), f32>::Continue(limit)
        },
    );
    offer(leaves, last_limit, &mut candidates, sink);
}

/// Removes candidates that are beyond the limit, or all, after they have been offered. Returns the
/// new limit.
#[cold]
#[inline(never)]
fn make_room(
    leaves: LeafView<'_>,
    point: &impl NearLimits,
    limit: f32,
    candidates: &mut TraversalStack,
    sink: &mut (impl NearSink + ?Sized),
) -> f32 {
    candidates.cull(last_key(limit));
    if candidates.len() <= MOST_WAITING / 2 {
        return limit;
    }
    offer(leaves, limit, candidates, sink);
    smaller(point.limit(sink.limit()), limit)
}

/// Offers all candidates that are not beyond the limit, and removes all.
#[inline(always)]
fn offer(
    leaves: LeafView<'_>,
    limit: f32,
    candidates: &mut TraversalStack,
    sink: &mut (impl NearSink + ?Sized),
) {
    while let Some((tag, first)) = candidates.pop(last_key(limit)) {
        let (prim, triangle) = leaves.triangle(first as usize, tag.len(), tag.lane());
        // The closest triangle is known only after the last.
        let _ = sink.offer(prim, &triangle);
    }
}

/// Returns bounds of the squared distances of the triangles of a leaf.
#[inline(always)]
fn distances<S: Simd>(
    simd: S,
    leaves: LeafView<'_>,
    leaf: (usize, usize),
    point: &NearPoint,
) -> ([f32; WIDTH], [f32; WIDTH]) {
    let found = with_block(
        simd,
        leaves,
        leaf,
        #[inline(always)]
        |block| leaf_distances(simd, block, point),
    );
    (found.low.to_array(), found.high.to_array())
}

/// Calls `visit` with the first slot and the length of every leaf whose box may be within the
/// limit, and with the limit, which `visit` returns, perhaps lowered.
#[inline(always)]
pub(super) fn descend<S: Simd>(
    simd: S,
    nodes: &[Node],
    point: &NearPoint,
    mut limit: f32,
    mut visit: impl FnMut(S, (usize, usize), f32) -> ControlFlow<(), f32>,
) -> ControlFlow<()> {
    let mut waiting = TraversalStack::new();
    let (mut tag, mut place) = (Tag::NODE, 0);
    loop {
        if tag.len() == 0 {
            let node = &nodes[place as usize];
            let (square, within) = box_distances(simd, node, point, limit);
            let hits = within.to_bitmask() as u32;
            if hits != 0 {
                (tag, place) = nearest_first(simd, node, square, within, hits, &mut waiting);
                if hits & (hits - 1) != 0
                    && let Some((tag, place)) = waiting.top()
                    && tag.len() == 0
                {
                    super::super::prefetch::node(nodes, place);
                }
                continue;
            }
        } else {
            limit = visit(simd, (place as usize, tag.len()), limit)?;
        }
        (tag, place) = match waiting.pop(last_key(limit)) {
            Some(next) => next,
            None => return ControlFlow::Continue(()),
        };
    }
}

//! Traversal for one point, nearer boxes first.

use super::super::child_order::key;
use super::super::leaf_block::with_block;
use super::super::leaf_visits::smaller;
use super::super::prefetch::{Ahead, FOR_POINTS};
use super::super::single_walk::{descend, last_key};
use super::super::traversal_stack::{ROOM, TraversalStack};
use super::super::wanted::Closest;
use super::leaf_distance::leaf_distances;
use super::near_limits::{NearLimits, NearSink};
use super::near_point::NearPoint;
use crate::simd_level::at_level;
use crate::wide::{LeafView, Tag, WIDTH, WideTree};
use core::ops::ControlFlow;
use fearless_simd::{Level, Simd, SimdBase};

/// Offers every triangle that may be within the limit of the sink; if only the closest one is wanted,
/// perhaps not all that are farther than another one with area. Compiled once for each level.
pub(super) fn visit(
    tree: &WideTree,
    level: Level,
    point: &dyn NearLimits,
    wants_closest: bool,
    sink: &mut dyn NearSink,
) -> ControlFlow<()> {
    match wants_closest {
        true => at_level!(level, simd => closest(simd, tree, point, sink)),
        false => at_level!(level, simd => within(simd, tree, point, sink)),
    }
}

/// Offers every triangle that may be as near as the limit.
#[inline(always)]
fn within<S: Simd>(
    simd: S,
    tree: &WideTree,
    point: &dyn NearLimits,
    sink: &mut dyn NearSink,
) -> ControlFlow<()> {
    let leaves = tree.view();
    let near = *point.near();
    let limit = point.limit(sink.limit());
    descend(
        simd,
        Closest,
        (&tree.nodes, Ahead::of(tree, leaves, FOR_POINTS)),
        &near,
        (limit, Tag::NODE, 0),
        &(),
        #[inline(always)]
        |simd: S, (first, len): (usize, usize), limit: f32| {
            let (low, _) = distances(simd, leaves, (first, len), &near);
            for (place, low) in low.into_iter().enumerate().take(len) {
                if low <= limit {
                    let (prim, triangle) = leaves.triangle(first, len, place);
                    sink.offer(prim, first + place, &triangle)?;
                }
            }
            ControlFlow::Continue(smaller(point.limit(sink.limit()), limit))
        },
    )
}

/// The number of candidates that wait at a time.
const CANDIDATES: usize = 64;

const _: () = assert!(CANDIDATES < ROOM);

/// Offers the triangles that may be the closest one, at the end of the traversal.
///
/// Candidates wait like children: with their lower bound as the key, the place and the length of
/// their leaf in its lowest bits, which makes the bound no larger.
#[inline(always)]
fn closest<S: Simd>(
    simd: S,
    tree: &WideTree,
    point: &dyn NearLimits,
    sink: &mut dyn NearSink,
) -> ControlFlow<()> {
    let leaves = tree.view();
    let near = *point.near();
    let mut candidates = TraversalStack::new();
    let mut least = f32::INFINITY;
    let mut last_limit = point.limit(sink.limit());
    let foresees = sink.foresees();
    let _ = descend(
        simd,
        Closest,
        (&tree.nodes, Ahead::of(tree, leaves, FOR_POINTS)),
        &near,
        (last_limit, Tag::NODE, 0),
        &(),
        #[inline(always)]
        |simd: S, (first, len): (usize, usize), mut limit: f32| {
            if foresees {
                sink.foresee_slots(first, len);
            }
            let (low, high) = distances(simd, leaves, (first, len), &near);
            let before = least;
            for &high in &high[..len] {
                least = smaller(high, least);
            }
            if least < before {
                limit = smaller(point.limit_of_high(least), limit);
                if foresees && let Some(place) = high.iter().position(|&high| high == least) {
                    sink.foresee(first + place);
                }
            }
            for (place, &low) in low[..len].iter().enumerate() {
                if low <= limit {
                    if candidates.len() == CANDIDATES {
                        limit = make_room(leaves, point, limit, &mut candidates, sink);
                    }
                    candidates.push(key(low.to_bits(), Tag::new(place, len)), first as u32);
                }
            }
            last_limit = limit;
            ControlFlow::Continue(limit)
        },
    );
    offer(leaves, last_limit, &mut candidates, sink);
    ControlFlow::Continue(())
}

/// Removes candidates that are beyond the limit, or all, after they have been offered. Returns the
/// new limit.
#[cold]
#[inline(never)]
fn make_room(
    leaves: LeafView<'_>,
    point: &dyn NearLimits,
    limit: f32,
    candidates: &mut TraversalStack,
    sink: &mut dyn NearSink,
) -> f32 {
    candidates.cull(last_key(limit));
    if candidates.len() <= CANDIDATES / 2 {
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
    sink: &mut dyn NearSink,
) {
    while let Some((tag, first)) = candidates.pop(last_key(limit)) {
        let first = first as usize;
        let (prim, triangle) = leaves.triangle(first, tag.len(), tag.lane());
        // The closest triangle is known only after the last.
        let _ = sink.offer(prim, first + tag.lane(), &triangle);
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

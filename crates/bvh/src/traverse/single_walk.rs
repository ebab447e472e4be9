//! Traversal with a single ray or point, in `f32`, nearer boxes first: written once for all
//! tests of boxes and all visits of leaves.

use super::child_order::{largest_first, nearest_first};
use super::prefetch::{self, Ahead};
use super::step_counter::StepCounter;
use super::traversal_stack::TraversalStack;
use super::wanted::Wanted;
use crate::wide::{Node, Tag, WIDTH};
use core::ops::ControlFlow;
use fearless_simd::{Bytes, Simd, SimdBase, SimdMask, i32x8, mask32x8, u32x8};

/// Tests the boxes of a node's children.
pub trait BoxTest<S: Simd> {
    /// Returns where each box is entered, as the bits of numbers that are not negative, and which
    /// boxes may be met before the limit.
    fn test(&self, simd: S, node: &Node, limit: f32) -> (i32x8<S>, mask32x8<S>);
}

/// Visits the leaves that a traversal reaches: a closure, which has nothing to prefetch, or a type.
pub(super) trait LeafVisitor<S: Simd> {
    /// Visits a leaf, given by its first slot and its length, whose box is entered at `entry` or
    /// slightly later. Returns the limit, perhaps lowered, or breaks at the end of the query.
    fn visit(
        &mut self,
        simd: S,
        leaf: (usize, usize),
        limit: f32,
        entry: f32,
    ) -> ControlFlow<(), f32>;

    /// Prefetches these children of a node, given as bits.
    #[inline(always)]
    fn prefetch(&self, node: &Node, children: u32) {
        let _ = (node, children);
    }
}

impl<S: Simd, F: FnMut(S, (usize, usize), f32) -> ControlFlow<(), f32>> LeafVisitor<S> for F {
    #[inline(always)]
    fn visit(&mut self, simd: S, leaf: (usize, usize), limit: f32, _: f32) -> ControlFlow<(), f32> {
        self(simd, leaf, limit)
    }
}

/// Visits every leaf at or below a node or leaf whose box may be met up to the limit, which visits may
/// lower. Begins with a limit, and the tag and the place of that node or leaf, whose own box is not tested
/// and counts as entered at the number in the other bits of the tag, as in keys. What it prefetches of the
/// nodes' children is up to `ahead`.
///
/// A box that is entered exactly at the limit is still visited: of equal hits the one of the lowest
/// id counts, wherever it lies.
#[inline(always)]
pub(super) fn descend<S: Simd>(
    simd: S,
    wanted: impl Wanted,
    (nodes, ahead): (&[Node], Ahead<'_>),
    boxes: &impl BoxTest<S>,
    (mut limit, mut tag, mut place): (f32, Tag, u32),
    watch: &impl StepCounter,
    mut visitor: impl LeafVisitor<S>,
) -> ControlFlow<()> {
    let mut waiting = TraversalStack::new();
    let mut entry = f32::from_bits(tag.0 & !Tag::BITS);
    loop {
        if tag.len() == 0 {
            watch.node();
            let node = &nodes[place as usize];
            let (entries, hit) = boxes.test(simd, node, limit);
            let hits = hit.to_bitmask() as u32;
            if hits != 0 {
                visitor.prefetch(node, hits);
                if let Ahead::All(leaves) = ahead {
                    // Before they are ordered: the branches of that are often mispredicted. Where any
                    // hit will do, most others are never visited.
                    let rest = hits & (hits - 1);
                    let soon = match wanted.ends_at_any() {
                        true => hits ^ (rest & rest.wrapping_sub(1)),
                        false => hits,
                    };
                    prefetch::children(nodes, leaves, node, soon);
                }
                (tag, place) = match wanted.nearest_first() {
                    true => nearest_first(simd, node, entries, hit, hits, &mut waiting),
                    false => largest_first(simd, node, hits, &mut waiting),
                };
                if matches!(ahead, Ahead::Next)
                    && wanted.nearest_first()
                    && hits & (hits - 1) != 0
                    && let Some((tag, place)) = waiting.top()
                    && tag.len() == 0
                {
                    prefetch::node(nodes, place);
                }
                let entries: [u32; WIDTH] = entries.bitcast::<u32x8<S>>().to_array();
                entry = f32::from_bits(entries[tag.lane()]);
                continue;
            }
        } else {
            watch.leaf();
            limit = visitor.visit(simd, (place as usize, tag.len()), limit, entry)?;
        }
        // The last deferred child that is not beyond the limit.
        let Some((key, next)) = waiting.pop_keyed(last_key(limit)) else {
            return ControlFlow::Continue(());
        };
        // Without its lowest bits, the key is no greater than where the box is entered.
        (tag, place, entry) = (Tag::of(key), next, f32::from_bits(key & !Tag::BITS));
    }
}

/// Returns the largest key, as a signed number, of a child that a ray enters up to the limit.
#[inline(always)]
pub fn last_key(limit: f32) -> i32 {
    limit.to_bits() as i32 | Tag::BITS as i32
}

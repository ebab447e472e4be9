//! Traversal with a packet, from the root to the triangles that some ray may hit.

use super::beam::Beam;
use super::beam_rays::BeamRays;
use super::exact_fallback::ExactFallback;
use super::prepared_triangles::PreparedTriangles;
use super::triangle_test::{Candidate, FoundHits, test_triangle};
use crate::traverse::child_order::{largest_first, nearest_first};
use crate::traverse::leaf_block::with_block;
use crate::traverse::prefetch;
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::{ROOM, TraversalStack};
use crate::wide::{LeafView, Node, Tag, WIDTH};
use fearless_simd::{Simd, SimdBase, SimdMask, i32x8, mask32x8};

/// Finds the first hits of a packet's rays, or if `ANY` some hit of each. `SHARED` means that all
/// rays start at one point.
#[inline(always)]
pub(super) fn walk<S: Simd, const SHARED: bool, const ANY: bool>(
    simd: S,
    judge: ExactFallback<'_>,
    beam: &Beam,
    rays: &mut BeamRays,
    found: &mut FoundHits,
    shapes: &mut PreparedTriangles,
) {
    let tree = judge.tree;
    let nodes: &[Node] = &tree.nodes;
    let leaves = tree.view();
    let mut waiting = TraversalStack::new();
    let mut limit = rays.last_end(simd);
    let axes = beam.frame.axes;
    // The parents of all children on the stack.
    let mut parents = [0; ROOM];
    let (mut tag, mut place) = (Tag::NODE, 0);
    // The rays that meet the box of the next child. For nodes these are all rays if they share
    // their origin: few of them then miss all children of a node.
    let mut active = !0;
    loop {
        if tag.len() == 0 {
            let node = &nodes[place as usize];
            let (entry, hit) = match active {
                0 => (i32x8::splat(simd, 0), mask32x8::splat(simd, false)),
                _ => beam.planes.test(simd, node, beam.least, limit),
            };
            let hits = hit.to_bitmask() as u32;
            if hits != 0 {
                let bottom = waiting.len() % (ROOM - WIDTH);
                parents[bottom..bottom + WIDTH].fill(place);
                prefetch_all(node, hits, nodes, leaves);
                (tag, place) = match ANY {
                    false => nearest_first(simd, node, entry, hit, hits, &mut waiting),
                    true => largest_first(simd, node, hits, &mut waiting),
                };
                if !SHARED || tag.len() != 0 {
                    let planes = &beam.planes;
                    active = planes.meet(simd, node, tag.lane(), beam.least, axes, rays);
                }
                continue;
            }
        } else if active != 0 {
            let leaf = (leaves, place, tag.len(), active);
            let changed =
                visit::<S, SHARED, ANY>(simd, judge, leaf, beam, limit, rays, found, shapes);
            if changed {
                limit = rays.last_end(simd);
            }
        }
        (tag, place) = match waiting.pop(last_key(limit)) {
            Some(next) => next,
            None => return,
        };
        active = !0;
        if !SHARED || tag.len() != 0 {
            let parent = parents[waiting.len() % ROOM];
            let (node, planes) = (&nodes[parent as usize], &beam.planes);
            active = planes.meet(simd, node, tag.lane(), beam.least, axes, rays);
        }
    }
}

/// Prefetches the children of a node that are met.
#[inline(always)]
pub(super) fn prefetch_all(node: &Node, mut met: u32, nodes: &[Node], leaves: LeafView<'_>) {
    // All children that are met will most likely be visited soon.
    while met != 0 {
        let lane = met.trailing_zeros() as usize % WIDTH;
        met &= met - 1;
        prefetch::child(nodes, leaves, Tag(node.tags[lane]), node.place[lane]);
    }
}

/// Tests the triangles of a leaf against the rays that meet its box. Returns whether the end of any
/// ray has changed.
#[inline(always)]
#[expect(
    clippy::too_many_arguments,
    reason = "the state of a traversal, in registers"
)]
fn visit<S: Simd, const SHARED: bool, const ANY: bool>(
    simd: S,
    judge: ExactFallback<'_>,
    (leaves, place, len, active): (LeafView<'_>, u32, usize, u64),
    beam: &Beam,
    limit: f32,
    rays: &mut BeamRays,
    found: &mut FoundHits,
    shapes: &mut PreparedTriangles,
) -> bool {
    let mut passed = with_block(
        simd,
        leaves,
        (place as usize, len),
        #[inline(always)]
        |block| shapes.prepare::<S, SHARED>(simd, block, beam, limit),
    );
    let mut changed = false;
    while passed != 0 {
        let lane = passed.trailing_zeros() as usize;
        passed &= passed - 1;
        let candidate = Candidate {
            leaf: place,
            tag: Tag::new(lane, len),
            active,
        };
        changed |= test_triangle::<S, SHARED, ANY>(simd, shapes, candidate, judge, rays, found);
    }
    changed
}

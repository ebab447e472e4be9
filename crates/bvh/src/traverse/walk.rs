//! From the root to the triangles that a ray may hit, nearer boxes first.

use super::leaf_test::leaf_test;
use super::node_test::node_test;
use super::order::{largest_first, nearest_first};
use super::ray::KernelRay;
use super::steps::Watch;
use super::waiting::Waiting;
use crate::wide::{Node, Tag, WideTree};
use core::ops::ControlFlow;
use estoc_core::Collect;
use fearless_simd::{Simd, SimdMask};

/// Offers the collector every triangle that the ray may hit up to its limit.
///
/// A box that is entered exactly at the limit is still visited: of equal hits the lowest id
/// counts, wherever it lies.
#[inline(always)]
pub(super) fn walk<S: Simd, C: Collect>(
    simd: S,
    tree: &WideTree,
    ray: &KernelRay,
    collector: &mut C,
    watch: &mut impl Watch,
) {
    let nodes: &[Node] = &tree.nodes;
    let mut waiting = Waiting::new();
    let mut limits = ray.limits(collector.t_limit());
    let (mut tag, mut place) = (Tag::NODE, 0);
    loop {
        if tag.len() == 0 {
            watch.node();
            let node = &nodes[place as usize];
            let (entry, hit) = node_test(simd, node, ray, limits.exit);
            let hits = hit.to_bitmask() as u32;
            if hits != 0 {
                (tag, place) = match C::NEAREST_FIRST {
                    true => nearest_first(simd, node, entry, hit, hits, &mut waiting),
                    false => largest_first(simd, node, hits, &mut waiting),
                };
                continue;
            }
        } else {
            watch.leaf();
            let (first, len) = (place as usize, tag.len());
            let mut hits = leaf_test(simd, &tree.leaves, first, len, ray, &limits);
            if hits != 0 {
                while hits != 0 {
                    let place = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    watch.triangle();
                    if offer(tree, first, len, place, collector).is_break() {
                        return;
                    }
                }
                limits = ray.limits(collector.t_limit());
            }
        }
        // Back to the last one left behind that may still matter.
        (tag, place) = match waiting.pop(last_key(limits.exit)) {
            Some(next) => next,
            None => return,
        };
    }
}

/// The largest key, as a signed number, of what a ray enters up to the limit.
#[inline(always)]
fn last_key(limit: f32) -> i32 {
    limit.to_bits() as i32 | Tag::BITS as i32
}

#[inline(always)]
fn offer<C: Collect>(
    tree: &WideTree,
    first: usize,
    len: usize,
    place: usize,
    collector: &mut C,
) -> ControlFlow<()> {
    let (prim, triangle) = tree.triangle(first, len, place);
    collector.offer(prim, &triangle)
}

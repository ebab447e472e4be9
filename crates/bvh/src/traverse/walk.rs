//! From the root to the triangles that a ray may hit, nearer boxes first.

use super::leaf_test::leaf_test;
use super::node_test::node_test;
use super::ray::KernelRay;
use super::steps::Watch;
use crate::wide::{MAX_WIDE_DEPTH, WIDTH, WideTree};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_core::Collect;
use fearless_simd::Simd;

/// A child that is left for later.
#[derive(Clone, Copy)]
struct Waiting {
    entry: f32,
    place: u32,
    /// As in a node: triangles of a leaf, or 0.
    len: u32,
}

/// A step down leaves at most all children but one behind.
const MOST_WAITING: usize = (WIDTH - 1) * MAX_WIDE_DEPTH;

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
    let mut stack = ArrayVec::<Waiting, MOST_WAITING>::new();
    let mut limit = ray.limit(collector.t_limit());
    let mut next = Waiting {
        entry: ray.least,
        place: 0,
        len: 0,
    };
    loop {
        if next.len == 0 {
            watch.node();
            let node = &tree.nodes[next.place as usize];
            let (hits, entries) = node_test(simd, node, ray, limit);
            let child = |lane: u32| {
                let lane = lane as usize % WIDTH;
                Waiting {
                    entry: entries[lane],
                    place: node.place[lane],
                    len: node.len[lane].into(),
                }
            };
            let mut rest = hits;
            let mut take = || {
                let lane = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                child(lane)
            };
            let count = hits.count_ones();
            if count == 1 {
                next = take();
                continue;
            }
            if !C::NEAREST_FIRST && count > 1 {
                // The largest child, which is the first, goes on; then the next largest.
                next = take();
                while rest != 0 {
                    let lane = rest.ilog2();
                    rest ^= 1 << lane;
                    stack.push(child(lane));
                }
                continue;
            }
            if count == 2 {
                let (a, b) = (take(), take());
                let (near, far) = if a.entry <= b.entry { (a, b) } else { (b, a) };
                stack.push(far);
                next = near;
                continue;
            }
            if count > 2 {
                // The nearest goes on; the others wait, the farthest at the bottom.
                next = take();
                let bottom = stack.len();
                for _ in 1..count {
                    let mut child = take();
                    if child.entry < next.entry {
                        core::mem::swap(&mut child, &mut next);
                    }
                    stack.push(child);
                    let above = &mut stack[bottom..];
                    let mut place = above.len() - 1;
                    while place > 0 && above[place - 1].entry < child.entry {
                        above.swap(place, place - 1);
                        place -= 1;
                    }
                }
                continue;
            }
        } else {
            watch.leaf();
            let (first, len) = (next.place as usize, next.len as usize);
            let mut hits = leaf_test(simd, &tree.leaves, first, len, ray, limit);
            if hits != 0 {
                while hits != 0 {
                    let place = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    watch.triangle();
                    if offer(tree, first, len, place, collector).is_break() {
                        return;
                    }
                }
                limit = ray.limit(collector.t_limit());
            }
        }
        // Back to the last one left behind that may still matter.
        loop {
            let Some(waiting) = stack.pop() else { return };
            if waiting.entry <= limit {
                next = waiting;
                break;
            }
        }
    }
}

/// Apart from the loop, whose registers it would take.
#[inline(never)]
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

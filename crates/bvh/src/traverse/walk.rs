//! From the root to the triangles that a ray may hit, nearer boxes first.

use super::leaf_test::{LeafRay, leaf_test};
use super::node_test::node_test;
use super::order::{largest_first, nearest_first};
use super::parallel::parallel;
use super::ray::KernelRay;
use super::steps::Watch;
use super::waiting::Waiting;
use crate::wide::{Block, Node, Scale, Tag, WideTree};
use core::ops::ControlFlow;
use estoc_core::Collect;
use estoc_core::exact::RayQuestion;
use fearless_simd::{Simd, SimdMask};

/// So many triangles of one leaf pass when the ray lies in the plane of many, and hardly ever
/// else.
const CROWD: u32 = 3;

/// Offers the collector every triangle that the ray may hit up to its limit, or counts it where
/// that is enough and the kernels are certain.
///
/// A box that is entered exactly at the limit is still visited: of equal hits the lowest id
/// counts, wherever it lies.
#[inline(always)]
pub(super) fn walk<S: Simd, C: Collect>(
    simd: S,
    tree: &WideTree,
    ray: &KernelRay,
    question: &RayQuestion<'_>,
    collector: &mut C,
    watch: &mut impl Watch,
) {
    let nodes: &[Node] = &tree.nodes;
    let numbers = tree.leaves.numbers();
    // Where one hit is as good as another, kernels are often certain enough.
    let sure_limit = match C::HITS_ARE_EQUAL && collector.takes_every_hit() {
        true => ray.greatest,
        false => None,
    };
    let mut leaf_ray = None;
    let mut crowd = CROWD;
    let mut waiting = Waiting::new();
    let mut limit = ray.limit(collector.t_limit());
    let (mut tag, mut place) = (Tag::NODE, 0);
    loop {
        if tag.len() == 0 {
            watch.node();
            let node = &nodes[place as usize];
            let (entry, hit) = node_test(simd, node, ray, limit);
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
            let block = Block::of(numbers, first, len);
            // Many rays come to no leaf at all.
            let leaf_ray = leaf_ray.get_or_insert_with(
                #[inline(always)]
                || LeafRay::of(ray),
            );
            let mut hits;
            if let Some(limit) = sure_limit {
                let passed = leaf_test::<S, true>(simd, block, leaf_ray, limit);
                hits = passed.maybe & !passed.certain;
                if passed.certain != 0 {
                    let count = passed.certain.count_ones();
                    if collector.count(count as usize).is_break() {
                        return;
                    }
                }
            } else {
                hits = leaf_test::<S, false>(simd, block, leaf_ray, limit).maybe;
            }
            if hits.count_ones() >= crowd {
                let parallel = parallel(simd, block, question.dir());
                if hits & parallel != 0 {
                    crowd = 1; // more are to be expected
                }
                hits &= !parallel;
            }
            if hits != 0 {
                while hits != 0 {
                    let place = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    watch.triangle();
                    if offer(tree.scale, block, place, collector).is_break() {
                        return;
                    }
                }
                limit = ray.limit(collector.t_limit());
            }
        }
        // Back to the last one left behind that may still matter.
        (tag, place) = match waiting.pop(last_key(limit)) {
            Some(next) => next,
            None => return,
        };
    }
}

/// The largest key, as a signed number, of what a ray enters up to the limit.
#[inline(always)]
pub(super) fn last_key(limit: f32) -> i32 {
    limit.to_bits() as i32 | Tag::BITS as i32
}

#[inline(always)]
fn offer<C: Collect>(
    scale: Scale,
    block: Block<'_>,
    place: usize,
    collector: &mut C,
) -> ControlFlow<()> {
    let (prim, triangle) = scale.triangle_down(block, place);
    collector.offer(prim, &triangle)
}

//! Traversals with a ray of another space.

use super::mapped_frame::{MappedFrame, MappedRay};
use super::{TriangleSink, Visited};
use crate::simd_level::at_level;
use crate::traverse::child_order::nearest_first;
use crate::traverse::f64_walk::walk_boxes;
use crate::traverse::kernel_ray::KernelRay;
use crate::traverse::leaf_block::with_block;
use crate::traverse::leaf_ray::LeafRay;
use crate::traverse::leaf_test::leaf_test;
use crate::traverse::leaf_visits::smaller;
use crate::traverse::node_test::node_test;
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::TraversalStack;
use crate::wide::{Node, Tag, WideTree};
use fearless_simd::{Level, Simd, SimdMask};

/// Offers every triangle that the ray may hit up to the limit, nearer boxes first. Returns `None`,
/// and offers nothing, for a ray that is unfit for `f32`.
pub(crate) fn visit_mapped(
    tree: &WideTree,
    level: Level,
    ray: &MappedRay,
    t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Option<Visited> {
    if tree.nodes.is_empty() {
        return Some(Some(t_limit));
    }
    at_level!(level, simd => match ray.frame(tree, t_limit) {
        MappedFrame::Misses => Some(Some(t_limit)),
        MappedFrame::Unfit => None,
        MappedFrame::Ready(frame) => {
            let kernel = KernelRay::of_frame(simd, frame, tree.measures.reach);
            Some(walk(simd, tree, &kernel, (Tag::NODE, 0), t_limit, sink))
        }
    })
}

/// Traverses what is below a node or in a leaf.
#[inline(always)]
pub(super) fn walk<S: Simd>(
    simd: S,
    tree: &WideTree,
    ray: &KernelRay,
    (mut tag, mut place): (Tag, u32),
    mut t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Visited {
    let KernelRay { boxes, ends, .. } = ray;
    let leaf_ray = LeafRay::of(ray);
    let leaves = tree.view();
    let nodes: &[Node] = &tree.nodes;
    let mut limit = ends.limit(t_limit);
    let mut waiting = TraversalStack::new();
    loop {
        if tag.len() == 0 {
            let node = &nodes[place as usize];
            let (entry, hit) = node_test(simd, node, boxes, limit);
            let hits = hit.to_bitmask() as u32;
            if hits != 0 {
                (tag, place) = nearest_first(simd, node, entry, hit, hits, &mut waiting);
                continue;
            }
        } else {
            let (first, len) = (place as usize, tag.len());
            let mut hits = with_block(
                simd,
                leaves,
                (first, len),
                #[inline(always)]
                |block| leaf_test(simd, block, &leaf_ray, limit),
            );
            while hits != 0 {
                let place = hits.trailing_zeros() as usize;
                hits &= hits - 1;
                let (prim, triangle) = leaves.triangle(first, len, place);
                t_limit = sink.offer(prim, &triangle)?;
                limit = smaller(ends.limit(t_limit), limit);
            }
        }
        (tag, place) = match waiting.pop(last_key(limit)) {
            Some(next) => next,
            None => return Some(t_limit),
        };
    }
}

/// Offers every triangle in leaves whose boxes, and those around these, `enter` does not refuse.
///
/// `enter` is called with a box in the tree's space and with the limit. It returns a lower bound of
/// the parameters at which a ray may hit what is in the box, or `None` if it hits nothing there.
#[cold]
#[inline(never)]
pub(crate) fn visit_boxes(
    tree: &WideTree,
    enter: &dyn Fn([f32; 3], [f32; 3], f64) -> Option<f64>,
    t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Visited {
    match tree.nodes.is_empty() {
        true => Some(t_limit),
        false => walk_boxes(tree, enter, t_limit, sink, &mut ()),
    }
}

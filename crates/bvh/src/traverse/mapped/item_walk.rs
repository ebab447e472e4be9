//! Traversals of a tree over items.

use super::mapped_frame::{MappedFrame, MappedRay};
use super::{ItemSink, Visited};
use crate::simd_level::at_level;
use crate::traverse::f64_walk::{descend_f64, of_boxes};
use crate::traverse::kernel_ray::{Frame, KernelRay, RayEnds};
use crate::traverse::leaf_visits::smaller;
use crate::traverse::prefetch::{self, Ahead};
use crate::traverse::single_walk::{LeafVisitor, descend};
use crate::traverse::wanted::Closest;
use crate::wide::{ItemTree, Node, Tag, WIDTH, WideBounds};
use core::ops::ControlFlow;
use estoc_core::exact::PreparedRay;
use fearless_simd::{Level, Simd};

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
    KernelRay { boxes, ends, .. }: &KernelRay,
    t_limit: f64,
    sink: &mut dyn ItemSink,
) -> Visited {
    let start = (ends.limit(t_limit), Tag::NODE, 0);
    let mut visitor = ItemVisitor {
        tree,
        is_large: tree.nodes.len() >= LARGE,
        ends,
        t_limit,
        sink,
    };
    let nodes = (&tree.nodes[..], Ahead::Nothing);
    let visited = descend(simd, Closest, nodes, boxes, start, &(), &mut visitor);
    visited.is_continue().then_some(visitor.t_limit)
}

struct ItemVisitor<'a> {
    tree: &'a ItemTree,
    is_large: bool,
    ends: &'a RayEnds,
    t_limit: f64,
    sink: &'a mut dyn ItemSink,
}

impl<S: Simd> LeafVisitor<S> for &mut ItemVisitor<'_> {
    #[inline(always)]
    fn visit(
        &mut self,
        _: S,
        (first, _): (usize, usize),
        limit: f32,
        entry: f32,
    ) -> ControlFlow<(), f32> {
        let entry = self.ends.own_parameter(entry);
        let Some(t_limit) = self.sink.enter(self.tree.item(first), entry) else {
            return ControlFlow::Break(());
        };
        self.t_limit = t_limit;
        ControlFlow::Continue(smaller(self.ends.limit(t_limit), limit))
    }

    #[inline(always)]
    fn prefetch(&self, node: &Node, children: u32) {
        if self.is_large {
            prefetch_children(self.tree, node, children, &*self.sink);
        }
    }
}

/// The least number of nodes of a tree that prefetches: with what its items hold, it exceeds a core's caches.
pub(in crate::traverse) const LARGE: usize = 1024;

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
    t_limit: f64,
    sink: &mut dyn ItemSink,
) -> Visited {
    descend_f64(
        &tree.nodes,
        t_limit,
        |node, limit| {
            of_boxes(node, |min, max| {
                enter([tree.frame.down(min), tree.frame.down(max)], limit)
            })
        },
        |(first, _), entry, _| sink.enter(tree.item(first), entry),
    )
}

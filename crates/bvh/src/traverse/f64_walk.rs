//! Traversal in `f64`, for rays that are unfit for `f32`: origins far beyond the tree's reach, or
//! trees with triangles of all magnitudes at once.

use super::mapped::{TriangleSink, Visited};
use super::step_counter::StepCounter;
use crate::wide::{Child, MOST_WAITING, Node, WideTree};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_core::InlineMap;
use estoc_core::exact::PreparedRay;
use estoc_core::{BoxQuestion, Collector, PrimId, Triangle};

#[cold]
#[inline(never)]
pub(super) fn walk_f64(
    tree: &WideTree,
    ray: &PreparedRay<'_>,
    collector: &mut Collector<'_>,
    watch: &mut impl StepCounter,
) {
    let boxes = BoxQuestion::new(ray);
    let enter = |min, max, t_limit| boxes.enter(min, max, t_limit);
    walk_boxes(tree, &enter, collector.t_limit(), collector, watch);
}

impl TriangleSink for Collector<'_> {
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        match self.offer(prim, triangle) {
            ControlFlow::Break(()) => None,
            ControlFlow::Continue(()) => Some(self.t_limit()),
        }
    }
}

/// Offers the triangles of all leaves whose boxes are entered up to the limit, nearer boxes first.
/// `enter` takes a box in the mesh's units and the limit, and returns a lower bound of the parameters
/// in it.
pub(super) fn walk_boxes(
    tree: &WideTree,
    enter: &dyn Fn([f32; 3], [f32; 3], f64) -> Option<f64>,
    mut t_limit: f64,
    sink: &mut dyn TriangleSink,
    watch: &mut impl StepCounter,
) -> Visited {
    let nodes: &[Node] = &tree.nodes;
    let mut stack = ArrayVec::<(Child, f64), MOST_WAITING>::new();
    stack.push((Child::Node(0), f64::NEG_INFINITY));
    while let Some((child, entry)) = stack.pop() {
        if entry > t_limit {
            continue;
        }
        match child {
            Child::Leaf { first, len } => {
                watch.leaf();
                for place in 0..len {
                    watch.triangle();
                    let (prim, triangle) = tree.triangle(first, len, place);
                    t_limit = sink.offer(prim, &triangle)?;
                }
            }
            Child::Node(place) => {
                watch.node();
                let node = &nodes[place];
                let bottom = stack.len();
                for lane in node.lanes() {
                    let (min, max) = node.bounds(lane);
                    let [min, max] = [min, max].inline_map(|p| tree.unscaled(p));
                    if let Some(entry) = enter(min, max, t_limit) {
                        stack.push((node.child(lane), entry));
                    }
                }
                // The nearest on top.
                stack[bottom..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            }
        }
    }
    Some(t_limit)
}

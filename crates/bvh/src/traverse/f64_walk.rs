//! Traversal in `f64`, for rays that are unfit for `f32`: origins far beyond the tree's reach, or
//! trees with triangles of all magnitudes at once.

use super::step_counter::StepCounter;
use crate::wide::{Child, MAX_WIDE_DEPTH, Node, WIDTH, WideTree};
use arrayvec::ArrayVec;
use estoc_core::InlineMap;
use estoc_core::exact::PreparedRay;
use estoc_core::{BoxQuestion, Collector};

/// A node is popped before its children are pushed.
const MOST_WAITING: usize = 1 + (WIDTH - 1) * MAX_WIDE_DEPTH;

#[cold]
#[inline(never)]
pub(super) fn walk_f64(
    tree: &WideTree,
    ray: &PreparedRay<'_>,
    collector: &mut Collector<'_>,
    watch: &mut impl StepCounter,
) {
    let nodes: &[Node] = &tree.nodes;
    let boxes = BoxQuestion::new(ray);
    let mut stack = ArrayVec::<(Child, f64), MOST_WAITING>::new();
    stack.push((Child::Node(0), f64::NEG_INFINITY));
    while let Some((child, entry)) = stack.pop() {
        if entry > collector.t_limit() {
            continue;
        }
        match child {
            Child::Leaf { first, len } => {
                watch.leaf();
                for place in 0..len {
                    watch.triangle();
                    let (prim, triangle) = tree.triangle(first, len, place);
                    if collector.offer(prim, &triangle).is_break() {
                        return;
                    }
                }
            }
            Child::Node(place) => {
                watch.node();
                let node = &nodes[place];
                let bottom = stack.len();
                for lane in node.lanes() {
                    let (min, max) = node.bounds(lane);
                    let [min, max] = [min, max].inline_map(|p| tree.unscaled(p));
                    if let Some(entry) = boxes.enter(min, max, collector.t_limit()) {
                        stack.push((node.child(lane), entry));
                    }
                }
                // The nearest on top.
                stack[bottom..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            }
        }
    }
}

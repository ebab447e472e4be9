//! Traversal for one point in `f64`, where `f32` does not suffice: for points and trees that reach
//! too far, or that the scale of the tree does not multiply exactly, and for points of another space
//! that do not map to that of the tree.
//!
//! A squared distance has five roundings of v = 2^-53 (see `box_distance.rs`); 8v are granted.
//! Faces are converted to the mesh's units, as what they contain is exactly, so a face that is rounded
//! stays outside of it. No square of their differences underflows.

use super::near_limits::{NearItemSink, NearSink};
use crate::wide::{Child, ItemTree, MOST_WAITING, Node, WideBounds, WideTree};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_core::{InlineMap, PointCollector};

#[cold]
#[inline(never)]
pub(super) fn walk_near_f64(tree: &WideTree, collector: &mut PointCollector) {
    let point = collector.point().to_array().map(f64::from);
    let square_of = |min: [f32; 3], max: [f32; 3]| -> f64 {
        let gap = |axis: usize| {
            let below = f64::from(min[axis]) - point[axis];
            let above = point[axis] - f64::from(max[axis]);
            below.max(above).max(0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        (x * x + y * y + z * z) * (1.0 - 4.0 * f64::EPSILON)
    };
    // The answer is known at the latest when the traversal is over.
    let _ = walk_boxes(tree, &square_of, collector);
}

/// Offers every triangle in boxes whose squared distance is within the limit, nearer boxes first.
/// `square_of` takes the corners of a box in the mesh's units and returns a lower bound.
pub(super) fn walk_boxes(
    tree: &WideTree,
    square_of: &(impl Fn([f32; 3], [f32; 3]) -> f64 + ?Sized),
    sink: &mut (impl NearSink + ?Sized),
) -> ControlFlow<()> {
    let nodes: &[Node] = &tree.nodes;
    let mut stack = ArrayVec::<(Child, f64), MOST_WAITING>::new();
    if !nodes.is_empty() {
        stack.push((Child::Node(0), 0.0));
    }
    while let Some((child, square)) = stack.pop() {
        if square > sink.limit() {
            continue;
        }
        match child {
            Child::Leaf { first, len } => {
                for place in 0..len {
                    let (prim, triangle) = tree.triangle(first, len, place);
                    sink.offer(prim, &triangle)?;
                }
            }
            Child::Node(place) => {
                let node = &nodes[place];
                let bottom = stack.len();
                for lane in node.lanes() {
                    let (min, max) = node.bounds(lane);
                    let [min, max] = [min, max].inline_map(|p| tree.unscaled(p));
                    let square = square_of(min, max);
                    if square <= sink.limit() {
                        stack.push((node.child(lane), square));
                    }
                }
                // The nearest on top.
                stack[bottom..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            }
        }
    }
    ControlFlow::Continue(())
}

/// Offers every item in boxes whose squared distance, by `square_of`, is within the limit, nearer boxes
/// first. Boxes are in the space of the items.
#[cold]
#[inline(never)]
pub(crate) fn visit_near_items_by_boxes(
    tree: &ItemTree,
    square_of: &dyn Fn(WideBounds) -> f64,
    sink: &mut dyn NearItemSink,
) -> ControlFlow<()> {
    let mut waiting = ArrayVec::<(Result<usize, u32>, f64), MOST_WAITING>::new();
    if !tree.nodes.is_empty() {
        waiting.push((Ok(0), 0.0));
    }
    while let Some((child, square)) = waiting.pop() {
        if square > sink.limit() {
            continue;
        }
        match child {
            Err(item) => sink.enter(item)?,
            Ok(place) => {
                let bottom = waiting.len();
                let node = &tree.nodes[place];
                for lane in node.lanes() {
                    let (min, max) = node.bounds(lane);
                    let square = square_of([tree.frame.down(min), tree.frame.down(max)]);
                    if square <= sink.limit() {
                        waiting.push((tree.child(place, lane), square));
                    }
                }
                // The nearest on top.
                waiting[bottom..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            }
        }
    }
    ControlFlow::Continue(())
}

//! Traversal for one point in `f64`, where `f32` does not suffice: for points and trees that reach
//! too far, or that the scale of the tree does not multiply exactly.
//!
//! A squared distance has five roundings of v = 2^-53 (see `box_distance.rs`); 8v are granted.
//! Faces are converted to the mesh's units exactly, and no square of their differences underflows.

use crate::wide::{Child, MAX_WIDE_DEPTH, Node, WIDTH, WideTree};
use arrayvec::ArrayVec;
use estoc_core::PointCollector;

/// A node is popped before its children are pushed.
const MOST_WAITING: usize = 1 + (WIDTH - 1) * MAX_WIDE_DEPTH;

#[cold]
#[inline(never)]
pub(super) fn walk_near_f64(tree: &WideTree, collector: &mut PointCollector) {
    let nodes: &[Node] = &tree.nodes;
    let down = f64::from(tree.scale.down(1.0));
    let point = collector.point().to_array().map(f64::from);
    let square_of = |(min, max): ([f32; 3], [f32; 3])| -> f64 {
        let gap = |axis: usize| {
            let below = f64::from(min[axis]) * down - point[axis];
            let above = point[axis] - f64::from(max[axis]) * down;
            below.max(above).max(0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        (x * x + y * y + z * z) * (1.0 - 4.0 * f64::EPSILON)
    };
    let mut stack = ArrayVec::<(Child, f64), MOST_WAITING>::new();
    stack.push((Child::Node(0), 0.0));
    while let Some((child, square)) = stack.pop() {
        if square > collector.limit() {
            continue;
        }
        match child {
            Child::Leaf { first, len } => {
                for place in 0..len {
                    let (prim, triangle) = tree.triangle(first, len, place);
                    if collector.offer(prim, &triangle).is_break() {
                        return;
                    }
                }
            }
            Child::Node(place) => {
                let node = &nodes[place];
                let bottom = stack.len();
                for lane in node.lanes() {
                    let square = square_of(node.bounds(lane));
                    if square <= collector.limit() {
                        stack.push((node.child(lane), square));
                    }
                }
                // The nearest on top.
                stack[bottom..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            }
        }
    }
}

//! Traversal for one point in `f64`, where `f32` does not suffice: for points and trees that reach
//! too far, or that the scale of the tree does not multiply exactly, and for points of another space
//! that do not map to that of the tree.
//!
//! A squared distance has five roundings of v = 2^-53 (see `box_distance.rs`); 8v are granted.
//! Faces are converted to the mesh's units, as what they contain is exactly, so a face that is rounded
//! stays outside of it. No square of their differences underflows.

use super::near_limits::{NearItemSink, NearSink};
use crate::traverse::f64_walk::{descend_f64, of_boxes};
use crate::wide::{ItemTree, WideBounds, WideTree};
use core::ops::ControlFlow;
use estoc_core::{InlineMap, PointCollector};

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
    let _ = visit_near_boxes(tree, &square_of, collector);
}

/// Offers every triangle in boxes whose squared distance is within the limit, nearer boxes first.
/// `square_of` takes the corners of a box in the mesh's units and returns a lower bound.
#[cold]
#[inline(never)]
pub(crate) fn visit_near_boxes(
    tree: &WideTree,
    square_of: &dyn Fn([f32; 3], [f32; 3]) -> f64,
    sink: &mut dyn NearSink,
) -> ControlFlow<()> {
    let visited = descend_f64(
        &tree.nodes,
        sink.limit(),
        |node, _| {
            of_boxes(node, |min, max| {
                let [min, max] = [min, max].inline_map(|p| tree.unscaled(p));
                Some(square_of(min, max))
            })
        },
        |(first, len), _, _| {
            for place in 0..len {
                let (prim, triangle) = tree.triangle(first, len, place);
                sink.offer(prim, first + place, &triangle)
                    .continue_value()?;
            }
            Some(sink.limit())
        },
    );
    ended(visited)
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
    let visited = descend_f64(
        &tree.nodes,
        sink.limit(),
        |node, _| {
            of_boxes(node, |min, max| {
                Some(square_of([tree.frame.down(min), tree.frame.down(max)]))
            })
        },
        |(first, _), _, _| {
            sink.enter(tree.item(first)).continue_value()?;
            Some(sink.limit())
        },
    );
    ended(visited)
}

/// Returns how a traversal ended that returned its limit, or `None` where the sink ended it.
fn ended(visited: Option<f64>) -> ControlFlow<()> {
    match visited {
        Some(_) => ControlFlow::Continue(()),
        None => ControlFlow::Break(()),
    }
}

//! Traverses the tree and finds the triangles near a point.
//!
//! Boxes and triangles are tested eight at a time in `f32`, with bounds of their squared distances;
//! nothing is pruned that might be as near as what is wanted. Where only the closest triangle is
//! wanted, upper bounds prune as well, and candidates wait until the traversal is over. A point of another
//! space, such as the world that an object is placed in, is mapped to that of the tree.

pub mod box_distance;
mod f64_near_walk;
pub mod leaf_distance;
mod mapped_near;
mod mapped_point;
mod near_limits;
pub mod near_point;
mod near_walk;

pub(crate) use f64_near_walk::{visit_near_boxes, visit_near_items_by_boxes};
pub(crate) use mapped_near::{visit_near_items, visit_near_mapped};
pub use mapped_point::MappedPoint;
pub use near_limits::{NearItemSink, NearSink};

use crate::wide::WideTree;
use estoc_core::PointCollector;
use fearless_simd::Level;
use near_point::NearPoint;

/// Offers the collector the triangles that may be as near as its limit, nearer boxes first.
pub(crate) fn visit_near(tree: &WideTree, level: Level, collector: &mut PointCollector) {
    if tree.nodes.is_empty() {
        return;
    }
    match NearPoint::of(collector.point(), tree) {
        None => f64_near_walk::walk_near_f64(tree, collector),
        Some(point) => {
            // The answer is known at the latest when the traversal is over.
            let _ = near_walk::visit(tree, level, &point, collector.wants_closest(), collector);
        }
    }
}

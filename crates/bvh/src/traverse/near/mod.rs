//! Traverses the tree and finds the triangles near a point.
//!
//! Boxes and triangles are tested eight at a time in `f32`, with bounds of their squared distances;
//! nothing is pruned that might be as near as what is wanted. Where only the closest triangle is
//! wanted, upper bounds prune as well, and candidates wait until the traversal is over.

pub mod box_distance;
mod f64_near_walk;
pub mod leaf_distance;
pub mod near_point;
mod near_walk;

use crate::simd_level::at_level;
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
        Some(point) if collector.wants_closest() => {
            at_level!(level, simd => near_walk::closest(simd, tree, &point, collector));
        }
        Some(point) => at_level!(level, simd => near_walk::walk(simd, tree, &point, collector)),
    }
}

//! Traverses the tree and finds the triangles that a moving sphere may touch first.
//!
//! The sphere touches what is in a box only while its centre is inside the box widened by the radius.
//! Boxes of nodes and of triangles are tested eight at a time in `f64`, with bounds, and visited in
//! the order in which the sphere meets them; what it meets after the limit is pruned.

pub mod swept_path;
mod swept_walk;

use crate::simd_level::at_level;
use crate::wide::WideTree;
use estoc_core::SweepCollector;
use fearless_simd::Level;
use swept_path::SweptPath;

/// Offers the collector the triangles that the sphere may touch up to its limit, those in boxes that
/// it meets first before others.
pub(crate) fn visit_swept(tree: &WideTree, level: Level, collector: &mut SweepCollector) {
    if tree.nodes.is_empty() {
        return;
    }
    let path = SweptPath::of(collector, tree);
    at_level!(level, simd => swept_walk::walk(simd, tree, &path, collector));
}

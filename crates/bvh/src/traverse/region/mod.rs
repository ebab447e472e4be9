//! Traverses the tree and finds the triangles that may have a point in a region.
//!
//! Boxes and triangles are compared with the box of the region eight at a time; comparisons need no
//! bounds. Where that box is not all there is to the region, it is asked where each box that is left
//! lies: what is outside is pruned, and what is inside is taken without further tests.

mod region_bounds;
mod region_walk;

use crate::simd_level::at_level;
use crate::traverse::mesh_space::MeshSpace;
use crate::wide::WideTree;
use estoc_core::RegionCollector;
use fearless_simd::Level;
use region_bounds::RegionBounds;

/// Offers the collector the triangles that may have a point in its region.
pub(crate) fn visit_region<M: MeshSpace>(
    (tree, space): (&WideTree, &M),
    level: Level,
    collector: &mut RegionCollector<'_>,
) {
    if tree.nodes.is_empty() {
        return;
    }
    let bounds = collector.bounds().map(|bounds| space.in_tree(bounds));
    let bounds = RegionBounds::of(bounds, tree.scale);
    at_level!(level, simd => region_walk::walk(simd, (tree, space), &bounds, collector));
}

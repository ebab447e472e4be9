//! Traverses the tree and finds the triangles that a moving sphere may touch first.
//!
//! The sphere touches what is in a box only while its centre is inside the box widened by the radius.
//! Boxes of nodes and of triangles are tested eight at a time in `f64`, with bounds, and visited in
//! the order in which the sphere meets them; what it meets after the limit is pruned.

pub mod swept_path;
mod swept_walk;

use crate::simd_level::at_level;
use crate::traverse::mesh_space::MeshSpace;
use crate::wide::WideTree;
use estoc_core::SweepCollector;
use fearless_simd::Level;
use swept_path::SweptPath;

/// Offers the collector the triangles that the sphere may touch up to its limit, those in boxes that
/// it meets first before others.
pub(crate) fn visit_swept<M: MeshSpace>(
    (tree, space): (&WideTree, &M),
    level: Level,
    collector: &mut SweepCollector,
) {
    if tree.nodes.is_empty() {
        return;
    }
    let sphere = space.sphere_in_tree(&collector.sphere());
    let Some(path) = sphere.and_then(|sphere| SweptPath::of(&sphere, tree)) else {
        return offer_all((tree, space), collector);
    };
    at_level!(level, simd => swept_walk::walk(simd, (tree, space), &path, collector));
}

/// Offers the collector all triangles, until it breaks.
fn offer_all<M: MeshSpace>((tree, space): (&WideTree, &M), collector: &mut SweepCollector) {
    let leaves = tree.view();
    for (first, len) in tree.leaf_ranges() {
        for place in 0..len {
            if let Some((prim, triangle)) = space.triangle(leaves, (first, len, place))
                && collector.offer(prim, &triangle).is_break()
            {
                return;
            }
        }
    }
}

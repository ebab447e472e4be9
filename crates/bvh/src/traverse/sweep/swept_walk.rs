//! Traversal for one moving sphere, in the order in which it meets boxes.

use super::super::leaf_block::with_block;
use super::swept_path::{Entries, SweptPath};
use crate::traverse::f64_walk::descend_f64;
use crate::traverse::mesh_space::MeshSpace;
use crate::wide::{Axis, Block, WIDTH, WideTree};
use core::ops::ControlFlow;
use estoc_core::SweepCollector;
use fearless_simd::Simd;

#[inline(always)]
pub(super) fn walk<S: Simd, M: MeshSpace>(
    simd: S,
    (tree, space): (&WideTree, &M),
    path: &SweptPath,
    collector: &mut SweepCollector,
) {
    let limit = collector.limit();
    descend_f64(
        &tree.nodes,
        limit,
        #[inline(always)]
        |node, limit| {
            let [x, y, z] = &node.faces;
            let faces = [x, y, z].map(|[low, high]| [low, high]);
            let Entries { times, hits } = path.entries(faces, limit);
            let mut entries = [f64::NAN; WIDTH];
            for lane in 0..WIDTH {
                entries[lane] = if hits[lane] { times[lane] } else { f64::NAN };
            }
            entries
        },
        #[inline(always)]
        |leaf, _, _| {
            visit_leaf(simd, (tree, space), leaf, path, collector).continue_value()?;
            Some(collector.limit())
        },
    );
}

/// Offers the collector the triangles of a leaf whose boxes the sphere meets up to the limit.
#[inline(always)]
fn visit_leaf<S: Simd, M: MeshSpace>(
    simd: S,
    (tree, space): (&WideTree, &M),
    (first, len): (usize, usize),
    path: &SweptPath,
    collector: &mut SweepCollector,
) -> ControlFlow<()> {
    let leaves = tree.view();
    let limit = collector.limit();
    let Entries { times, hits } = with_block(
        simd,
        leaves,
        (first, len),
        #[inline(always)]
        |block| {
            let [x, y, z] = [Axis::X, Axis::Y, Axis::Z].map(
                #[inline(always)]
                |axis| extent(block, axis),
            );
            let faces = [[&x.0, &x.1], [&y.0, &y.1], [&z.0, &z.1]];
            path.entries(faces, limit)
        },
    );
    for place in 0..len {
        if hits[place]
            && times[place] <= collector.limit()
            && let Some((prim, triangle)) = space.triangle(leaves, (first, len, place))
        {
            collector.offer(prim, &triangle)?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns the least and the greatest coordinates of eight triangles along an axis.
#[inline(always)]
fn extent(block: Block<'_>, axis: Axis) -> ([f32; WIDTH], [f32; WIDTH]) {
    let (a, b, c) = (
        block.row::<0>(axis),
        block.row::<1>(axis),
        block.row::<2>(axis),
    );
    let (mut low, mut high) = ([0.0; WIDTH], [0.0; WIDTH]);
    for lane in 0..WIDTH {
        low[lane] = a[lane].min(b[lane]).min(c[lane]);
        high[lane] = a[lane].max(b[lane]).max(c[lane]);
    }
    (low, high)
}

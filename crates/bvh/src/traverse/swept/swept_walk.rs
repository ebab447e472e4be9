//! Traversal for one moving sphere, in the order in which it meets boxes.

use super::super::leaf_block::with_block;
use super::swept_path::{Entries, SweptPath};
use crate::wide::{Axis, Block, Child, MOST_WAITING, Node, WIDTH, WideTree};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_core::SweepCollector;
use fearless_simd::Simd;

#[inline(always)]
pub(super) fn walk<S: Simd>(
    simd: S,
    tree: &WideTree,
    path: &SweptPath,
    collector: &mut SweepCollector,
) {
    let nodes: &[Node] = &tree.nodes;
    let mut stack = ArrayVec::<(f64, Child), MOST_WAITING>::new();
    stack.push((0.0, Child::Node(0)));
    while let Some((entry, child)) = stack.pop() {
        if entry > collector.limit() {
            continue;
        }
        match child {
            Child::Leaf { first, len } => {
                if visit_leaf(simd, tree, (first, len), path, collector).is_break() {
                    return;
                }
            }
            Child::Node(place) => {
                let node = &nodes[place];
                let [x, y, z] = &node.faces;
                let faces = [x, y, z].map(|[low, high]| [low, high]);
                let Entries { times, hits } = path.entries(faces, collector.limit());
                let bottom = stack.len();
                for lane in node.lanes().filter(|&lane| hits[lane]) {
                    // The first on top.
                    let time = times[lane];
                    let mut above = stack.len();
                    while above > bottom && stack[above - 1].0 < time {
                        above -= 1;
                    }
                    stack.insert(above, (time, node.child(lane)));
                }
            }
        }
    }
}

/// Offers the collector the triangles of a leaf whose boxes the sphere meets up to the limit.
#[inline(always)]
fn visit_leaf<S: Simd>(
    simd: S,
    tree: &WideTree,
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
        if hits[place] && times[place] <= collector.limit() {
            let (prim, triangle) = leaves.triangle(first, len, place);
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

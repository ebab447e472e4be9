//! Traversal for one region.

use super::region_bounds::RegionBounds;
use crate::traverse::mesh_space::MeshSpace;
use crate::wide::{Child, LeafView, MOST_WAITING, Node, WideTree};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_core::{BoxPosition, RegionCollector};
use fearless_simd::Simd;

/// Offers the collector every triangle whose box meets that of the region and that lies in no box
/// outside of the region.
#[inline(always)]
pub(super) fn walk<S: Simd, M: MeshSpace>(
    simd: S,
    (tree, space): (&WideTree, &M),
    bounds: &RegionBounds,
    collector: &mut RegionCollector<'_>,
) {
    let nodes: &[Node] = &tree.nodes;
    let leaves = (tree.view(), space);
    let places_boxes = !collector.is_known_by_bounds();
    // Children, and whether they are inside the region.
    let mut waiting = ArrayVec::<(Child, bool), MOST_WAITING>::new();
    waiting.push((Child::Node(0), false));
    while let Some((child, is_inside)) = waiting.pop() {
        match child {
            Child::Leaf { first, len } => {
                let offered = match is_inside {
                    true => offer_inside(leaves, (first, len), collector),
                    false => {
                        let bits = bounds.triangles(simd, leaves.0, (first, len));
                        offer(leaves, (first, len), bits, collector)
                    }
                };
                if offered.is_break() {
                    return;
                }
            }
            Child::Node(place) => {
                let node = &nodes[place];
                if is_inside {
                    waiting.extend(node.lanes().map(|lane| (node.child(lane), true)));
                    continue;
                }
                let mut bits = bounds.boxes(simd, node);
                while bits != 0 {
                    let lane = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let position = match places_boxes {
                        true => place_box(node, lane, (tree, space), collector),
                        false => BoxPosition::Crossing,
                    };
                    if position != BoxPosition::Outside {
                        waiting.push((node.child(lane), position == BoxPosition::Inside));
                    }
                }
            }
        }
    }
}

/// Returns where the box of a lane lies.
fn place_box(
    node: &Node,
    lane: usize,
    (tree, space): (&WideTree, &impl MeshSpace),
    collector: &RegionCollector<'_>,
) -> BoxPosition {
    // In `f64`, faces are multiplied exactly.
    let down = f64::from(tree.scale.down(1.0));
    let (min, max) = node.bounds(lane);
    let [min, max] = space.box_around([min, max].map(|corner| corner.map(|x| f64::from(x) * down)));
    collector.place_box(min, max)
}

#[inline(always)]
fn offer<M: MeshSpace>(
    (leaves, space): (LeafView<'_>, &M),
    (first, len): (usize, usize),
    mut bits: u32,
    collector: &mut RegionCollector<'_>,
) -> ControlFlow<()> {
    while bits != 0 {
        let place = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        if !collector.skips(leaves.prim(first, len, place))
            && let Some((prim, triangle)) = space.triangle(leaves, (first, len, place))
        {
            collector.offer(prim, &triangle)?;
        }
    }
    ControlFlow::Continue(())
}

fn offer_inside<M: MeshSpace>(
    (leaves, space): (LeafView<'_>, &M),
    (first, len): (usize, usize),
    collector: &mut RegionCollector<'_>,
) -> ControlFlow<()> {
    for place in 0..len {
        if let Some((prim, triangle)) = space.triangle(leaves, (first, len, place)) {
            collector.offer_inside(prim, &triangle)?;
        }
    }
    ControlFlow::Continue(())
}

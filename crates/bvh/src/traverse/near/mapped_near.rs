//! Traversals with a point of another space.
//!
//! The point is known in the tree's space, with what distances there mean in the other space
//! (`mapped_point.rs`), or boxes are measured there. Candidates go to a sink, which decides about them
//! there.

use super::mapped_point::{MappedNear, MappedPoint};
use super::near_limits::{NearItemSink, NearLimits, NearSink};
use super::near_walk;
use crate::simd_level::at_level;
use crate::traverse::leaf_visits::smaller;
use crate::traverse::prefetch::Ahead;
use crate::traverse::single_walk::descend;
use crate::traverse::wanted::Closest;
use crate::wide::{ItemTree, Tag, WideTree};
use core::ops::ControlFlow;
use fearless_simd::{Level, Simd};

/// Offers every triangle that may be within the limit of the sink, nearer boxes first; if only the
/// closest one is wanted, perhaps not all that are farther than another one with area. Returns `None`,
/// and offers nothing, for a point that is unfit for `f32`. Corners are off by at most `corners_off`; 0 if all
/// triangles that they stand for have an area.
pub(crate) fn visit_near_mapped(
    (tree, corners_off): (&WideTree, f64),
    level: Level,
    point: &MappedPoint,
    wants_closest: bool,
    sink: &mut dyn NearSink,
) -> Option<ControlFlow<()>> {
    if tree.nodes.is_empty() {
        return Some(ControlFlow::Continue(()));
    }
    let up = f64::from(tree.scale.up(1.0));
    let near = point.near(([0.0; 3], up), corners_off, &tree.measures)?;
    let wants_closest = wants_closest && point.is_near_uniform();
    Some(near_walk::visit(tree, level, &near, wants_closest, sink))
}

/// Offers every item whose box may be within the limit, nearer ones first. Returns `None`, and offers
/// nothing, for a point that is unfit for `f32`.
pub(crate) fn visit_near_items(
    tree: &ItemTree,
    level: Level,
    point: &MappedPoint,
    sink: &mut dyn NearItemSink,
) -> Option<ControlFlow<()>> {
    if tree.nodes.is_empty() {
        return Some(ControlFlow::Continue(()));
    }
    let near = point.near((tree.frame.origin, tree.frame.up()), 0.0, &tree.measures)?;
    Some(at_level!(level, simd => walk_items(simd, tree, &near, sink)))
}

#[inline(always)]
fn walk_items<S: Simd>(
    simd: S,
    tree: &ItemTree,
    near: &MappedNear,
    sink: &mut dyn NearItemSink,
) -> ControlFlow<()> {
    descend(
        simd,
        Closest,
        (&tree.nodes, Ahead::Next),
        near.near(),
        (near.limit(sink.limit()), Tag::NODE, 0),
        &(),
        #[inline(always)]
        |_: S, (first, _): (usize, usize), limit: f32| {
            sink.enter(tree.item(first))?;
            ControlFlow::Continue(smaller(near.limit(sink.limit()), limit))
        },
    )
}

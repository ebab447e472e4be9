//! Traversals with a point of another space.
//!
//! The point is known in the tree's space, with what distances there mean in the other space
//! (`mapped_point.rs`), or boxes are measured there. Candidates go to a sink, which decides about them
//! there.

use super::f64_near_walk::walk_boxes;
use super::mapped_point::{MappedNear, MappedPoint};
use super::near_limits::{NearItemSink, NearLimits, NearSink};
use super::near_walk;
use crate::simd_level::at_level;
use crate::traverse::leaf_visits::smaller;
use crate::wide::{ItemTree, WideTree};
use core::ops::ControlFlow;
use fearless_simd::{Level, Simd};

/// Offers every triangle that may be within the limit of the sink, nearer boxes first; if only the
/// closest one is wanted, perhaps not all that are farther than another one with area. Returns `None`,
/// and offers nothing, for a point that is unfit for `f32`.
pub(crate) fn visit_near_mapped(
    tree: &WideTree,
    level: Level,
    point: &MappedPoint,
    wants_closest: bool,
    sink: &mut dyn NearSink,
) -> Option<ControlFlow<()>> {
    if tree.nodes.is_empty() {
        return Some(ControlFlow::Continue(()));
    }
    let up = f64::from(tree.scale.up(1.0));
    let near = point.near([0.0; 3], up, &tree.measures)?;
    Some(at_level!(level, simd => {
        match wants_closest && point.is_near_uniform() {
            true => {
                near_walk::closest(simd, tree, &near, sink);
                ControlFlow::Continue(())
            }
            false => near_walk::walk(simd, tree, &near, sink),
        }
    }))
}

/// Offers every triangle in boxes whose squared distance, by `square_of`, is within the limit.
#[cold]
#[inline(never)]
pub(crate) fn visit_near_boxes(
    tree: &WideTree,
    square_of: &dyn Fn([f32; 3], [f32; 3]) -> f64,
    sink: &mut dyn NearSink,
) -> ControlFlow<()> {
    walk_boxes(tree, square_of, sink)
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
    let near = point.near(tree.frame.origin, tree.frame.up(), &tree.measures)?;
    Some(at_level!(level, simd => walk_items(simd, tree, &near, sink)))
}

#[inline(always)]
fn walk_items<S: Simd>(
    simd: S,
    tree: &ItemTree,
    near: &MappedNear,
    sink: &mut dyn NearItemSink,
) -> ControlFlow<()> {
    near_walk::descend(
        simd,
        &tree.nodes,
        near.near(),
        near.limit(sink.limit()),
        #[inline(always)]
        |_, (first, _), limit| {
            sink.enter(tree.item(first))?;
            ControlFlow::Continue(smaller(near.limit(sink.limit()), limit))
        },
    )
}

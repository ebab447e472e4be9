//! Traversal in `f64`: for rays and points that are unfit for `f32`, such as those far beyond the
//! tree's reach, or in trees with triangles of all magnitudes at once; and for moving spheres.

use super::collector_walk::offering;
use super::mapped::{TriangleSink, Visited};
use super::step_counter::StepCounter;
use crate::wide::{Child, MOST_WAITING, Node, WIDTH, WideTree};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_core::InlineMap;
use estoc_core::exact::PreparedRay;
use estoc_core::{BoxQuestion, Collector, HitRule, PrimId, Triangle};

/// Visits every leaf whose box, and those around it, `enter` gives a number up to the limit; in the
/// order of these numbers, among the children of a node. Of a box that is refused, the number is NaN.
/// `visit` takes the first slot, the length and the number of a leaf, and the limit; it returns the
/// limit, perhaps lowered, or `None` at the end of the query.
#[inline(always)]
pub(super) fn descend_f64(
    nodes: &[Node],
    mut limit: f64,
    mut enter: impl FnMut(&Node, f64) -> [f64; WIDTH],
    mut visit: impl FnMut((usize, usize), f64, f64) -> Option<f64>,
) -> Visited {
    let mut waiting = ArrayVec::<(f64, Child), MOST_WAITING>::new();
    if !nodes.is_empty() {
        waiting.push((f64::NEG_INFINITY, Child::Node(0)));
    }
    while let Some((entry, child)) = waiting.pop() {
        if entry > limit {
            continue;
        }
        match child {
            Child::Leaf { first, len } => limit = visit((first, len), entry, limit)?,
            Child::Node(place) => {
                let node = &nodes[place];
                let entries = enter(node, limit);
                let bottom = waiting.len();
                for lane in node.lanes().filter(|&lane| entries[lane] <= limit) {
                    // The first on top.
                    let mut above = waiting.len();
                    while above > bottom && waiting[above - 1].0 < entries[lane] {
                        above -= 1;
                    }
                    waiting.insert(above, (entries[lane], node.child(lane)));
                }
            }
        }
    }
    Some(limit)
}

/// Returns a number of each box of a node, NaN where `of` returns none.
pub(super) fn of_boxes(
    node: &Node,
    mut of: impl FnMut([f32; 3], [f32; 3]) -> Option<f64>,
) -> [f64; WIDTH] {
    let mut numbers = [f64::NAN; WIDTH];
    for lane in node.lanes() {
        let (min, max) = node.bounds(lane);
        numbers[lane] = of(min, max).unwrap_or(f64::NAN);
    }
    numbers
}

#[cold]
#[inline(never)]
pub(super) fn walk_f64(
    tree: &WideTree,
    ray: &PreparedRay<'_>,
    collector: &mut Collector<'_>,
    watch: &dyn StepCounter,
) {
    let boxes = BoxQuestion::new(ray);
    let enter = |min, max, t_limit| boxes.enter(min, max, t_limit);
    walk_boxes(tree, &enter, collector.t_limit(), collector, watch);
}

impl TriangleSink for Collector<'_> {
    fn counts(&self) -> Option<(bool, HitRule<PrimId>)> {
        self.counts()
    }

    #[inline(always)]
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        offering(self)(prim, triangle)
    }

    #[inline(always)]
    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        self.count(hits)
    }
}

/// Offers the triangles of all leaves whose boxes are entered up to the limit, nearer boxes first.
/// `enter` takes a box in the mesh's units and the limit, and returns a lower bound of the parameters
/// in it.
pub(super) fn walk_boxes(
    tree: &WideTree,
    enter: &dyn Fn([f32; 3], [f32; 3], f64) -> Option<f64>,
    t_limit: f64,
    sink: &mut dyn TriangleSink,
    watch: &dyn StepCounter,
) -> Visited {
    descend_f64(
        &tree.nodes,
        t_limit,
        |node, limit| {
            watch.node();
            of_boxes(node, |min, max| {
                let [min, max] = [min, max].inline_map(|p| tree.unscaled(p));
                enter(min, max, limit)
            })
        },
        |(first, len), _, mut limit| {
            watch.leaf();
            for place in 0..len {
                watch.triangle();
                let (prim, triangle) = tree.triangle(first, len, place);
                limit = sink.offer(prim, &triangle)?;
            }
            Some(limit)
        },
    )
}

//! Traversal with any single ray, whose candidates go to a collector.

use super::f64_walk::walk_f64;
use super::kernel_ray::{KernelRay, Prepared};
use super::leaf_ray::LeafRay;
use super::leaf_visits::LeafVisits;
use super::prefetch::Ahead;
use super::single_walk::descend;
use super::step_counter::TraversalSteps;
use super::wanted::Wanted;
use crate::wide::{Tag, WideTree};
use core::cell::Cell;
use core::ops::ControlFlow;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, RayKind, RayTest};
use fearless_simd::Simd;

/// Offers the collector every triangle that the ray may hit up to its limit, or counts it where
/// that suffices and the kernels are certain.
#[inline(always)]
pub(super) fn walk<S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    question: &PreparedRay<'_>,
    collector: &mut Collector<'_>,
    steps: &Cell<TraversalSteps>,
) {
    if tree.nodes.is_empty() {
        return;
    }
    let ray = match KernelRay::prepare(simd, question, tree) {
        Prepared::Ready(ray) => ray,
        Prepared::Unfit => return walk_f64(tree, question, collector, steps),
        Prepared::Misses => return,
    };
    let view = tree.view();
    let mut leaves = LeafVisits::new();
    leaves.begin::<W>(&ray.ends, collector.hit_rule(), false);
    // Computed at the first leaf: many rays reach none.
    let mut leaf_ray = None;
    let limit = ray.ends.limit(collector.t_limit());
    let ahead = Ahead::of_ray(tree, view, wanted, question.ray().t_max);
    let _ = descend(
        simd,
        wanted,
        (&tree.nodes, ahead),
        &ray.boxes,
        (limit, Tag::NODE, 0),
        steps,
        #[inline(always)]
        |simd: S, leaf: (usize, usize), limit: f32| {
            let leaf_ray = &*leaf_ray.get_or_insert_with(
                #[inline(always)]
                || LeafRay::of(&ray),
            );
            let of_ray = (leaf_ray, &ray.ends);
            let dir = Some(question.dir());
            leaves.visit(
                simd,
                wanted,
                of_ray,
                dir,
                view,
                leaf,
                limit,
                #[inline(always)]
                |(first, len, place)| {
                    let (prim, triangle) = view.triangle(first, len, place);
                    offering(collector)(prim, &triangle)
                },
                steps,
            )
        },
    );
    leaves.end(tree, view, collector, steps);
}

/// Returns a function that offers a collector a candidate, and returns the limit, or `None` at the end of
/// the query.
pub(super) fn offering<P: RayTest<R>, R: RayKind>(
    collector: &mut Collector<'_, P, R>,
) -> impl FnMut(P::Id, &P) -> Option<f64> {
    #[inline(always)]
    |prim, triangle| match collector.offer(prim, triangle) {
        ControlFlow::Break(()) => None,
        ControlFlow::Continue(()) => Some(collector.t_limit()),
    }
}

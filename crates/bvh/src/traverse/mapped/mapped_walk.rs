//! Traversals with a ray of another space.

use super::mapped_frame::{MappedFrame, MappedRay};
use super::{TriangleSink, Visited};
use crate::simd_level::at_level;
use crate::traverse::f64_walk::walk_boxes;
use crate::traverse::kernel_ray::KernelRay;
use crate::traverse::leaf_block::with_block;
use crate::traverse::leaf_ray::LeafRay;
use crate::traverse::leaf_test::leaf_test;
use crate::traverse::leaf_visits::{LeafVisits, smaller};
use crate::traverse::prefetch::Ahead;
use crate::traverse::single_walk::descend;
use crate::traverse::wanted::{Closest, HitCount};
use crate::wide::{Tag, WideTree};
use core::ops::ControlFlow;
use estoc_core::{HitRule, PrimId};
use fearless_simd::{Level, Simd};

/// Offers every triangle that the ray may hit up to the limit, nearer boxes first. Returns `None`,
/// and offers nothing, for a ray that is unfit for `f32`.
pub(crate) fn visit_mapped(
    tree: &WideTree,
    level: Level,
    ray: &MappedRay,
    t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Option<Visited> {
    if tree.nodes.is_empty() {
        return Some(Some(t_limit));
    }
    at_level!(level, simd => match ray.frame(tree, t_limit) {
        MappedFrame::Misses => Some(Some(t_limit)),
        MappedFrame::Unfit => None,
        MappedFrame::Ready(frame) => {
            let kernel = KernelRay::of_frame(simd, frame, tree.measures.reach);
            Some(walk(simd, tree, &kernel, (Tag::NODE, 0), t_limit, sink))
        }
    })
}

/// Traverses what is below a node or in a leaf. Compiled once for each level.
#[inline(never)]
pub(super) fn walk<S: Simd>(
    simd: S,
    tree: &WideTree,
    ray: &KernelRay,
    start: (Tag, u32),
    t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Visited {
    match sink.counts() {
        Some(counting) => walk_counting(simd, counting, tree, ray, start, t_limit, sink),
        None => simd.vectorize(
            #[inline(always)]
            || walk_offering(simd, tree, ray, start, t_limit, sink),
        ),
    }
}

/// Counts what is certainly hit, and offers what may be. Spans would make first hits 3 to 8 % slower: there
/// is hardly more than one candidate in each object, which the sink has to certify in any case.
#[inline(never)]
fn walk_counting<S: Simd>(
    simd: S,
    counting: (bool, HitRule<PrimId>),
    tree: &WideTree,
    ray: &KernelRay,
    start: (Tag, u32),
    t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Visited {
    simd.vectorize(
        #[inline(always)]
        || walk_counting_with(simd, counting, tree, ray, start, t_limit, sink),
    )
}

#[inline(always)]
fn walk_counting_with<S: Simd>(
    simd: S,
    (ends_at_any, rule): (bool, HitRule<PrimId>),
    tree: &WideTree,
    ray: &KernelRay,
    (tag, place): (Tag, u32),
    mut t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Visited {
    let ends = match tree.measures.may_be_certain(ray.origin) {
        true => ray.ends.certain_to(t_limit),
        false => ray.ends,
    };
    let wanted = HitCount { ends_at_any };
    let leaf_ray = LeafRay::of(ray);
    let view = tree.view();
    let mut leaves = LeafVisits::new();
    leaves.begin::<HitCount>(&ends, rule, false);
    let visited = descend(
        simd,
        wanted,
        (&tree.nodes, Ahead::Nothing),
        &ray.boxes,
        (ends.limit(t_limit), tag, place),
        &(),
        #[inline(always)]
        |simd: S, leaf: (usize, usize), limit: f32| {
            let of_ray = (&leaf_ray, &ends);
            leaves.visit(
                simd,
                wanted,
                of_ray,
                None,
                view,
                leaf,
                limit,
                #[inline(always)]
                |(first, len, place)| {
                    let (prim, triangle) = view.triangle(first, len, place);
                    t_limit = sink.offer(prim, &triangle)?;
                    Some(t_limit)
                },
                &(),
            )
        },
    );
    let is_over = match leaves.counted() {
        0 => visited.is_break(),
        hits => sink.count(hits).is_break() || visited.is_break(),
    };
    (!is_over).then_some(t_limit)
}

#[inline(always)]
fn walk_offering<S: Simd>(
    simd: S,
    tree: &WideTree,
    ray: &KernelRay,
    (tag, place): (Tag, u32),
    mut t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Visited {
    let KernelRay { boxes, ends, .. } = ray;
    let leaf_ray = LeafRay::of(ray);
    let leaves = tree.view();
    let visited = descend(
        simd,
        Closest,
        (&tree.nodes, Ahead::Nothing),
        boxes,
        (ends.limit(t_limit), tag, place),
        &(),
        #[inline(always)]
        |simd: S, (first, len): (usize, usize), mut limit: f32| {
            let mut hits = with_block(
                simd,
                leaves,
                (first, len),
                #[inline(always)]
                |block| leaf_test(simd, block, &leaf_ray, limit),
            );
            while hits != 0 {
                let place = hits.trailing_zeros() as usize;
                hits &= hits - 1;
                let (prim, triangle) = leaves.triangle(first, len, place);
                let Some(nearer) = sink.offer(prim, &triangle) else {
                    return ControlFlow::Break(());
                };
                t_limit = nearer;
                limit = smaller(ends.limit(t_limit), limit);
            }
            ControlFlow::Continue(limit)
        },
    );
    visited.is_continue().then_some(t_limit)
}

/// Offers every triangle in leaves whose boxes, and those around these, `enter` does not refuse.
///
/// `enter` is called with a box in the tree's space and with the limit. It returns a lower bound of
/// the parameters at which a ray may hit what is in the box, or `None` if it hits nothing there.
#[cold]
#[inline(never)]
pub(crate) fn visit_boxes(
    tree: &WideTree,
    enter: &dyn Fn([f32; 3], [f32; 3], f64) -> Option<f64>,
    t_limit: f64,
    sink: &mut dyn TriangleSink,
) -> Visited {
    walk_boxes(tree, enter, t_limit, sink, &())
}

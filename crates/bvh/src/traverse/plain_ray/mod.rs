//! Traversal with one plain ray: in the tree's usual frame, without options, or only with a triangle
//! that it skips. Most single rays are plain. Those whose directions are too long or too short are
//! scaled first ([`ScaledRay`]); the others take the path of `collector_walk.rs`.
//!
//! A hit that `f32` is certain of is not certified again: if it remains the nearest one, its
//! numbers are only rounded. Exact arithmetic decides the others where they are met (`doubts.rs`).

pub(super) mod decider;
pub(super) mod doubts;
pub mod leaf;
mod plain_question;
pub mod ray;
mod triangle_ray;
pub(super) mod wide_ray;

use super::kernel_ray::grant;
use super::leaf_block::with_block;
use super::nearest_certain::NearestCertain;
use super::prefetch::Ahead;
use super::single_walk::descend;
use super::skipped::Skipped;
use super::step_counter::StepCounter;
use super::wanted::{Any, Closest};
use crate::simd_level::at_level;
use crate::wide::{Layout, LeafView, Tag, WideTree};
use core::cell::Cell;
use core::ops::ControlFlow;
use decider::{Decider, TracedRay};
use doubts::Doubts;
use estoc_core::{Hit, Ray};
use fearless_simd::{Level, Simd};
pub(crate) use plain_question::PlainQuestion;
use ray::PlainRay;
pub(crate) use triangle_ray::hit_with_triangle;
pub(crate) use wide_ray::answer_wide;

/// Answers for a ray all of whose hits count.
///
/// Compiled apart for leaves that hold corners: with one more argument, plain rays without options
/// are 8 % slower.
pub(crate) fn answer<W: PlainQuestion>(tree: &WideTree, level: Level, ray: &Ray) -> W::Answer<Hit> {
    const NONE: Skipped = Skipped::NONE;
    match tree.leaves.layout() {
        Layout::Fast => {
            at_level!(move level, simd => answer_with::<_, W>(simd, tree, blocks, ray, NONE, &()))
        }
        Layout::Compact => answer_skipping::<W>(tree, level, ray, NONE, &Cell::new(0)),
    }
}

/// Answers for a ray all of whose hits count but those on the triangle skipped, and adds the nodes and
/// leaves that it visits to `visits`.
pub(crate) fn answer_skipping<W: PlainQuestion>(
    tree: &WideTree,
    level: Level,
    ray: &Ray,
    skipped: Skipped,
    visits: &Cell<u32>,
) -> W::Answer<Hit> {
    at_level!(level, simd => {
        answer_with::<_, W>(simd, tree, WideTree::view, ray, skipped, visits)
    })
}

#[inline(always)]
fn answer_with<S: Simd, W: PlainQuestion>(
    simd: S,
    tree: &WideTree,
    leaves: impl Fn(&WideTree) -> LeafView<'_>,
    ray: &Ray,
    skipped: Skipped,
    watch: &impl StepCounter,
) -> W::Answer<Hit> {
    let Some(plain) = PlainRay::of(simd, ray, &tree.measures) else {
        let (found, visits) = W::general(tree, simd.level(), ray, skipped);
        for _ in 0..visits {
            watch.node();
        }
        return found;
    };
    W::trace(simd, (tree, leaves(tree)), (ray, plain), skipped, watch)
}

/// Returns the first hit on a plain ray.
#[inline(always)]
pub(super) fn closest_plain<S: Simd, D: TracedRay>(
    simd: S,
    (tree, leaves): (&WideTree, LeafView<'_>),
    (ray, plain): (&D, PlainRay<S>),
    skipped: Skipped,
    watch: &impl StepCounter,
) -> Option<<D::Decider as Decider>::Hit> {
    // A copy: an array indexed by a number that is not known at compile time is kept in memory, and
    // all of `plain` with it.
    let inverse = plain.inverse_dir;
    let end = ray.end(&plain);
    let mut leaf_ray = None;
    let mut kept = NearestCertain::NONE;
    let mut doubts = Doubts::new();
    let _ = descend(
        simd,
        Closest,
        (&tree.nodes, Ahead::of_ray(tree, leaves, Closest, end)),
        &plain,
        (grant(end), Tag::NODE, 0),
        watch,
        #[inline(always)]
        |simd: S, (first, len): (usize, usize), limit: f32| {
            if doubts.is_in_plane() && doubts::are_parallel(simd, tree, ray.decider(), (first, len))
            {
                return ControlFlow::Continue(limit);
            }
            ray.foresee_leaf((first, len));
            let leaf_ray = &*leaf_ray.get_or_insert_with(
                #[inline(always)]
                || ray.span_ray(&plain, &inverse),
            );
            let mut spans = with_block(
                simd,
                leaves,
                (first, len),
                #[inline(always)]
                |block| leaf::spans(simd, block, leaf_ray, limit),
            );
            if spans.passed.maybe == 0 {
                return ControlFlow::Continue(limit);
            }
            spans.passed = skipped.leave(simd, leaves, (first, len), spans.passed);
            kept = match kept.and(&spans, first, len) {
                Some(kept) => kept,
                None => doubts.settle(
                    simd,
                    tree,
                    ray.decider(),
                    (kept, spans.passed.maybe, first, len),
                ),
            };
            ray.foresee(&kept);
            let nearer = grant(kept.limit());
            ControlFlow::Continue(if nearer < limit { nearer } else { limit })
        },
    );
    hit_of(simd, tree, leaves, ray.decider(), (kept, &doubts))
}

/// Returns the hit that has remained the nearest one.
#[inline(always)]
pub(super) fn hit_of<S: Simd, D: Decider>(
    simd: S,
    tree: &WideTree,
    leaves: LeafView<'_>,
    ray: &D,
    (kept, doubts): (NearestCertain, &Doubts<D::Touch>),
) -> Option<D::Hit> {
    let place = kept.place()?;
    if doubts.exist() {
        return doubts.certified(tree, ray, place);
    }
    match ray.certain_hit(simd, leaves, place) {
        None => doubts.certified(tree, ray, place),
        hit => hit,
    }
}

/// Returns whether a plain ray hits anything.
#[inline(always)]
pub(super) fn any_plain<S: Simd>(
    simd: S,
    (tree, leaves): (&WideTree, LeafView<'_>),
    (ray, plain): (&impl TracedRay, PlainRay<S>),
    skipped: Skipped,
    watch: &impl StepCounter,
) -> bool {
    // A copy: an array indexed by a number that is not known at compile time is kept in memory, and
    // all of `plain` with it.
    let inverse = plain.inverse_dir;
    let end = ray.end(&plain);
    let mut leaf_ray = None;
    let mut crowd = doubts::CROWD;
    let found = descend(
        simd,
        Any,
        (&tree.nodes, Ahead::of_ray(tree, leaves, Any, end)),
        &plain,
        (grant(end), Tag::NODE, 0),
        watch,
        #[inline(always)]
        |simd: S, (first, len): (usize, usize), limit: f32| {
            if crowd == 1 && doubts::are_parallel(simd, tree, ray.decider(), (first, len)) {
                return ControlFlow::Continue(limit);
            }
            let leaf_ray = &*leaf_ray.get_or_insert_with(
                #[inline(always)]
                || ray.span_ray(&plain, &inverse),
            );
            let passed = with_block(
                simd,
                leaves,
                (first, len),
                #[inline(always)]
                |block| leaf::spans(simd, block, leaf_ray, end).passed,
            );
            let passed = skipped.leave(simd, leaves, (first, len), passed);
            if passed.certain != 0 {
                return ControlFlow::Break(());
            }
            if passed.maybe != 0 {
                match doubts::any(simd, tree, ray.decider(), (passed.maybe, first, len), crowd) {
                    None => return ControlFlow::Break(()),
                    Some(now) => crowd = now,
                }
            }
            ControlFlow::Continue(limit)
        },
    );
    found.is_break()
}

/// Returns the leaves of a tree in the [fast layout](Layout::Fast), which the compiler then knows:
/// it keeps more in registers where no call can gather corners.
#[inline(always)]
fn blocks(tree: &WideTree) -> LeafView<'_> {
    debug_assert!(tree.scale.is_one(), "a scaled tree has no plain rays");
    tree.leaves.blocks()
}

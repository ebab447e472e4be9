//! What `f32` leaves open for a plain ray, settled exactly where it is met.

use super::super::leaf_block::with_block;
use super::super::nearest_certain::NearestCertain;
use super::super::parallel_triangles::parallel_triangles;
use super::super::t_spans::Spans;
use crate::wide::{WIDTH, WideTree};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use estoc_core::exact::{PreparedRay, Touch};
use estoc_core::{Hit, Ray};
use fearless_simd::{Simd, f32x8};

/// The number of leaves with doubts after which a ray starts again on the general path, which
/// keeps the nearest hit's certificate.
const MANY: u32 = 8;

/// The number of triangles in doubt of one leaf from which a ray is likely to lie in the plane of
/// many.
const CROWD: u32 = 3;

/// Counts the leaves that left doubts.
pub(super) struct Doubts(u32);

impl Doubts {
    pub(super) const NONE: Doubts = Doubts(0);

    /// Returns the nearest hit after a leaf whose hits are not all certain, or not in their order;
    /// breaks where there have been many such leaves.
    #[cold]
    #[inline(never)]
    pub(super) fn settle<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        ray: &Ray,
        (kept, spans, first, len): (NearestCertain, Spans<f32x8<S>>, usize, usize),
    ) -> ControlFlow<(), NearestCertain> {
        self.0 += 1;
        let Some(question) = PreparedRay::new(ray).filter(|_| self.0 <= MANY) else {
            return ControlFlow::Break(());
        };
        let mut best = kept
            .place()
            .and_then(|place| Some((touched(tree, &question, place)?, kept)));
        let mut hits = left(simd, tree, &question, (spans.passed.maybe, first, len));
        while hits != 0 {
            let place = hits.trailing_zeros() as usize % WIDTH;
            hits &= hits - 1;
            let Some(touch) = touched(tree, &question, (first, len, place)) else {
                continue;
            };
            let is_nearer = |(best, _): &(Touch, _)| question.order(&touch, best) == Ordering::Less;
            if best.as_ref().is_none_or(is_nearer) {
                let low = (touch.t_low() as f32).next_down();
                let high = (touch.t_high() as f32).next_up();
                best = Some((touch, NearestCertain::at((first, len, place), low, high)));
            }
        }
        ControlFlow::Continue(best.map_or(NearestCertain::NONE, |(_, kept)| kept))
    }
}

/// Returns whether the ray hits any of the triangles of a leaf that are in doubt.
#[cold]
#[inline(never)]
pub(super) fn any<S: Simd>(
    simd: S,
    tree: &WideTree,
    ray: &Ray,
    (maybe, first, len): (u32, usize, usize),
) -> bool {
    let Some(question) = PreparedRay::new(ray) else {
        return false;
    };
    let mut hits = left(simd, tree, &question, (maybe, first, len));
    while hits != 0 {
        let place = hits.trailing_zeros() as usize % WIDTH;
        hits &= hits - 1;
        if touched(tree, &question, (first, len, place)).is_some() {
            return true;
        }
    }
    false
}

/// Returns the hit of a triangle by its certificate.
#[cold]
#[inline(never)]
pub(super) fn certified(tree: &WideTree, ray: &Ray, place: (usize, usize, usize)) -> Option<Hit> {
    let question = PreparedRay::new(ray)?;
    let touch = touched(tree, &question, place)?;
    Some(question.hit(&touch))
}

/// Returns those of some triangles that are not certainly parallel to the ray, as bits.
fn left<S: Simd>(
    simd: S,
    tree: &WideTree,
    question: &PreparedRay<'_>,
    (maybe, first, len): (u32, usize, usize),
) -> u32 {
    if maybe.count_ones() < CROWD {
        return maybe;
    }
    let parallel = with_block(simd, tree.view(), (first, len), |block| {
        parallel_triangles(simd, block, question.dir())
    });
    maybe & !parallel
}

fn touched(
    tree: &WideTree,
    question: &PreparedRay<'_>,
    (first, len, place): (usize, usize, usize),
) -> Option<Touch> {
    let (prim, triangle) = tree.triangle(first, len, place);
    question.touch(prim, &triangle, f64::INFINITY)
}

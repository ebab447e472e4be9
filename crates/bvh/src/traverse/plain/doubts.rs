//! What `f32` leaves open for a plain ray, settled exactly where it is met.

use super::super::leaf_block::with_block;
use super::super::nearest_certain::NearestCertain;
use super::super::parallel_triangles::parallel_triangles;
use crate::wide::{WIDTH, WideTree};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use estoc_core::exact::{PreparedRay, Touch};
use estoc_core::{Hit, Ray};
use fearless_simd::Simd;

/// The number of leaves with doubts after which a ray starts again on the general path, which
/// keeps the nearest hit's certificate.
const MANY: u32 = 8;

/// The number of triangles in doubt of one leaf from which a ray is likely to lie in the plane of
/// many.
const CROWD: u32 = 3;

/// The doubts of a ray so far.
pub(super) struct Doubts {
    /// The number of leaves that left some.
    leaves: u32,
    /// The number of triangles of a leaf from which those parallel to the ray are dropped first.
    crowd: u32,
}

impl Doubts {
    pub(super) const NONE: Doubts = Doubts {
        leaves: 0,
        crowd: CROWD,
    };

    /// Returns the nearest hit after a leaf whose hits are not all certain, or not in their order;
    /// breaks where there have been many such leaves.
    #[cold]
    #[inline(never)]
    pub(super) fn settle<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        ray: &Ray,
        (kept, maybe, first, len): (NearestCertain, u32, usize, usize),
    ) -> ControlFlow<(), NearestCertain> {
        let Some(question) = self.question(ray) else {
            return ControlFlow::Break(());
        };
        let mut best = kept
            .place()
            .and_then(|place| Some((touched(tree, &question, place)?, kept)));
        for place in self.left(simd, tree, &question, (maybe, first, len)) {
            let place = (first, len, place);
            let Some(touch) = touched(tree, &question, place) else {
                continue;
            };
            let is_nearer = |(best, _): &(Touch, _)| question.order(&touch, best) == Ordering::Less;
            if best.as_ref().is_none_or(is_nearer) {
                let low = (touch.t_low() as f32).next_down();
                let high = (touch.t_high() as f32).next_up();
                best = Some((touch, NearestCertain::at(place, low, high)));
            }
        }
        ControlFlow::Continue(best.map_or(NearestCertain::NONE, |(_, kept)| kept))
    }

    /// Returns whether the ray hits any of the triangles of a leaf that are in doubt; `None` where
    /// there have been many such leaves.
    #[cold]
    #[inline(never)]
    pub(super) fn settle_any<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        ray: &Ray,
        (maybe, first, len): (u32, usize, usize),
    ) -> Option<bool> {
        let question = self.question(ray)?;
        let mut left = self.left(simd, tree, &question, (maybe, first, len));
        Some(left.any(|place| touched(tree, &question, (first, len, place)).is_some()))
    }

    /// Counts a leaf, and returns the ray for exact tests; `None` after too many leaves.
    fn question<'r>(&mut self, ray: &'r Ray) -> Option<PreparedRay<'r>> {
        self.leaves += 1;
        // A plain ray is defined.
        PreparedRay::new(ray).filter(|_| self.leaves <= MANY)
    }

    /// Returns the places of triangles of a leaf, without those that are certainly parallel to the
    /// ray where it seems to lie in the plane of many.
    fn left<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        question: &PreparedRay<'_>,
        (mut maybe, first, len): (u32, usize, usize),
    ) -> impl Iterator<Item = usize> + use<S> {
        if maybe.count_ones() >= self.crowd {
            let parallel = with_block(simd, tree.view(), (first, len), |block| {
                parallel_triangles(simd, block, question.dir())
            });
            if maybe & parallel != 0 {
                self.crowd = 1; // more are likely
            }
            maybe &= !parallel;
        }
        (0..WIDTH).filter(move |place| maybe >> place & 1 == 1)
    }
}

/// Returns the hit of a triangle by its certificate.
#[cold]
#[inline(never)]
pub(super) fn certified(tree: &WideTree, ray: &Ray, place: (usize, usize, usize)) -> Option<Hit> {
    let question = PreparedRay::new(ray)?;
    let touch = touched(tree, &question, place)?;
    Some(question.hit(&touch))
}

fn touched(
    tree: &WideTree,
    question: &PreparedRay<'_>,
    (first, len, place): (usize, usize, usize),
) -> Option<Touch> {
    let (prim, triangle) = tree.triangle(first, len, place);
    question.touch(prim, &triangle, f64::INFINITY)
}

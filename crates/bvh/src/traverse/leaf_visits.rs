//! Visits the leaves that a traversal reaches.

use super::kernel_ray::{RayEnds, grant};
use super::leaf_block::with_block;
use super::leaf_ray::LeafRay;
use super::leaf_test::leaf_test;
use super::nearest_certain::NearestCertain;
use super::parallel_triangles::parallel_triangles;
use super::plain_ray::leaf::{SpanRay, spans};
use super::ray_target::{Place, RayTarget};
use super::skipped::Skipped;
use super::step_counter::StepCounter;
use super::t_spans::Passed;
use super::wanted::Wanted;
use crate::wide::{Block, LeafView};
use core::ops::ControlFlow;
use estoc_core::{Collector, HitRule, PrimId, RayKind};
use fearless_simd::Simd;

/// The number of triangles of one leaf that pass the test when the ray lies in the plane of many,
/// and hardly ever otherwise.
const CROWD: u32 = 3;

/// The result of a leaf test.
enum Tested {
    /// The new limit, or the end of the query.
    Decided(ControlFlow<(), f32>),
    /// Triangles, as bits, that exact arithmetic has to decide.
    Unsure(u32),
}

/// The state of a ray over all leaves that it visits: 40 bytes.
pub(super) struct LeafVisits {
    /// [`RayEnds::greatest`], if hits count that kernels are certain of.
    sure: Option<f32>,
    /// The triangle that such a ray skips.
    skipped: Skipped,
    kept: NearestCertain,
    /// The number of certain hits, where that suffices.
    counted: u32,
    crowd: u32,
}

const _: () = assert!(size_of::<LeafVisits>() == 40);

impl LeafVisits {
    #[inline(always)]
    pub(super) fn new() -> Self {
        LeafVisits {
            sure: None,
            skipped: Skipped::NONE,
            kept: NearestCertain::NONE,
            counted: 0,
            crowd: CROWD,
        }
    }

    /// Starts a ray; `rule` is the result of [`Collector::hit_rule`]. In frames of other units or starts, spans
    /// decide first hits only if `has_spans_in_any_frame`.
    #[inline(always)]
    pub(super) fn begin<W: Wanted>(
        &mut self,
        ends: &RayEnds,
        rule: HitRule<PrimId>,
        has_spans_in_any_frame: bool,
    ) {
        let skipped = match rule {
            // Hits that are certain are at no edge.
            HitRule::Inner if W::NUMBER => Some(Skipped::NONE),
            rule => Skipped::of(rule),
        };
        let is_own = ends.unit == 1.0 && ends.start == 0.0;
        let pays = !W::FIRST || has_spans_in_any_frame || is_own;
        self.sure = skipped.and(ends.greatest).filter(|_| pays);
        self.skipped = skipped.unwrap_or(Skipped::NONE);
        self.kept = NearestCertain::NONE;
        self.counted = 0;
        self.crowd = CROWD;
    }

    /// Offers what the ray may hit of a leaf up to the limit, counts it, or defers it. Returns the
    /// new limit, or breaks at the end of the query. `dir` is the ray's direction where it is exact; `offer`
    /// takes a candidate by its place, and returns the parameter beyond which nothing is wanted, or `None` at the end.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of a traversal, in registers"
    )]
    pub(super) fn visit<S: Simd, W: Wanted>(
        &mut self,
        simd: S,
        wanted: W,
        (ray, ends): (&LeafRay, &RayEnds),
        dir: Option<[f64; 3]>,
        all: LeafView<'_>,
        (first, len): (usize, usize),
        limit: f32,
        mut offer: impl FnMut(Place) -> Option<f64>,
        watch: &impl StepCounter,
    ) -> ControlFlow<(), f32> {
        let tested = with_block(
            simd,
            all,
            (first, len),
            #[inline(always)]
            |block| self.test(simd, wanted, block, (ray, dir), all, (first, len), limit),
        );
        let mut hits = match tested {
            Tested::Decided(limit) => return limit,
            Tested::Unsure(hits) => hits,
        };
        let mut t_limit = f64::INFINITY;
        if let Some(kept) = self.kept() {
            // The deferred hit is one of those whose order is not certain.
            self.kept = NearestCertain::NONE;
            watch.triangle();
            if offer(kept).is_none() {
                return ControlFlow::Break(());
            }
        }
        while hits != 0 {
            let place = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            watch.triangle();
            match offer((first, len, place)) {
                Some(nearer) => t_limit = nearer,
                None => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(smaller(ends.limit(t_limit), limit))
    }

    /// Tests a leaf, and counts or defers its certain hits.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of a traversal, in registers"
    )]
    fn test<S: Simd, W: Wanted>(
        &mut self,
        simd: S,
        wanted: W,
        block: Block<'_>,
        (ray, dir): (&LeafRay, Option<[f64; 3]>),
        all: LeafView<'_>,
        (first, len): (usize, usize),
        limit: f32,
    ) -> Tested {
        let mut hits;
        match self.sure {
            Some(greatest) if W::FIRST => {
                let mut spans = spans(simd, block, &SpanRay::of_prepared(ray, greatest), limit);
                if spans.passed.maybe == 0 {
                    return Tested::Decided(ControlFlow::Continue(limit));
                }
                spans.passed = (self.skipped).leave(simd, all, (first, len), spans.passed);
                if let Some(kept) = self.kept.and(&spans, first, len) {
                    self.kept = kept;
                    let nearer = smaller(grant(kept.limit()), limit);
                    return Tested::Decided(ControlFlow::Continue(nearer));
                }
                hits = spans.passed.maybe;
            }
            Some(greatest) if W::NUMBER => {
                let ray = SpanRay::of_prepared(ray, greatest);
                let mut passed = spans(simd, block, &ray, limit).passed;
                if passed.maybe != 0 {
                    passed = (self.skipped).leave(simd, all, (first, len), passed);
                }
                let Passed { maybe, certain } = passed;
                hits = maybe & !certain;
                if certain != 0 {
                    self.counted += certain.count_ones();
                    if wanted.ends_at_any() {
                        return Tested::Decided(ControlFlow::Break(()));
                    }
                }
            }
            _ => hits = leaf_test(simd, block, ray, limit),
        }
        if hits.count_ones() >= self.crowd
            && let Some(dir) = dir
        {
            let parallel = parallel_triangles(simd, block, dir);
            if hits & parallel != 0 {
                self.crowd = 1; // more are likely
            }
            hits &= !parallel;
        }
        match hits {
            0 => Tested::Decided(ControlFlow::Continue(limit)),
            hits => Tested::Unsure(hits),
        }
    }

    /// Reports deferred and counted hits to the collector.
    #[inline(always)]
    pub(super) fn end<R: RayKind, T: RayTarget<R>>(
        &self,
        target: T,
        all: LeafView<'_>,
        collector: &mut Collector<'_, T::Primitive, R>,
        watch: &impl StepCounter,
    ) {
        if let Some(kept) = self.kept()
            && let Some((prim, triangle)) = target.triangle(all, kept)
        {
            watch.triangle();
            let _ = collector.offer(prim, &triangle);
        }
        if self.counted > 0 {
            let _ = collector.count(self.counted());
        }
    }

    /// Returns the number of counted hits.
    #[inline(always)]
    pub(super) fn counted(&self) -> usize {
        self.counted as usize
    }

    /// Returns the deferred hit.
    #[inline(always)]
    pub(super) fn kept(&self) -> Option<Place> {
        self.kept.place()
    }
}

/// Returns the smaller number, the second if the first is NaN: in one instruction, unlike
/// [`f32::min`], which has to ignore a NaN.
#[inline(always)]
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

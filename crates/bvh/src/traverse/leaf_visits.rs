//! What a walk does at the leaves that it comes to.

use super::kernel_ray::{Ends, grant};
use super::leaf_block::with_block;
use super::leaf_ray::LeafRay;
use super::leaf_test::{leaf_spans, leaf_test};
use super::nearest_certain::NearestCertain;
use super::parallel_triangles::parallel_triangles;
use super::step_counter::StepCounter;
use super::t_spans::Passed;
use super::wanted::Wanted;
use crate::wide::{Block, LeafView, WideTree};
use core::ops::ControlFlow;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, PrimId, Triangle};
use fearless_simd::Simd;

/// So many triangles of one leaf pass when the ray lies in the plane of many, and hardly ever
/// else.
const CROWD: u32 = 3;

/// Who is shown triangles; made when there is something to show.
pub(super) trait CollectorSource<'r> {
    fn collector(&mut self) -> &mut Collector<'r>;
}

/// Somebody who is there.
pub(super) struct GivenCollector<'a, 'r>(pub(super) &'a mut Collector<'r>);

impl<'r> CollectorSource<'r> for GivenCollector<'_, 'r> {
    #[inline(always)]
    fn collector(&mut self) -> &mut Collector<'r> {
        self.0
    }
}

/// Makes a collector when there is something to offer: most rays without options have nothing.
pub(super) struct OnDemand<'r, F> {
    pub(super) collector: Option<Collector<'r>>,
    pub(super) make: F,
}

impl<'r, F: Fn() -> Collector<'r>> CollectorSource<'r> for OnDemand<'r, F> {
    #[inline(always)]
    fn collector(&mut self) -> &mut Collector<'r> {
        self.collector.get_or_insert_with(&self.make)
    }
}

/// What the test of a leaf has told.
enum Tested {
    /// The limit from then on, or that no more is wanted.
    Decided(ControlFlow<(), f32>),
    /// Triangles, as bits, that exact arithmetic has to look at.
    Unsure(u32),
}

/// A ray's way through the leaves.
pub(super) struct LeafVisits<'t> {
    all: LeafView<'t>,
    /// The ray's own end, where hits that kernels are certain of count.
    sure: Option<f32>,
    kept: NearestCertain,
    /// Hits that were certain, where that is enough.
    counted: usize,
    crowd: u32,
}

impl<'t> LeafVisits<'t> {
    #[inline(always)]
    pub(super) fn new(tree: &'t WideTree) -> Self {
        LeafVisits {
            all: tree.view(),
            sure: None,
            kept: NearestCertain::NONE,
            counted: 0,
            crowd: CROWD,
        }
    }

    /// For a ray whose first hit so far is `kept`; `takes_every_hit` as
    /// [`Collector::takes_every_hit`].
    #[inline(always)]
    pub(super) fn begin(&mut self, ends: &Ends, takes_every_hit: bool, kept: NearestCertain) {
        self.sure = if takes_every_hit { ends.greatest } else { None };
        self.kept = kept;
        self.counted = 0;
        self.crowd = CROWD;
    }

    /// Shows what the ray may hit of a leaf up to the limit, counts it, or keeps it back; the
    /// limit from then on, or that no more is wanted.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of a walk, in registers"
    )]
    pub(super) fn visit<'r, S: Simd, W: Wanted>(
        &mut self,
        simd: S,
        (ray, ends): (&LeafRay, &Ends),
        question: &PreparedRay<'_>,
        (first, len): (usize, usize),
        limit: f32,
        _: W,
        audience: &mut impl CollectorSource<'r>,
        watch: &mut impl StepCounter,
    ) -> ControlFlow<(), f32> {
        let tested = with_block(
            simd,
            self.all,
            (first, len),
            #[inline(always)]
            |block| self.test::<S, W>(simd, block, (ray, question), (first, len), limit),
        );
        let mut hits = match tested {
            Tested::Decided(limit) => return limit,
            Tested::Unsure(hits) => hits,
        };
        let collector = audience.collector();
        if let Some((prim, triangle)) = self.kept() {
            // One that is kept back is one of those that cannot be told apart.
            self.kept = NearestCertain::NONE;
            watch.triangle();
            if collector.offer(prim, &triangle).is_break() {
                return ControlFlow::Break(());
            }
        }
        while hits != 0 {
            let place = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            watch.triangle();
            let (prim, triangle) = self.all.triangle(first, len, place);
            if collector.offer(prim, &triangle).is_break() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(smaller(ends.limit(collector.t_limit()), limit))
    }

    /// Tests a leaf, and counts or keeps back what is certain of its hits.
    #[inline(always)]
    fn test<S: Simd, W: Wanted>(
        &mut self,
        simd: S,
        block: Block<'_>,
        (ray, question): (&LeafRay, &PreparedRay<'_>),
        (first, len): (usize, usize),
        limit: f32,
    ) -> Tested {
        let mut hits;
        match self.sure {
            Some(greatest) if W::FIRST => {
                let spans = leaf_spans(simd, block, ray, limit, greatest);
                if spans.passed.maybe == 0 {
                    return Tested::Decided(ControlFlow::Continue(limit));
                }
                if let Some(kept) = self.kept.and(&spans, first, len) {
                    self.kept = kept;
                    let nearer = smaller(grant(kept.limit()), limit);
                    return Tested::Decided(ControlFlow::Continue(nearer));
                }
                hits = spans.passed.maybe;
            }
            Some(greatest) if W::NUMBER => {
                let Passed { maybe, certain } = leaf_test::<S, true>(simd, block, ray, greatest);
                hits = maybe & !certain;
                if certain != 0 {
                    self.counted += certain.count_ones() as usize;
                    if W::ANY {
                        return Tested::Decided(ControlFlow::Break(()));
                    }
                }
            }
            _ => hits = leaf_test::<S, false>(simd, block, ray, limit).maybe,
        }
        if hits.count_ones() >= self.crowd {
            let parallel = parallel_triangles(simd, block, question.dir());
            if hits & parallel != 0 {
                self.crowd = 1; // more are to be expected
            }
            hits &= !parallel;
        }
        match hits {
            0 => Tested::Decided(ControlFlow::Continue(limit)),
            hits => Tested::Unsure(hits),
        }
    }

    /// Tells the collector what it has not been shown.
    #[inline(always)]
    pub(super) fn end(&self, collector: &mut Collector<'_>, watch: &mut impl StepCounter) {
        if let Some((prim, triangle)) = self.kept() {
            watch.triangle();
            let _ = collector.offer(prim, &triangle);
        }
        if self.counted > 0 {
            let _ = collector.count(self.counted);
        }
    }

    /// How many hits were counted.
    #[inline(always)]
    pub(super) fn counted(&self) -> usize {
        self.counted
    }

    /// The hit that is kept back.
    #[inline(always)]
    pub(super) fn kept(&self) -> Option<(PrimId, Triangle)> {
        let (first, len, place) = self.kept.place()?;
        Some(self.all.triangle(first, len, place))
    }
}

/// One instruction, unlike [`f32::min`], which has to pass over a NaN.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

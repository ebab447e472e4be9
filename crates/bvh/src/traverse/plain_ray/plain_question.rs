//! The questions that single rays answer by one traversal: their first hits, and whether they hit anything.

use super::decider::{Decider, TracedRay};
use super::ray::PlainRay;
use super::{answer_skipping, any_plain, closest_plain};
use crate::traverse::kernel_ray::SPREAD;
use crate::traverse::skipped::Skipped;
use crate::traverse::step_counter::StepCounter;
use crate::traverse::visit;
use crate::traverse::wanted::{Any, Closest, Wanted};
use crate::wide::{LeafView, WideTree};
use core::cell::Cell;
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Collector, Hit, HitOf, IdOf, QueryOptions, Ray, RayEngine, RayKind, ScaledRay, any_visited,
    closest_visited,
};
use fearless_simd::{Level, Simd};

/// The number of visits that a ray counts as if it is neither plain nor scaled to be plain:
/// such rays are traced faster in flight.
const NOT_PLAIN: u32 = 16;

/// A question that one traversal with a plain ray answers.
pub(crate) trait PlainQuestion: Wanted {
    /// The answer, with a type of hits.
    type Answer<H>;

    /// Returns the answer for a ray that hits nothing.
    fn nothing<H>() -> Self::Answer<H>;

    /// Traverses with a plain ray.
    fn trace<S: Simd, D: TracedRay>(
        simd: S,
        tree: (&WideTree, LeafView<'_>),
        ray: (&D, PlainRay<S>),
        skipped: Skipped,
        watch: &impl StepCounter,
    ) -> Self::Answer<<D::Decider as Decider>::Hit>;

    /// Answers for a ray that is not plain, with the number of visits that it counts as.
    fn general(
        tree: &WideTree,
        level: Level,
        ray: &Ray,
        skipped: Skipped,
    ) -> (Self::Answer<Hit>, u32);

    /// Asks an engine about any ray; see [`RayEngine::visit_on`].
    fn visited<R: RayKind, E: RayEngine<R>>(
        engine: &E,
        ray: &R,
        skip: Option<IdOf<E>>,
    ) -> Self::Answer<HitOf<E>>;
}

impl PlainQuestion for Closest {
    type Answer<H> = Option<H>;

    #[inline(always)]
    fn nothing<H>() -> Option<H> {
        None
    }

    #[inline(always)]
    fn trace<S: Simd, D: TracedRay>(
        simd: S,
        tree: (&WideTree, LeafView<'_>),
        ray: (&D, PlainRay<S>),
        skipped: Skipped,
        watch: &impl StepCounter,
    ) -> Option<<D::Decider as Decider>::Hit> {
        closest_plain(simd, tree, ray, skipped, watch)
    }

    #[cold]
    #[inline(never)]
    fn general(tree: &WideTree, level: Level, ray: &Ray, skipped: Skipped) -> (Option<Hit>, u32) {
        if let Some(scaled) = ScaledRay::of(ray, SPREAD) {
            let visits = Cell::new(0);
            let Some(hit) = answer_skipping::<Closest>(tree, level, &scaled.ray, skipped, &visits)
            else {
                return (None, visits.get());
            };
            if let Some(t) = scaled.own_parameter(hit.t) {
                return (Some(Hit { t, ..hit }), visits.get());
            }
        }
        let Some(ray) = PreparedRay::new(ray) else {
            return (None, NOT_PLAIN);
        };
        let options = QueryOptions::new().skip(skipped.prim());
        let mut collector = Collector::first(ray, &options, None);
        visit(tree, level, &ray, &mut collector);
        (collector.first_found(), NOT_PLAIN)
    }

    fn visited<R: RayKind, E: RayEngine<R>>(
        engine: &E,
        ray: &R,
        skip: Option<IdOf<E>>,
    ) -> Option<HitOf<E>> {
        closest_visited(engine, ray, skip)
    }
}

impl PlainQuestion for Any {
    type Answer<H> = bool;

    #[inline(always)]
    fn nothing<H>() -> bool {
        false
    }

    #[inline(always)]
    fn trace<S: Simd, D: TracedRay>(
        simd: S,
        tree: (&WideTree, LeafView<'_>),
        ray: (&D, PlainRay<S>),
        skipped: Skipped,
        watch: &impl StepCounter,
    ) -> bool {
        any_plain(simd, tree, ray, skipped, watch)
    }

    #[cold]
    #[inline(never)]
    fn general(tree: &WideTree, level: Level, ray: &Ray, skipped: Skipped) -> (bool, u32) {
        if let Some(scaled) = ScaledRay::of(ray, SPREAD) {
            let visits = Cell::new(0);
            let found = answer_skipping::<Any>(tree, level, &scaled.ray, skipped, &visits);
            return (found, visits.get());
        }
        let Some(ray) = PreparedRay::new(ray) else {
            return (false, NOT_PLAIN);
        };
        let options = QueryOptions::new().skip(skipped.prim());
        let mut collector = Collector::any(ray, &options, None);
        visit(tree, level, &ray, &mut collector);
        (collector.any_found(), NOT_PLAIN)
    }

    fn visited<R: RayKind, E: RayEngine<R>>(engine: &E, ray: &R, skip: Option<IdOf<E>>) -> bool {
        any_visited(engine, ray, skip)
    }
}

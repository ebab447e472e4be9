//! What decides about the triangles that a plain ray may hit.

use super::super::nearest_certain::NearestCertain;
use super::super::parallel_triangles::parallel_triangles;
use super::leaf::{self, SpanRay};
use super::ray::PlainRay;
use crate::traverse::leaf_block::with_block;
use crate::traverse::ray_target::Place;
use crate::wide::{LeafView, WideTree};
use core::cmp::Ordering;
use estoc_core::exact::{PreparedRay, Touch, round_certain};
use estoc_core::{Hit, Ray, RayTest, Triangle};
use fearless_simd::Simd;

/// A ray that kernels traverse a tree with, as the numbers of a [`PlainRay`].
pub(crate) trait TracedRay {
    /// What decides about the triangles that kernels leave in doubt.
    type Decider: Decider;

    /// Returns what decides about triangles.
    fn decider(&self) -> &Self::Decider;

    /// Returns the ray in the form that leaf tests use.
    fn span_ray<S: Simd>(&self, plain: &PlainRay<S>, inverse: &[f32; 4]) -> SpanRay;

    /// Returns the parameter at which the ray ends, for kernels, or slightly more.
    fn end<S: Simd>(&self, plain: &PlainRay<S>) -> f32;

    /// Prefetches what a hit in a leaf needs, before its test.
    #[inline(always)]
    fn foresee_leaf(&self, leaf: (usize, usize)) {
        let _ = leaf;
    }

    /// Prefetches what a hit needs.
    #[inline(always)]
    fn foresee(&self, kept: &NearestCertain) {
        let _ = kept;
    }
}

/// Decides about the triangles that kernels leave in doubt: those of the tree, or others that its triangles stand
/// for.
pub(crate) trait Decider {
    /// A certified hit.
    type Touch: Copy;
    /// The hit that callers see.
    type Hit;

    /// Returns the certificate of a triangle, if the ray hits it.
    fn touched(&self, tree: &WideTree, place: Place) -> Option<Self::Touch>;

    /// Returns whether one hit comes before another.
    fn is_nearer(&self, touch: &Self::Touch, than: &Self::Touch) -> bool;

    /// Returns an interval of the kernels' parameter around that of a hit.
    fn interval(&self, touch: &Self::Touch) -> (f32, f32);

    /// Returns a hit by its certificate.
    fn hit(&self, touch: &Self::Touch) -> Option<Self::Hit>;

    /// Returns the hit of a triangle that is certainly hit, if that needs no certificate.
    fn certain_hit<S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        place: Place,
    ) -> Option<Self::Hit>;

    /// Returns which triangles of a leaf are certainly parallel to the ray, as bits.
    fn parallel<S: Simd>(&self, simd: S, leaves: LeafView<'_>, leaf: (usize, usize)) -> u32;
}

/// The tree holds the triangles.
impl TracedRay for Ray {
    type Decider = Ray;

    #[inline(always)]
    fn decider(&self) -> &Ray {
        self
    }

    #[inline(always)]
    fn span_ray<S: Simd>(&self, plain: &PlainRay<S>, inverse: &[f32; 4]) -> SpanRay {
        SpanRay::of(self, plain, inverse)
    }

    #[inline(always)]
    fn end<S: Simd>(&self, plain: &PlainRay<S>) -> f32 {
        plain.t_max
    }
}

impl Decider for Ray {
    type Touch = Touch;
    type Hit = Hit;

    fn touched(&self, tree: &WideTree, (first, len, place): Place) -> Option<Touch> {
        let (prim, triangle) = tree.triangle(first, len, place);
        prepared(self)?.touch(prim, &triangle, f64::INFINITY)
    }

    fn is_nearer(&self, touch: &Touch, than: &Touch) -> bool {
        prepared(self).is_some_and(|ray| Triangle::order(&ray, touch, than) == Ordering::Less)
    }

    fn interval(&self, touch: &Touch) -> (f32, f32) {
        let low = (touch.t_low() as f32).next_down();
        (low, (touch.t_high() as f32).next_up())
    }

    fn hit(&self, touch: &Touch) -> Option<Hit> {
        Some(prepared(self)?.hit(touch))
    }

    #[inline(always)]
    fn certain_hit<S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        (first, len, place): Place,
    ) -> Option<Hit> {
        with_block(
            simd,
            leaves,
            (first, len),
            #[inline(always)]
            |block| {
                let corners = leaf::corners(simd, block, place);
                round_certain(simd, self, leaves.prim(first, len, place), corners)
            },
        )
    }

    fn parallel<S: Simd>(&self, simd: S, leaves: LeafView<'_>, leaf: (usize, usize)) -> u32 {
        with_block(simd, leaves, leaf, |block| {
            parallel_triangles(simd, block, self.dir.as_dvec3().to_array())
        })
    }
}

/// Prepares a plain ray, which is defined.
fn prepared(ray: &Ray) -> Option<PreparedRay<'_>> {
    let prepared = PreparedRay::new(ray);
    debug_assert!(prepared.is_some(), "plain, but not defined: {ray:?}");
    prepared
}

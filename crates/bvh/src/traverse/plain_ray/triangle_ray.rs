//! A plain ray whose first hit comes with its triangle, which is at hand where the hit is rounded.

use super::blocks;
use super::decider::{Decider, TracedRay};
use super::leaf::SpanRay;
use super::plain_question::PlainQuestion;
use super::ray::PlainRay;
use crate::simd_level::at_level;
use crate::traverse::ray_target::Place;
use crate::traverse::skipped::Skipped;
use crate::traverse::wanted::Closest;
use crate::wide::{Layout, LeafView, WideTree};
use core::cell::Cell;
use estoc_core::exact::Touch;
use estoc_core::{Hit, Ray, Triangle};
use fearless_simd::{Level, Simd};

/// A hit, and its triangle where that was at hand.
pub(crate) type TriangleHit = (Hit, Option<Triangle>);

/// Returns the first hit on a ray.
// In line, so that only crates that use it compile it.
#[inline]
pub(crate) fn hit_with_triangle(tree: &WideTree, level: Level, ray: &Ray) -> Option<TriangleHit> {
    match tree.leaves.layout() {
        Layout::Fast => at_level!(move level, simd => {
            match PlainRay::of(simd, ray, &tree.measures) {
                Some(plain) => {
                    let with_triangle = TriangleRay(ray);
                    Closest::trace(simd, (tree, blocks(tree)), (&with_triangle, plain), Skipped::NONE, &())
                }
                None => without_corners(tree, simd.level(), ray),
            }
        }),
        Layout::Compact => without_corners(tree, level, ray),
    }
}

/// Returns the first hit on a ray that is not plain, or of a tree without corners.
#[cold]
#[inline(never)]
fn without_corners(tree: &WideTree, level: Level, ray: &Ray) -> Option<TriangleHit> {
    let hit = super::answer_skipping::<Closest>(tree, level, ray, Skipped::NONE, &Cell::new(0));
    hit.map(|hit| (hit, None))
}

/// A ray, and what decides about its triangles: all is that of the ray.
struct TriangleRay<'a>(&'a Ray);

impl TracedRay for TriangleRay<'_> {
    type Decider = Self;

    #[inline(always)]
    fn decider(&self) -> &Self {
        self
    }

    #[inline(always)]
    fn span_ray<S: Simd>(&self, plain: &PlainRay<S>, inverse: &[f32; 4]) -> SpanRay {
        self.0.span_ray(plain, inverse)
    }

    #[inline(always)]
    fn end<S: Simd>(&self, plain: &PlainRay<S>) -> f32 {
        self.0.end(plain)
    }
}

impl Decider for TriangleRay<'_> {
    type Touch = Touch;
    type Hit = TriangleHit;

    fn touched(&self, tree: &WideTree, place: Place) -> Option<Touch> {
        self.0.touched(tree, place)
    }

    fn is_nearer(&self, touch: &Touch, than: &Touch) -> bool {
        self.0.is_nearer(touch, than)
    }

    fn interval(&self, touch: &Touch) -> (f32, f32) {
        self.0.interval(touch)
    }

    fn hit(&self, touch: &Touch) -> Option<TriangleHit> {
        Some((self.0.hit(touch)?, None))
    }

    #[inline(always)]
    fn certain_hit<S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        place: Place,
    ) -> Option<TriangleHit> {
        let hit = self.0.certain_hit(simd, leaves, place)?;
        Some((hit, Some(leaves.triangle(place.0, place.1, place.2).1)))
    }

    fn parallel<S: Simd>(&self, simd: S, leaves: LeafView<'_>, leaf: (usize, usize)) -> u32 {
        self.0.parallel(simd, leaves, leaf)
    }
}

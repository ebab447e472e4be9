//! Traversal with one ray of a tree whose triangles stand for others in `f64`, off by less than what the ray's
//! frame has as the error of its origin (`mapped/mapped_frame.rs`, `leaf.rs`).

use super::decider::{Decider, Place};
use super::leaf::SpanRay;
use super::ray::PlainRay;
use super::{any_plain, closest_plain};
use crate::simd_level::at_level;
use crate::traverse::kernel_ray::{Frame, RayEnds, certain_end};
use crate::traverse::mapped::{MappedFrame, MappedRay};
use crate::traverse::skipped::Skipped;
use crate::wide::{LeafView, WideTree, WideTriangles};
use core::cmp::Ordering;
use estoc_core::exact::{PreparedRay, Touch, round_wide};
use estoc_core::{Hit64, PrimId, Ray, RayKind, RayTest, Triangle64};
use fearless_simd::{Level, Simd, SimdBase, f32x4};

/// Returns the first hit on a ray all of whose hits count but those on the triangle skipped; `None` if plain rays
/// are unfit for it. `mapped` is the ray in the tree's space.
pub(crate) fn closest_wide<R: RayKind>(
    (tree, triangles): (&WideTree, &WideTriangles),
    level: Level,
    (ray, mapped): (&PreparedRay<'_, R>, &MappedRay),
    skipped: Skipped,
) -> Option<Option<Hit64>>
where
    Triangle64: RayTest<R, Touch = Touch<PrimId, Triangle64>, Hit = Hit64>,
{
    at_level!(move level, simd => {
        let (ray, plain) = match started(simd, (tree, triangles), (ray, mapped)) {
            Started::Misses => return Some(None),
            Started::Unfit => return None,
            Started::At(ray, plain) => (ray, plain),
        };
        let leaves = (tree, tree.view());
        Some(closest_plain(simd, leaves, (&ray, plain), skipped, &()))
    })
}

/// Returns whether a ray all of whose hits count but those on the triangle skipped hits anything; see
/// [`closest_wide`].
pub(crate) fn any_wide<R: RayKind>(
    (tree, triangles): (&WideTree, &WideTriangles),
    level: Level,
    (ray, mapped): (&PreparedRay<'_, R>, &MappedRay),
    skipped: Skipped,
) -> Option<bool>
where
    Triangle64: RayTest<R, Touch = Touch<PrimId, Triangle64>, Hit = Hit64>,
{
    at_level!(move level, simd => {
        let (ray, plain) = match started(simd, (tree, triangles), (ray, mapped)) {
            Started::Misses => return Some(false),
            Started::Unfit => return None,
            Started::At(ray, plain) => (ray, plain),
        };
        let leaves = (tree, tree.view());
        Some(any_plain(simd, leaves, (&ray, plain), skipped, &()))
    })
}

/// A ray in the numbers of a plain one.
enum Started<'a, S: Simd, R> {
    At(WideRay<'a, R>, PlainRay<S>),
    /// It does not meet the tree's box.
    Misses,
    Unfit,
}

#[inline(always)]
fn started<'a, S: Simd, R: RayKind>(
    simd: S,
    (tree, triangles): (&WideTree, &'a WideTriangles),
    (ray, mapped): (&PreparedRay<'a, R>, &MappedRay),
) -> Started<'a, S, R> {
    if !tree.measures.has_plain_rays() {
        return Started::Unfit;
    }
    let Frame {
        origin,
        dir,
        moved,
        unit,
        start,
        ..
    } = match mapped.frame(tree, ray.t_max()) {
        MappedFrame::Ready(frame) => frame,
        MappedFrame::Misses => return Started::Misses,
        MappedFrame::Unfit => return Started::Unfit,
    };
    let [o, d] = [origin, dir].map(|[x, y, z]| f32x4::load_array(simd, [x, y, z, 0.0]));
    let Some((plain, moved)) = PlainRay::of_mapped(simd, (o, d), &tree.measures, |_| moved) else {
        return Started::Unfit;
    };
    // Nothing lies before the start.
    let end = certain_end(ray.t_max(), unit, start);
    let wide = WideRay {
        ray: *ray,
        triangles,
        narrow: Ray::new(origin, dir).with_interval(0.0, end),
        moved,
        ends: RayEnds::shifted(unit, start),
    };
    Started::At(wide, plain)
}

/// A ray at triangles in `f64`.
struct WideRay<'a, R> {
    ray: PreparedRay<'a, R>,
    triangles: &'a WideTriangles,
    /// The numbers for kernels, and what the origin is off.
    narrow: Ray,
    moved: f32,
    ends: RayEnds,
}

impl<R: RayKind> WideRay<'_, R> {
    #[inline(always)]
    fn named(
        &self,
        leaves: LeafView<'_>,
        (first, len, place): Place,
    ) -> Option<(PrimId, Triangle64)> {
        let prim = leaves.prim(first, len, place);
        Some((prim, self.triangles.get(prim)?))
    }
}

impl<R: RayKind> Decider for WideRay<'_, R>
where
    Triangle64: RayTest<R, Touch = Touch<PrimId, Triangle64>, Hit = Hit64>,
{
    type Touch = Touch<PrimId, Triangle64>;
    type Hit = Hit64;

    #[inline(always)]
    fn span_ray<S: Simd>(&self, plain: &PlainRay<S>, inverse: &[f32; 4]) -> SpanRay {
        SpanRay::of_mapped((&self.narrow, self.moved), plain, inverse)
    }

    #[inline(always)]
    fn end<S: Simd>(&self, _: &PlainRay<S>) -> f32 {
        self.ends.limit(self.ray.t_max())
    }

    fn touched(&self, tree: &WideTree, place: Place) -> Option<Self::Touch> {
        let (prim, triangle) = self.named(tree.view(), place)?;
        triangle.touch(&self.ray, prim, f64::INFINITY)
    }

    fn is_nearer(&self, touch: &Self::Touch, than: &Self::Touch) -> bool {
        <Triangle64 as RayTest<R>>::order(&self.ray, touch, than) == Ordering::Less
    }

    fn interval(&self, touch: &Self::Touch) -> (f32, f32) {
        let RayEnds { unit, start, .. } = self.ends;
        let low = certain_end(touch.t_low(), unit, start);
        (low, self.ends.limit(touch.t_high()))
    }

    fn hit(&self, touch: &Self::Touch) -> Option<Hit64> {
        Some(<Triangle64 as RayTest<R>>::hit(&self.ray, touch))
    }

    #[inline(always)]
    fn certain_hit<S: Simd>(&self, simd: S, leaves: LeafView<'_>, place: Place) -> Option<Hit64> {
        let (prim, triangle) = self.named(leaves, place)?;
        round_wide(simd, &self.ray, prim, &triangle)
    }

    /// Triangles of the tree that are parallel to the ray stand for some that are not.
    fn parallel<S: Simd>(&self, _: S, _: LeafView<'_>, _: (usize, usize)) -> u32 {
        0
    }
}

//! Traversal with one ray of a tree whose triangles stand for others in `f64`, off by less than what the ray's
//! frame has as the error of its origin (`mapped/mapped_frame.rs`, `leaf.rs`).

use super::decider::{Decider, Place};
use super::leaf::SpanRay;
use super::ray::PlainRay;
use super::{any_plain, blocks, closest_plain};
use crate::simd_level::at_level;
use crate::traverse::kernel_ray::{Frame, RayEnds, U, certain_end};
use crate::traverse::mapped::{MappedFrame, MappedRay, SIZES};
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::prefetch;
use crate::traverse::skipped::Skipped;
use crate::wide::{Layout, LeafView, WideTree, WideTriangles};
use core::cmp::Ordering;
use estoc_core::exact::{PreparedRay, Touch, round_wide};
use estoc_core::{Hit, PrimId, Ray, RayKind, RayTest, Triangle64};
use fearless_simd::{Level, Simd, SimdBase, SimdMask, SimdNarrow, SimdSplit, f32x4, f64x4};

/// Returns the first hit on a ray all of whose hits count but those on the triangle skipped; `None` if plain rays
/// are unfit for it.
pub(crate) fn closest_wide<R: RayKind>(
    (tree, triangles): (&WideTree, &WideTriangles),
    level: Level,
    ray: &PreparedRay<'_, R>,
    skipped: Skipped,
) -> Option<Option<Hit<f64>>> {
    match tree.leaves.layout() {
        Layout::Fast => at_level!(move level, simd => {
            first(simd, (tree, triangles, blocks), ray, skipped)
        }),
        Layout::Compact => at_level!(level, simd => {
            first(simd, (tree, triangles, WideTree::view), ray, skipped)
        }),
    }
}

#[inline(always)]
fn first<S: Simd, R: RayKind>(
    simd: S,
    (tree, triangles, leaves): (
        &WideTree,
        &WideTriangles,
        impl Fn(&WideTree) -> LeafView<'_>,
    ),
    ray: &PreparedRay<'_, R>,
    skipped: Skipped,
) -> Option<Option<Hit<f64>>> {
    match near(simd, (tree, triangles), ray) {
        None => first_anywhere(simd, (tree, triangles), ray, skipped),
        Some((ray, plain)) => {
            let leaves = (tree, leaves(tree));
            Some(closest_plain(simd, leaves, (&ray, plain), skipped, &()))
        }
    }
}

/// Apart: one walk for both would copy all of the ray.
#[cold]
#[inline(never)]
fn first_anywhere<S: Simd, R: RayKind>(
    simd: S,
    (tree, triangles): (&WideTree, &WideTriangles),
    ray: &PreparedRay<'_, R>,
    skipped: Skipped,
) -> Option<Option<Hit<f64>>> {
    simd.vectorize(
        #[inline(always)]
        || match anywhere(simd, (tree, triangles), ray) {
            Started::Misses => Some(None),
            Started::Unfit => None,
            Started::At(ray, plain) => {
                let leaves = (tree, tree.view());
                Some(closest_plain(simd, leaves, (&ray, plain), skipped, &()))
            }
        },
    )
}

/// Returns whether a ray all of whose hits count but those on the triangle skipped hits anything; see
/// [`closest_wide`].
pub(crate) fn any_wide<R: RayKind>(
    (tree, triangles): (&WideTree, &WideTriangles),
    level: Level,
    ray: &PreparedRay<'_, R>,
    skipped: Skipped,
) -> Option<bool> {
    match tree.leaves.layout() {
        Layout::Fast => at_level!(move level, simd => {
            any(simd, (tree, triangles, blocks), ray, skipped)
        }),
        Layout::Compact => at_level!(level, simd => {
            any(simd, (tree, triangles, WideTree::view), ray, skipped)
        }),
    }
}

#[inline(always)]
fn any<S: Simd, R: RayKind>(
    simd: S,
    (tree, triangles, leaves): (
        &WideTree,
        &WideTriangles,
        impl Fn(&WideTree) -> LeafView<'_>,
    ),
    ray: &PreparedRay<'_, R>,
    skipped: Skipped,
) -> Option<bool> {
    match near(simd, (tree, triangles), ray) {
        None => any_anywhere(simd, (tree, triangles), ray, skipped),
        Some((ray, plain)) => {
            let leaves = (tree, leaves(tree));
            Some(any_plain(simd, leaves, (&ray, plain), skipped, &()))
        }
    }
}

#[cold]
#[inline(never)]
fn any_anywhere<S: Simd, R: RayKind>(
    simd: S,
    (tree, triangles): (&WideTree, &WideTriangles),
    ray: &PreparedRay<'_, R>,
    skipped: Skipped,
) -> Option<bool> {
    simd.vectorize(
        #[inline(always)]
        || match anywhere(simd, (tree, triangles), ray) {
            Started::Misses => Some(false),
            Started::Unfit => None,
            Started::At(ray, plain) => {
                let leaves = (tree, tree.view());
                Some(any_plain(simd, leaves, (&ray, plain), skipped, &()))
            }
        },
    )
}

/// Returns the ray in the tree's space, from its origin on, if that is near and parameters are usual, as nearly
/// always.
///
/// The error of the origin is then that of the corners, and one rounding to `f64` and one to `f32`, but for what
/// underflows; that of the direction one to `f32`. So `moved` of `mapped_frame.rs` is at most `1.2 e + 2.64u way`,
/// as the origin's size is at most the way.
#[inline(always)]
fn near<'a, S: Simd, R: RayKind>(
    simd: S,
    (tree, triangles): (&WideTree, &'a WideTriangles),
    ray: &PreparedRay<'a, R>,
) -> Option<(WideTriangleRay<'a, R>, PlainRay<S>)> {
    let frame = triangles.frame();
    let measures = &tree.measures;
    let three = |[x, y, z]: [f64; 3]| f64x4::load_array(simd, [x, y, z, 0.0]);
    let dir = three(ray.dir());
    let (up, t_max) = (frame.up(), ray.t_max());
    let origin = three(ray.origin()) - three(frame.origin.to_array());
    let origin = origin * f64x4::splat(simd, up);
    let (o, d): (f32x4<S>, f32x4<S>) = origin.narrow(dir).split();
    let is_near = o.abs().simd_le(f32x4::splat(simd, SIZES * measures.reach));
    // Of a parameter t, that of the kernels is t times the unit of the frame.
    let wide_t_min = ray.t_min() * up;
    let t_min = wide_t_min as f32;
    // In this form NaN is refused.
    let is_usual = is_near.to_bitmask() & 0b111 == 0b111
        && t_min >= 0.0
        && f64::from(t_min) == wide_t_min
        && wide_t_min / up == ray.t_min();
    if !is_usual {
        return None;
    }
    let off = 1.2 * frame.error as f32;
    let moved = |way: f32| (off + way * (2.64 * U)) * (1.0 + 16.0 * U) + f32::MIN_POSITIVE;
    let (plain, moved) = PlainRay::of_mapped(simd, (o, d), measures, moved)?;
    let [[x, y, z, _], [dx, dy, dz, _]] = [o.to_array(), d.to_array()];
    let ends = RayEnds::shifted(up, 0.0);
    // Nearly all are infinite.
    let (certain, end) = match t_max < f64::INFINITY {
        true => (certain_end(t_max, up, 0.0), ends.limit(t_max)),
        false => (f32::MAX, f32::INFINITY),
    };
    let wide = WideTriangleRay {
        ray: *ray,
        triangles,
        narrow: Ray::new([x, y, z], [dx, dy, dz]).with_interval(t_min, certain),
        moved,
        ends,
        end,
    };
    Some((wide, plain))
}

/// A ray in the numbers of a plain one.
enum Started<'a, S: Simd, R> {
    At(WideTriangleRay<'a, R>, PlainRay<S>),
    /// It does not meet the tree's box.
    Misses,
    Unfit,
}

/// Returns a ray in the tree's space, from where it enters the tree's box if its origin is far away.
#[inline(always)]
fn anywhere<'a, S: Simd, R: RayKind>(
    simd: S,
    (tree, triangles): (&WideTree, &'a WideTriangles),
    ray: &PreparedRay<'a, R>,
) -> Started<'a, S, R> {
    if !tree.measures.has_plain_rays() {
        return Started::Unfit;
    }
    let mapped = MappedRay::of(ray).framed(triangles.frame());
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
    let certain = certain_end(ray.t_max(), unit, start);
    let ends = RayEnds::shifted(unit, start);
    let wide = WideTriangleRay {
        ray: *ray,
        triangles,
        narrow: Ray::new(origin, dir).with_interval(0.0, certain),
        moved,
        end: ends.limit(ray.t_max()),
        ends,
    };
    Started::At(wide, plain)
}

/// A ray at triangles in `f64`.
struct WideTriangleRay<'a, R> {
    ray: PreparedRay<'a, R>,
    triangles: &'a WideTriangles,
    /// The numbers for kernels, and what the origin is off.
    narrow: Ray,
    moved: f32,
    ends: RayEnds,
    /// The ray's own end, or slightly more.
    end: f32,
}

impl<R: RayKind> WideTriangleRay<'_, R> {
    #[inline(always)]
    fn named(
        &self,
        leaves: LeafView<'_>,
        (first, len, place): Place,
    ) -> Option<(PrimId, Triangle64)> {
        let prim = leaves.prim(first, len, place);
        Some((prim, self.triangles.in_slot(first + place)?))
    }
}

impl<R: RayKind> Decider for WideTriangleRay<'_, R> {
    type Touch = Touch<PrimId, Triangle64>;
    type Hit = Hit<f64>;

    #[inline(always)]
    fn span_ray<S: Simd>(&self, plain: &PlainRay<S>, inverse: &[f32; 4]) -> SpanRay {
        SpanRay::of_mapped((&self.narrow, self.moved), plain, inverse)
    }

    #[inline(always)]
    fn end<S: Simd>(&self, _: &PlainRay<S>) -> f32 {
        self.end
    }

    #[inline(always)]
    fn foresee_leaf(&self, (first, len): (usize, usize)) {
        prefetch::line(self.triangles.face_at(first));
        prefetch::line(self.triangles.face_at(first + len).wrapping_sub(1));
    }

    #[inline(always)]
    fn foresee(&self, kept: &NearestCertain) {
        if let Some((first, _, place)) = kept.place()
            && let Some(corners) = self.triangles.corners_at(first + place)
        {
            corners.into_iter().for_each(prefetch::line);
        }
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

    fn hit(&self, touch: &Self::Touch) -> Option<Hit<f64>> {
        Some(<Triangle64 as RayTest<R>>::hit(&self.ray, touch))
    }

    #[inline(always)]
    fn certain_hit<S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        place: Place,
    ) -> Option<Hit<f64>> {
        let (prim, triangle) = self.named(leaves, place)?;
        round_wide(simd, &self.ray, prim, &triangle)
    }

    /// Triangles of the tree that are parallel to the ray stand for some that are not.
    fn parallel<S: Simd>(&self, _: S, _: LeafView<'_>, _: (usize, usize)) -> u32 {
        0
    }
}

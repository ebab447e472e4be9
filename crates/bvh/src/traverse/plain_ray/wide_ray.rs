//! Traversal with one ray of a tree whose triangles stand for others in `f64`, off by less than what the ray's
//! frame has as the error of its origin (`mapped/mapped_frame.rs`, `leaf.rs`).

use super::decider::{Decider, TracedRay};
use super::leaf::SpanRay;
use super::ray::PlainRay;
use super::{PlainQuestion, blocks};
use crate::simd_level::at_level;
use crate::traverse::kernel_ray::{Frame, RayEnds, U, certain_end};
use crate::traverse::mapped::{MappedFrame, MappedRay, SIZES};
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::prefetch;
use crate::traverse::prepare8::OriginError;
use crate::traverse::ray_target::Place;
use crate::traverse::skipped::Skipped;
use crate::wide::{Layout, LeafView, WideTree, WideTriangles};
use core::cmp::Ordering;
use estoc_core::exact::{PreparedRay, Touch, round_wide};
use estoc_core::{Hit, PrimId, Ray, Ray64, RayKind, RayTest, Triangle64, WorldLine};
use estoc_mesh::parts::NarrowFrame;
use fearless_simd::{Level, Simd, SimdBase, SimdMask, SimdNarrow, SimdSplit, f32x4, f64x4};

/// Answers for a ray all of whose hits count but those on the triangle skipped; `None` if plain rays are unfit for
/// it.
pub(crate) fn answer_wide<W: PlainQuestion>(
    (tree, triangles): (&WideTree, &WideTriangles),
    level: Level,
    ray: &Ray64,
    skipped: Skipped,
) -> Option<W::Answer<Hit<f64>>> {
    match tree.leaves.layout() {
        // The other walk serves both; this one would be 25 kB of WebAssembly more.
        Layout::Fast if !cfg!(target_family = "wasm") => at_level!(move level, simd => {
            answer::<_, W>(simd, (tree, triangles, blocks), ray, skipped)
        }),
        _ => at_level!(level, simd => {
            answer::<_, W>(simd, (tree, triangles, WideTree::view), ray, skipped)
        }),
    }
}

#[inline(always)]
fn answer<S: Simd, W: PlainQuestion>(
    simd: S,
    (tree, triangles, leaves): (
        &WideTree,
        &WideTriangles,
        impl Fn(&WideTree) -> LeafView<'_>,
    ),
    ray: &Ray64,
    skipped: Skipped,
) -> Option<W::Answer<Hit<f64>>> {
    match near(simd, (tree, triangles), ray) {
        None => answer_anywhere::<S, W>(simd, (tree, triangles), ray, skipped),
        Some((ray, plain)) => {
            let leaves = (tree, leaves(tree));
            Some(trace::<_, W>(simd, leaves, (&ray, plain), skipped))
        }
    }
}

/// Traces a ray, for WebAssembly in one place, as each would be 20 kB.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn trace<S: Simd, W: PlainQuestion>(
    simd: S,
    leaves: (&WideTree, LeafView<'_>),
    ray: (&WideTriangleRay<'_, '_>, PlainRay<S>),
    skipped: Skipped,
) -> W::Answer<Hit<f64>> {
    W::trace(simd, leaves, ray, skipped, &())
}

/// Apart: one walk for both would copy all of the ray.
#[cold]
#[inline(never)]
fn answer_anywhere<S: Simd, W: PlainQuestion>(
    simd: S,
    (tree, triangles): (&WideTree, &WideTriangles),
    ray: &Ray64,
    skipped: Skipped,
) -> Option<W::Answer<Hit<f64>>> {
    let Some(ray) = PreparedRay::new(ray) else {
        return Some(W::nothing());
    };
    simd.vectorize(
        #[inline(always)]
        || match anywhere(simd, (tree, triangles), &ray) {
            Started::Misses => Some(W::nothing()),
            Started::Unfit => None,
            Started::At(ray, plain) => {
                let leaves = (tree, tree.view());
                Some(trace::<_, W>(simd, leaves, (&ray, plain), skipped))
            }
        },
    )
}

/// A ray in the tree's space, from its own origin on.
pub(in crate::traverse) struct NearRay<S: Simd> {
    origin: f32x4<S>,
    dir: f32x4<S>,
    /// The least parameter, rounded down.
    t_min: f32,
    /// 0 if that is exact; otherwise more than the ray's own one is greater by.
    late: f32,
}

impl<S: Simd> NearRay<S> {
    /// Returns the ray if its origin is near and its least parameter usual, as nearly always. All other conditions of
    /// a ray that is defined are those of a plain one.
    #[inline(always)]
    pub(in crate::traverse) fn of(
        simd: S,
        (frame, reach): (&NarrowFrame, f32),
        ray: &Ray64,
    ) -> Option<Self> {
        let three = |[x, y, z]: [f64; 3]| f64x4::load_array(simd, [x, y, z, 0.0]);
        let dir = three(ray.wide_dir());
        let up = frame.up();
        let origin = three(ray.wide_origin()) - three(frame.origin.to_array());
        let origin = origin * f64x4::splat(simd, up);
        let (o, d): (f32x4<S>, f32x4<S>) = origin.narrow(dir).split();
        let is_near = o.abs().simd_le(f32x4::splat(simd, SIZES * reach));
        // Of a parameter t, that of the kernels is t times the unit of the frame.
        let [own_t_min, t_max] = ray.interval();
        let (t_min, late, is_exact) = match own_t_min == 0.0 {
            true => (0.0, 0.0, true),
            false => {
                let wide = own_t_min * up;
                let (t_min, late) = rounded_down(wide);
                (t_min, late, wide / up == own_t_min)
            }
        };
        // In this form NaN is refused.
        let is_usual =
            is_near.to_bitmask() & 0b111 == 0b111 && t_min >= 0.0 && own_t_min <= t_max && is_exact;
        is_usual.then_some(NearRay {
            origin: o,
            dir: d,
            t_min,
            late,
        })
    }

    /// Returns whether its least parameter is the ray's own one.
    #[inline(always)]
    pub(in crate::traverse) fn is_on_time(&self) -> bool {
        self.late == 0.0
    }

    /// Returns its numbers, with a limit.
    #[inline(always)]
    pub(in crate::traverse) fn numbers(&self, limit: f32) -> [f32; 8] {
        let [[x, y, z, _], [dx, dy, dz, _]] = [self.origin.to_array(), self.dir.to_array()];
        [x, y, z, dx, dy, dz, self.t_min, limit]
    }
}

/// Returns a number that is not negative, rounded down to an `f32`, and, if that is not the number itself, more than
/// the difference: twice as much, since that is rounded.
#[inline(always)]
fn rounded_down(x: f64) -> (f32, f32) {
    let nearest = x as f32;
    if f64::from(nearest) == x {
        return (nearest, 0.0);
    }
    let down = match f64::from(nearest) > x {
        true => nearest.next_down(),
        false => nearest,
    };
    let more = 2.0 * (x - f64::from(down)) as f32;
    (down, more.max(f32::MIN_POSITIVE))
}

/// Returns what the origin of a near ray is off.
///
/// The error of the origin is that of the corners, and one rounding to `f64` and one to `f32`, but for what
/// underflows; that of the direction one to `f32`. So `moved` of `mapped_frame.rs` is at most `1.2 e + 2.64u way`,
/// as the origin's size is at most the way.
#[inline(always)]
pub(in crate::traverse) fn origin_error(frame: &NarrowFrame) -> OriginError {
    OriginError {
        off: 1.21 * frame.error as f32 + f32::MIN_POSITIVE,
        share: 2.65 * U,
    }
}

/// Returns a parameter up to which hits are certain, and the limit, of a near ray up to its end.
#[inline(always)]
pub(in crate::traverse) fn near_ends(t_max: f64, ends: &RayEnds) -> (f32, f32) {
    // Nearly all are infinite.
    match t_max < f64::INFINITY {
        true => (certain_end(t_max, ends.unit, 0.0), ends.limit(t_max)),
        false => (f32::MAX, f32::INFINITY),
    }
}

/// Returns the ray in the tree's space, if it is a near one.
#[inline(always)]
fn near<'t, 'r, S: Simd>(
    simd: S,
    (tree, triangles): (&WideTree, &'t WideTriangles),
    ray: &'r Ray64,
) -> Option<(WideTriangleRay<'t, 'r>, PlainRay<S>)> {
    let frame = triangles.frame();
    let measures = &tree.measures;
    let near = NearRay::of(simd, (frame, measures.reach), ray)?;
    let (o, d, t_min, late) = (near.origin, near.dir, near.t_min, near.late);
    let moved = |way: f32| origin_error(frame).at(way);
    let (plain, moved) = PlainRay::of_mapped(simd, (o, d), measures, moved)?;
    let ends = RayEnds::shifted(frame.up(), 0.0);
    // Its numbers are plain, so they are finite, and the direction is not zero.
    let ray = PreparedRay::of_defined(ray);
    let (certain, end) = near_ends(ray.t_max(), &ends);
    let [[x, y, z, _], [dx, dy, dz, _]] = [o.to_array(), d.to_array()];
    let wide = WideTriangleRay {
        decider: WideDecider {
            ray,
            triangles,
            ends,
        },
        narrow: Ray::new([x, y, z], [dx, dy, dz]).with_interval(t_min, certain),
        moved,
        late,
        end,
    };
    Some((wide, plain))
}

/// A ray in the numbers of a plain one.
enum Started<'t, 'r, S: Simd> {
    At(WideTriangleRay<'t, 'r>, PlainRay<S>),
    /// It does not meet the tree's box.
    Misses,
    Unfit,
}

/// Returns a ray in the tree's space, from where it enters the tree's box if its origin is far away.
#[inline(always)]
fn anywhere<'t, 'r, S: Simd>(
    simd: S,
    (tree, triangles): (&WideTree, &'t WideTriangles),
    ray: &PreparedRay<'r, Ray64>,
) -> Started<'t, 'r, S> {
    if !tree.measures.has_plain_rays() {
        return Started::Unfit;
    }
    let mapped = MappedRay::of(&WorldLine::of(ray), ray.t_min()).framed(triangles.frame());
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
        end: ends.limit(ray.t_max()),
        decider: WideDecider {
            ray: *ray,
            triangles,
            ends,
        },
        narrow: Ray::new(origin, dir).with_interval(0.0, certain),
        moved,
        late: 0.0,
    };
    Started::At(wide, plain)
}

/// A ray at triangles in `f64`, as the numbers of a plain one.
struct WideTriangleRay<'t, 'r> {
    decider: WideDecider<'t, 'r>,
    /// The numbers for kernels, and what the origin is off.
    narrow: Ray,
    moved: f32,
    /// More than the ray's own start is later than that of these numbers.
    late: f32,
    /// The ray's own end, or slightly more.
    end: f32,
}

impl<'t, 'r> TracedRay for WideTriangleRay<'t, 'r> {
    type Decider = WideDecider<'t, 'r>;

    #[inline(always)]
    fn decider(&self) -> &WideDecider<'t, 'r> {
        &self.decider
    }

    #[inline(always)]
    fn span_ray<S: Simd>(&self, plain: &PlainRay<S>, inverse: &[f32; 4]) -> SpanRay {
        let span = SpanRay::of_mapped((&self.narrow, self.moved), plain, inverse);
        // What certainly begins later than the start by that, begins later than the ray's own.
        SpanRay {
            t_error: span.t_error + self.late,
            ..span
        }
    }

    #[inline(always)]
    fn end<S: Simd>(&self, _: &PlainRay<S>) -> f32 {
        self.end
    }

    #[inline(always)]
    fn foresee_leaf(&self, (first, len): (usize, usize)) {
        prefetch::faces(self.decider.triangles, first, len);
    }

    #[inline(always)]
    fn foresee(&self, kept: &NearestCertain) {
        if let Some((first, _, place)) = kept.place() {
            prefetch::corners(self.decider.triangles, first + place);
        }
    }
}

/// Decides about a ray and triangles in `f64`.
pub(in crate::traverse) struct WideDecider<'t, 'r> {
    pub(in crate::traverse) ray: PreparedRay<'r, Ray64>,
    pub(in crate::traverse) triangles: &'t WideTriangles,
    pub(in crate::traverse) ends: RayEnds,
}

impl Decider for WideDecider<'_, '_> {
    type Touch = Touch<PrimId, Triangle64>;
    type Hit = Hit<f64>;

    fn touched(&self, tree: &WideTree, place: Place) -> Option<Self::Touch> {
        let (prim, triangle) = self.triangles.in_leaf(tree.view(), place)?;
        triangle.touch(&self.ray, prim, f64::INFINITY)
    }

    fn is_nearer(&self, touch: &Self::Touch, than: &Self::Touch) -> bool {
        <Triangle64 as RayTest<Ray64>>::order(&self.ray, touch, than) == Ordering::Less
    }

    fn interval(&self, touch: &Self::Touch) -> (f32, f32) {
        let RayEnds { unit, start, .. } = self.ends;
        let low = certain_end(touch.t_low(), unit, start);
        (low, self.ends.limit(touch.t_high()))
    }

    fn hit(&self, touch: &Self::Touch) -> Option<Hit<f64>> {
        Some(<Triangle64 as RayTest<Ray64>>::hit(&self.ray, touch))
    }

    #[inline(always)]
    fn certain_hit<S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        place: Place,
    ) -> Option<Hit<f64>> {
        let (prim, triangle) = self.triangles.in_leaf(leaves, place)?;
        round_wide(simd, (self.ray.origin(), self.ray.dir()), prim, &triangle)
    }

    /// Triangles of the tree that are parallel to the ray stand for some that are not.
    fn parallel<S: Simd>(&self, _: S, _: LeafView<'_>, _: (usize, usize)) -> u32 {
        0
    }
}

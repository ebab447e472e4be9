//! Triangles in `f64`, for which those of a tree stand, as what rays in flight are traced at.
//!
//! The numbers and errors of rays are those of single ones (`plain_ray/wide_ray.rs`).

use super::completion::complete_unfit;
use super::kernel_ray::{Frame, KernelRay, Prepared, RayEnds, certain_end};
use super::late_hits::{HitsTogether, LateHits};
use super::mapped::{MappedFrame, MappedRay};
use super::plain_ray::wide_ray::{NearRay, WideDecider, near_ends, origin_error};
use super::prefetch;
use super::prepare8::Prepared8;
use super::ray_group::RayPreparation;
use super::ray_target::{Place, RayTarget};
use super::wide_walk::visit_wide;
use crate::wide::{LeafView, WIDTH, WideTree, WideTriangles};
use estoc_core::exact::{EightPairs, PreparedRay, RoundedEight, round_wide8};
use estoc_core::{Hit, PrimId, Queue, Ray64, Triangle64, WorldLine};
use fearless_simd::Simd;

/// A tree in the frame of triangles in `f64`.
#[derive(Clone, Copy)]
pub struct WideTarget<'t> {
    pub tree: &'t WideTree,
    pub triangles: &'t WideTriangles,
}

impl<'t> WideTarget<'t> {
    /// Returns the ends of near rays.
    #[inline(always)]
    pub(super) fn near_ends(&self) -> RayEnds {
        RayEnds::shifted(self.triangles.frame().up(), 0.0)
    }

    /// Returns what decides about a near ray.
    #[inline(always)]
    pub(super) fn decider<'r>(&self, ray: PreparedRay<'r, Ray64>) -> WideDecider<'t, 'r> {
        WideDecider {
            ray,
            triangles: self.triangles,
            ends: self.near_ends(),
        }
    }

    /// Completes the rays whose corners have been fetched, and fetches those of the next.
    fn advance<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        late: &mut LateHits<'r, Ray64>,
        queue: &mut Queue<'r, Triangle64, Ray64>,
    ) {
        let fetched = late.advance(
            #[inline(always)]
            |(first, _, place)| prefetch::corners(self.triangles, first + place),
        );
        if !fetched.is_empty() {
            self.complete_together(simd, leaves, &fetched, queue);
        }
    }

    /// Completes up to eight rays, given with their places, whose first hits are certainly on these triangles. A
    /// function of its own: within another, not all of the arithmetic is inlined.
    #[inline(never)]
    pub(super) fn complete_together<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        hits: &HitsTogether<'r, Ray64>,
        queue: &mut Queue<'r, Triangle64, Ray64>,
    ) {
        simd.vectorize(
            #[inline(always)]
            || self.complete_together_with(simd, leaves, hits, queue),
        );
    }

    #[inline(always)]
    fn complete_together_with<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        hits: &HitsTogether<'r, Ray64>,
        queue: &mut Queue<'r, Triangle64, Ray64>,
    ) {
        let mut pairs = EightPairs::none();
        let mut prims = [PrimId::MAX; WIDTH];
        for ((&((_, ray), hit), prim), lane) in hits.iter().zip(&mut prims).zip(0..) {
            if let Some((id, triangle)) = self.triangle(leaves, hit) {
                *prim = id;
                pairs.set(lane, &triangle, (ray.origin(), ray.dir()));
            }
        }
        let RoundedEight { t, u, v, certain } = round_wide8(simd, &pairs);
        for (lane, &((place, ray), hit)) in hits.iter().enumerate() {
            if certain >> lane & 1 == 1 {
                let (prim, t, u, v) = (prims[lane], t[lane], u[lane], v[lane]);
                queue.certified(place, Some(Hit { t, u, v, prim }));
                continue;
            }
            match self.triangle(leaves, hit) {
                Some((prim, triangle)) => queue.only(place, ray, prim, &triangle),
                None => queue.miss(place),
            }
        }
    }
}

impl RayPreparation<Ray64> for WideTarget<'_> {
    type Primitive = Triangle64;

    #[inline(always)]
    fn prepare8<S: Simd>(&self, simd: S, rays: [PreparedRay<'_, Ray64>; WIDTH]) -> Prepared8<S> {
        let (frame, reach) = (self.triangles.frame(), self.tree.measures.reach);
        let error = origin_error(frame);
        let ends = self.near_ends();
        // The bounds of spans hold then, and the error is far below their largest one.
        let has_near = self.tree.measures.has_plain_rays() && error.off <= reach;
        // A direction of 0 is not usual.
        let mut rows = [[0.0; 8]; WIDTH];
        for (row, ray) in rows.iter_mut().zip(&rays) {
            if has_near
                && let Some(near) = NearRay::of(simd, (frame, reach), ray.ray())
                && near.is_on_time()
            {
                let (_, limit) = near_ends(ray.t_max(), &ends);
                *row = near.numbers(limit);
            }
        }
        let [a, b, c, d, e, f, g, h] = &rows;
        Prepared8::of(simd, self.tree, [a, b, c, d, e, f, g, h], error)
    }

    #[inline(always)]
    fn usual_ends(&self, ray: &PreparedRay<'_, Ray64>) -> RayEnds {
        let ends = self.near_ends();
        let (certain, _) = near_ends(ray.t_max(), &ends);
        RayEnds {
            greatest: Some(certain),
            ..ends
        }
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, ray: &PreparedRay<'_, Ray64>) -> Prepared {
        let mapped = MappedRay::of(&WorldLine::of(ray), ray.t_min()).framed(self.triangles.frame());
        let frame = match mapped.frame(self.tree, ray.t_max()) {
            MappedFrame::Ready(frame) => frame,
            MappedFrame::Misses => return Prepared::Misses,
            MappedFrame::Unfit => return Prepared::Unfit,
        };
        // Nothing lies before the start.
        let may_be_certain = self.tree.measures.may_be_certain(frame.origin);
        let greatest = may_be_certain.then(|| certain_end(ray.t_max(), frame.unit, frame.start));
        let frame = Frame { greatest, ..frame };
        Prepared::Ready(KernelRay::of_frame(simd, frame, self.tree.measures.reach))
    }

    #[inline(always)]
    fn trace_unfit<'r, S: Simd>(
        &self,
        simd: S,
        place: usize,
        ray: PreparedRay<'r, Ray64>,
        queue: &mut Queue<'r, Triangle64, Ray64>,
    ) {
        complete_unfit(place, ray, queue, |collector| {
            visit_wide((self.tree, self.triangles), simd.level(), &ray, collector);
        });
    }
}

impl RayTarget<Ray64> for WideTarget<'_> {
    const HAS_SPANS_IN_ANY_FRAME: bool = true;

    #[inline(always)]
    fn tree(&self) -> &WideTree {
        self.tree
    }

    #[inline(always)]
    fn triangle(&self, leaves: LeafView<'_>, place: Place) -> Option<(PrimId, Triangle64)> {
        self.triangles.in_leaf(leaves, place)
    }

    /// Triangles of the tree that are parallel to the ray stand for some that are not.
    #[inline(always)]
    fn exact_dir(&self, _: &PreparedRay<'_, Ray64>) -> Option<[f64; 3]> {
        None
    }

    /// Later: a hit waits for its vertex indices, and then for its corners.
    #[inline(always)]
    fn complete<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        ray: (usize, PreparedRay<'r, Ray64>),
        hit: Place,
        late: &mut LateHits<'r, Ray64>,
        queue: &mut Queue<'r, Triangle64, Ray64>,
    ) {
        let (first, _, place) = hit;
        let face = self.triangles.face_at(first + place);
        prefetch::line(face);
        prefetch::line(face.wrapping_add(size_of::<[u32; 3]>() - 1));
        if late.push((ray, hit)) {
            self.advance(simd, leaves, late, queue);
        }
    }

    fn complete_late<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        late: &mut LateHits<'r, Ray64>,
        queue: &mut Queue<'r, Triangle64, Ray64>,
    ) {
        while !late.is_empty() {
            self.advance(simd, leaves, late, queue);
        }
    }
}

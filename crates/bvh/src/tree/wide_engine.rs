//! Queries on trees in `f64`.
//!
//! The tree holds triangles in `f32`, in a frame (`NarrowFrame` of estoc-mesh), and is traversed as one of another
//! space is (`traverse/mapped`): the error of the corners adds to that of the ray's origin, for which the kernels'
//! bounds hold for each corner by itself (`plain_ray/leaf.rs`), and so do those of boxes, which each point of a
//! triangle leaves by no more than the corners are off. Candidates are looked up by their ids.

use super::Bvh;
use crate::traverse::mapped::WideBox;
use crate::traverse::near::{MappedPoint, NearSink};
use crate::traverse::plain_ray::{PlainQuestion, answer_wide};
use crate::traverse::prefetch;
use crate::traverse::skipped::Skipped;
use crate::traverse::wide_target::WideTarget;
use crate::traverse::wide_walk::{WideSink, visit_wide};
use crate::traverse::{self, visit_many_wide};
use core::ops::ControlFlow;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::DVec3;
use estoc_core::{
    Any, Closest, Collector, Engine, Hit, Masks, NearEngine, PointCollector, PointEngine, PrimId,
    Queue, Ray, Ray64, RayEngine, RayKind, RegionCollector, RegionEngine, SurfaceReport,
    SweepCollector, SweepEngine, Technique, TechniqueCounts, Triangle, Triangle64,
    WindingCollector, is_closed, one_by_one,
};

impl Bvh<f64> {
    /// Returns a triangle, or `None` if there is none of that id.
    pub fn triangle(&self, prim: PrimId) -> Option<Triangle64> {
        self.wide.get(prim)
    }

    /// Returns the corners of the smallest box around all triangles, the lower first; infinities of the wrong
    /// signs if there are none. The first call reads all triangles.
    pub fn bounds(&self) -> [DVec3; 2] {
        *self.bounds.get_or_init(|| {
            let corners = self.wide.all().flat_map(|triangle| triangle.corners());
            corners.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], p| {
                [low.min(p), high.max(p)]
            })
        })
    }

    /// Returns whether the triangles enclose an inside; see [`Engine::is_closed`]. The first call
    /// sorts all edges; the result is kept.
    pub fn is_closed(&self) -> bool {
        *self.closed.get_or_init(|| is_closed(self.wide.all()))
    }

    /// Returns whether the triangles form a closed and oriented surface, and the first edges where
    /// they do not. The first call sorts all edges; the result is kept.
    pub fn surface(&self) -> SurfaceReport<f64> {
        *self
            .surface
            .get_or_init(|| SurfaceReport::of(self.wide.all()))
    }

    #[inline(always)]
    fn answer<W: PlainQuestion>(&self, ray: &Ray64, skip: Option<PrimId>) -> W::Answer<Hit<f64>> {
        if !self.hides_some() {
            let of = (&self.tree, &self.wide);
            let skipped = skip.map_or(Skipped::NONE, Skipped::from);
            if let Some(found) = answer_wide::<W>(of, self.token, ray, skipped) {
                return found;
            }
        }
        W::visited(self, ray, skip)
    }

    fn offer_candidates<R: RayKind>(
        &self,
        ray: &PreparedRay<'_, R>,
        collector: &mut Collector<'_, Triangle64, R>,
    ) {
        visit_wide((&self.tree, &self.wide), self.token, ray, collector);
    }
}

impl Engine for Bvh<f64> {
    type Primitive = Triangle64;

    fn primitive_count(&self) -> usize {
        self.triangle_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle64> {
        self.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, Triangle64>) {
        self.offer_candidates(ray, collector);
    }

    fn visit_many(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, Triangle64>,
    ) -> TechniqueCounts {
        queue.trace_widened(self, technique)
    }

    fn closest(&self, ray: &Ray, skip: Option<PrimId>) -> Option<Hit<f64>> {
        self.closest_on(&Ray64::from(*ray), skip)
    }

    fn any(&self, ray: &Ray, skip: Option<PrimId>) -> bool {
        self.any_on(&Ray64::from(*ray), skip)
    }

    fn masks(&self) -> Option<&Masks> {
        self.masks.as_deref()
    }

    fn query_bytes(&self) -> usize {
        self.tree.nodes.bytes()
            + self.tree.leaves.bytes()
            + self.wide.own_bytes()
            + self.wide.shared_bytes()
    }
}

impl RayEngine<Ray64> for Bvh<f64> {
    fn visit_on(
        &self,
        ray: &PreparedRay<'_, Ray64>,
        collector: &mut Collector<'_, Triangle64, Ray64>,
    ) {
        self.offer_candidates(ray, collector);
    }

    fn visit_rays(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, Triangle64, Ray64>,
    ) -> TechniqueCounts {
        let target = WideTarget {
            tree: &self.tree,
            triangles: &self.wide,
        };
        let together = match technique {
            Technique::OneByOne => None,
            _ if !Technique::HAS_OTHERS => None,
            _ => visit_many_wide(target, self.token, technique, queue),
        };
        together.unwrap_or_else(|| one_by_one(self, queue))
    }

    fn traces_together(&self) -> bool {
        Technique::HAS_OTHERS
    }

    fn closest_on(&self, ray: &Ray64, skip: Option<PrimId>) -> Option<Hit<f64>> {
        self.answer::<Closest>(ray, skip)
    }

    fn any_on(&self, ray: &Ray64, skip: Option<PrimId>) -> bool {
        self.answer::<Any>(ray, skip)
    }
}

impl RegionEngine for Bvh<f64> {
    fn visit_region(&self, collector: &mut RegionCollector<'_>) {
        traverse::region::visit_region((&self.tree, &self.wide), self.token, collector);
    }
}

impl SweepEngine for Bvh<f64> {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        traverse::sweep::visit_swept((&self.tree, &self.wide), self.token, collector);
    }
}

impl NearEngine<DVec3> for Bvh<f64> {
    fn visit_near(&self, collector: &mut PointCollector<DVec3, Triangle64>) {
        let (point, wants_closest) = (collector.point(), collector.wants_closest());
        let mut sink = WideSink {
            collector,
            triangles: &self.wide,
        };
        let visited = self.visit_near_mapped(&MappedPoint::of(point), wants_closest, &mut sink);
        if visited.is_none() {
            let square_of = |of: &WideBox| of.square_from(point.to_array());
            // The answer is known at the latest when the traversal is over.
            let _ = self.visit_near_boxes(&square_of, &mut sink);
        }
    }
}

impl PointEngine<DVec3> for Bvh<f64> {
    fn visit_winding(&self, collector: &mut WindingCollector) {
        self.visit_clusters(&self.wide, collector);
    }

    fn surface(&self) -> SurfaceReport<f64> {
        self.surface()
    }
}

impl NearSink for WideSink<'_, PointCollector<DVec3, Triangle64>> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.collector.limit()
    }

    #[inline(always)]
    fn offer(&mut self, prim: PrimId, slot: usize, _: &Triangle) -> ControlFlow<()> {
        match self.triangles.in_slot(slot) {
            None => ControlFlow::Continue(()),
            Some(triangle) => self.collector.offer(prim, &triangle),
        }
    }

    #[inline(always)]
    fn foresees(&self) -> bool {
        true
    }

    fn foresee_slots(&self, first: usize, len: usize) {
        prefetch::faces(self.triangles, first, len);
    }

    fn foresee(&self, slot: usize) {
        prefetch::corners(self.triangles, slot);
    }
}

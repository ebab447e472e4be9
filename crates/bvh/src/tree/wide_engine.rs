//! Queries on trees in `f64`.
//!
//! The tree holds triangles in `f32`, in a frame (`NarrowFrame` of estoc-mesh), and is traversed as one of another
//! space is (`traverse/mapped`): the error of the corners adds to that of the ray's origin, for which the kernels'
//! bounds hold for each corner by itself (`plain_ray/leaf.rs`), and so do those of boxes, which each point of a
//! triangle leaves by no more than the corners are off. Candidates are looked up by their ids.

use super::Bvh;
use crate::traverse::mapped::{MappedRay, TriangleSink, WideBox, WideBoxTest};
use crate::traverse::near::{MappedPoint, NearSink};
use crate::traverse::plain_ray::{any_wide, closest_wide};
use crate::traverse::skipped::Skipped;
use crate::wide::WideTriangles;
use core::ops::ControlFlow;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::DVec3;
use estoc_core::{
    Collector, Engine, Hit, HitRule, Masks, NearEngine, PointCollector, PrimId, Ray, Ray64,
    RayEngine, RayKind, Triangle, Triangle64, Unmasked, WorldLine, any_visited, closest_visited,
    is_closed, is_inside,
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

    #[inline(always)]
    fn first_hit<R: RayKind>(&self, ray: &R, skip: Option<PrimId>) -> Option<Hit<f64>>
    where
        Self: RayEngine<R>,
    {
        let prepared = PreparedRay::new(ray)?;
        if !self.hides_some() {
            let of = (&self.tree, &self.wide);
            let skipped = skip.map_or(Skipped::NONE, Skipped::from);
            if let Some(found) = closest_wide(of, self.token, &prepared, skipped) {
                return found;
            }
        }
        closest_visited(self, ray, skip)
    }

    #[inline(always)]
    fn has_hit<R: RayKind>(&self, ray: &R, skip: Option<PrimId>) -> bool
    where
        Self: RayEngine<R>,
    {
        let Some(prepared) = PreparedRay::new(ray) else {
            return false;
        };
        if !self.hides_some() {
            let of = (&self.tree, &self.wide);
            let skipped = skip.map_or(Skipped::NONE, Skipped::from);
            if let Some(found) = any_wide(of, self.token, &prepared, skipped) {
                return found;
            }
        }
        any_visited(self, ray, skip)
    }

    fn offer_candidates<R: RayKind>(
        &self,
        ray: &PreparedRay<'_, R>,
        collector: &mut Collector<'_, Triangle64, R>,
    ) {
        let t_limit = ray.t_max();
        let mut sink = WideSink {
            collector,
            triangles: &self.wide,
        };
        let of_line = MappedRay::of(ray);
        if self.visit_mapped(&of_line, t_limit, &mut sink).is_none() {
            let boxes = WideBoxTest::new(&WorldLine::of(ray), ray.t_min());
            let enter = |of: &WideBox, t_limit: f64| boxes.enter(of, t_limit);
            self.visit_boxes(&enter, t_limit, &mut sink);
        }
    }
}

/// Offers the triangles that a traversal names.
struct WideSink<'a, W> {
    collector: &'a mut W,
    triangles: &'a WideTriangles,
}

impl<R: RayKind> TriangleSink for WideSink<'_, Collector<'_, Triangle64, R>> {
    fn counts(&self) -> Option<(bool, HitRule<PrimId>)> {
        self.collector.counts()
    }

    #[inline(always)]
    fn offer(&mut self, prim: PrimId, _: &Triangle) -> Option<f64> {
        if let Some(triangle) = self.triangles.get(prim)
            && self.collector.offer(prim, &triangle).is_break()
        {
            return None;
        }
        Some(self.collector.t_limit())
    }

    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        self.collector.count(hits)
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

    /// Whether a point is inside by the parity of crossings; see [`Contains`](estoc_core::Contains).
    fn encloses(&self, point: DVec3) -> Option<bool> {
        self.is_closed().then(|| match self.masks {
            None => is_inside(self, point),
            Some(_) => is_inside(&Unmasked(self), point),
        })
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, Triangle64>) {
        self.offer_candidates(ray, collector);
    }

    fn closest(&self, ray: &Ray, skip: Option<PrimId>) -> Option<Hit<f64>> {
        self.first_hit(ray, skip)
    }

    fn any(&self, ray: &Ray, skip: Option<PrimId>) -> bool {
        self.has_hit(ray, skip)
    }

    fn masks(&self) -> Option<&Masks> {
        self.masks.as_deref()
    }

    fn query_bytes(&self) -> usize {
        self.tree.nodes.bytes() + self.tree.leaves.bytes() + self.wide.bytes()
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

    fn closest_on(&self, ray: &Ray64, skip: Option<PrimId>) -> Option<Hit<f64>> {
        self.first_hit(ray, skip)
    }

    fn any_on(&self, ray: &Ray64, skip: Option<PrimId>) -> bool {
        self.has_hit(ray, skip)
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

impl NearSink for WideSink<'_, PointCollector<DVec3, Triangle64>> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.collector.limit()
    }

    #[inline(always)]
    fn offer(&mut self, prim: PrimId, _: &Triangle) -> ControlFlow<()> {
        match self.triangles.get(prim) {
            None => ControlFlow::Continue(()),
            Some(triangle) => self.collector.offer(prim, &triangle),
        }
    }
}

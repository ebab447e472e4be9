//! Queries on trees in `f64`.
//!
//! The tree holds triangles in `f32`, in a frame (`NarrowFrame` of estoc-mesh), and is traversed as one of another
//! space is (`traverse/mapped`): the error of the corners adds to that of the ray's origin, for which the kernels'
//! bounds hold for each corner by itself (`plain_ray/leaf.rs`), and so do those of boxes, which each point of a
//! triangle leaves by no more than the corners are off. Candidates are looked up by their ids.

use super::Bvh;
use crate::traverse::mapped::{
    MappedRay, TriangleSink, WideBox, WideBoxTest, visit_boxes, visit_mapped,
};
use crate::traverse::near::{MappedPoint, NearSink, visit_near_boxes, visit_near_mapped};
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
use estoc_mesh::parts::NarrowFrame;

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
        let (frame, t_limit) = (self.wide.frame(), ray.t_max());
        let mut sink = WideSink {
            collector,
            triangles: &self.wide,
        };
        let mapped = MappedRay::in_frame(ray, frame);
        if visit_mapped(&self.tree, self.token, &mapped, t_limit, &mut sink).is_some() {
            return;
        }
        let boxes = WideBoxTest::new(&WorldLine::of(ray), ray.t_min());
        let enter = |min: [f32; 3], max: [f32; 3], t_limit: f64| {
            boxes.enter(&world_box(frame, min, max), t_limit)
        };
        visit_boxes(&self.tree, &enter, t_limit, &mut sink);
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

/// Returns a box in the world around all triangles of a box in the frame: each bound has two roundings.
fn world_box(frame: &NarrowFrame, min: [f32; 3], max: [f32; 3]) -> WideBox {
    let down = 1.0 / frame.up();
    let corner = |p: [f32; 3], outwards: f64| {
        const MOST: DVec3 = DVec3::splat(f64::MAX);
        let p = DVec3::from_array(p.map(f64::from)) + outwards * frame.error;
        // No corner is beyond: an infinity would be on the wrong side of it.
        let moved = (p * down).clamp(-MOST, MOST);
        let share = |size: DVec3| size.abs() * (2.0 * f64::EPSILON);
        let spare = share(moved) + share(frame.origin) + f64::MIN_POSITIVE;
        ((moved + frame.origin).clamp(-MOST, MOST) + outwards * spare).to_array()
    };
    WideBox {
        min: corner(min, -1.0),
        max: corner(max, 1.0),
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
        let (frame, point) = (self.wide.frame(), collector.point());
        // A triangle without area, which nothing is near, may have one in the frame.
        let wants_closest = collector.wants_closest() && self.wide.have_area();
        let mut sink = WideSink {
            collector,
            triangles: &self.wide,
        };
        let mapped = MappedPoint::in_frame(point, frame);
        if visit_near_mapped(&self.tree, self.token, &mapped, wants_closest, &mut sink).is_some() {
            return;
        }
        let square_of =
            |min: [f32; 3], max: [f32; 3]| world_box(frame, min, max).square_from(point.to_array());
        // The answer is known at the latest when the traversal is over.
        let _ = visit_near_boxes(&self.tree, &square_of, &mut sink);
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

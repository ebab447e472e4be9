//! Traversal of a tree whose triangles stand for others in `f64`, by any ray: what it may hit goes to a collector.

use super::mapped::{MappedRay, TriangleSink, WideBox, WideBoxTest, visit_boxes, visit_mapped};
use crate::wide::{WideBounds, WideTree, WideTriangles};
use core::ops::ControlFlow;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::DVec3;
use estoc_core::{Collector, HitRule, PrimId, RayKind, Triangle, Triangle64, WorldLine};
use estoc_mesh::parts::NarrowFrame;
use fearless_simd::Level;

/// Offers a collector the triangles that a ray may hit up to its limit.
pub(crate) fn visit_wide<R: RayKind>(
    (tree, triangles): (&WideTree, &WideTriangles),
    level: Level,
    ray: &PreparedRay<'_, R>,
    collector: &mut Collector<'_, Triangle64, R>,
) {
    let (frame, t_limit) = (triangles.frame(), ray.t_max());
    let mut sink = WideSink {
        collector,
        triangles,
    };
    let mapped = MappedRay::of(&WorldLine::of(ray), ray.t_min()).framed(frame);
    if visit_mapped(tree, level, &mapped, t_limit, &mut sink).is_some() {
        return;
    }
    let boxes = WideBoxTest::new(&WorldLine::of(ray), ray.t_min());
    let enter = |min: [f32; 3], max: [f32; 3], t_limit: f64| {
        boxes.enter(
            &world_box(frame, [min, max].map(|corner| corner.map(f64::from))),
            t_limit,
        )
    };
    visit_boxes(tree, &enter, t_limit, &mut sink);
}

/// Offers the triangles that a traversal names.
pub(crate) struct WideSink<'a, W> {
    pub(crate) collector: &'a mut W,
    pub(crate) triangles: &'a WideTriangles,
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
pub(crate) fn world_box(frame: &NarrowFrame, [min, max]: WideBounds) -> WideBox {
    let down = 1.0 / frame.up();
    let corner = |p: [f64; 3], outwards: f64| {
        const MOST: DVec3 = DVec3::splat(f64::MAX);
        let p = DVec3::from(p) + outwards * frame.error;
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

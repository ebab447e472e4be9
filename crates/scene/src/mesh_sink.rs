//! Candidates of one placed mesh.

use crate::placement_chain::PlacementChain;
use core::ops::ControlFlow;
use estoc_bvh::Bvh;
use estoc_bvh::object_space::{NearSink, PlacedSkip, TriangleSink};
use estoc_core::glam::DVec3;
use estoc_core::{
    Collector, Coordinate, HitRule, PlacedPrimitive, PlacedTriangle, PointCollector, PrimId,
    RayKind, ScenePrim, Triangle,
};

/// Offers the triangles of a placed mesh to a collector.
pub(crate) struct MeshSink<'a, W, C: Coordinate> {
    pub(crate) sink: &'a mut W,
    pub(crate) chain: &'a PlacementChain<'a>,
    pub(crate) mesh: &'a Bvh<C>,
}

impl<W, C: Coordinate> MeshSink<'_, W, C> {
    /// Returns a triangle of the mesh as it is placed, with its name.
    #[inline(always)]
    fn placed(&self, prim: PrimId, offered: &Triangle) -> (ScenePrim, PlacedTriangle) {
        let placed = PlacedTriangle {
            triangle: self.mesh.exactly(prim, offered),
            matrix: *self.chain.matrix(),
            mask: self.chain.mask & self.mesh.mask_of(prim),
            reversed: self.chain.is_reversed,
        };
        (ScenePrim::triangle(self.chain.path(), prim), placed)
    }
}

impl<R: RayKind, C: Coordinate> TriangleSink
    for MeshSink<'_, Collector<'_, PlacedPrimitive, R>, C>
{
    fn counts(&self) -> Option<(bool, HitRule<PrimId>)> {
        counts(self.sink, self.chain)
    }

    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        let (id, placed) = self.placed(prim, triangle);
        match self.sink.offer(id, &PlacedPrimitive::Triangle(placed)) {
            ControlFlow::Break(()) => None,
            ControlFlow::Continue(()) => Some(self.sink.t_limit()),
        }
    }

    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        self.sink.count(hits)
    }
}

impl<C: Coordinate> NearSink for MeshSink<'_, PointCollector<DVec3, PlacedTriangle>, C> {
    fn limit(&self) -> f64 {
        self.sink.limit()
    }

    fn offer(&mut self, prim: PrimId, _: usize, triangle: &Triangle) -> ControlFlow<()> {
        let (id, placed) = self.placed(prim, triangle);
        self.sink.offer(id, &placed)
    }
}

/// Returns which hits on a placed mesh may be counted for a collector; see [`TriangleSink::counts`].
pub(crate) fn counts<R: RayKind>(
    collector: &Collector<'_, PlacedPrimitive, R>,
    chain: &PlacementChain<'_>,
) -> Option<(bool, HitRule<PrimId>)> {
    let (ends_at_any, rule) = collector.counts()?;
    let rule = match rule {
        HitRule::EveryBut(skip) if skip.end.is_none() && skip.path == chain.path() => {
            HitRule::EveryBut(skip.prim)
        }
        _ => HitRule::Every,
    };
    Some((ends_at_any, rule))
}

/// Returns the numbers of placements and the triangle that a name means, if it is one of a triangle.
pub(crate) fn skipped(id: &ScenePrim) -> PlacedSkip<'_> {
    id.end.is_none().then(|| (id.path.numbers(), id.prim))
}

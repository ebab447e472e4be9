//! Candidates of one placed mesh.

use crate::placement_chain::PlacementChain;
use core::ops::ControlFlow;
use estoc_bvh::{Bvh, TriangleSink};
use estoc_core::{
    Collector, Engine, PlacedPrimitive, PlacedTriangle, PrimId, RayKind, ScenePrim, Triangle,
};

/// Offers the triangles of a placed mesh to a collector.
pub(crate) struct MeshSink<'a, W> {
    pub(crate) sink: &'a mut W,
    pub(crate) chain: &'a PlacementChain<'a>,
    pub(crate) mesh: &'a Bvh,
}

impl<R: RayKind> TriangleSink for MeshSink<'_, Collector<'_, PlacedPrimitive, R>> {
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        let id = ScenePrim::triangle(self.chain.path(), prim);
        let placed = PlacedPrimitive::Triangle(PlacedTriangle {
            triangle: *triangle,
            matrix: *self.chain.matrix(),
            mask: self.chain.mask & mask_of(self.mesh, prim),
            reversed: self.chain.is_reversed,
        });
        match self.sink.offer(id, &placed) {
            ControlFlow::Break(()) => None,
            ControlFlow::Continue(()) => Some(self.sink.t_limit()),
        }
    }
}

/// Returns the mask of a triangle of a mesh.
pub(crate) fn mask_of(mesh: &Bvh, prim: PrimId) -> u32 {
    mesh.masks().map_or(u32::MAX, |masks| masks.get(prim))
}

//! Candidates of one placed mesh.

use crate::walk::Chain;
use core::ops::ControlFlow;
use estoc_bvh::TriangleSink;
use estoc_core::{
    Collector, Masks, PlacedPrimitive, PlacedTriangle, PlacementMatrix, PrimId, ScenePath,
    ScenePrim, Triangle,
};

/// Offers the triangles of a placed mesh to the collector of a ray.
pub(crate) struct PlacedSink<'a, 'r> {
    pub(crate) collector: &'a mut Collector<'r, PlacedPrimitive>,
    pub(crate) chain: &'a Chain<'a>,
    pub(crate) place: MeshPlace<'a>,
    /// Whether the answer is known.
    pub(crate) is_done: bool,
}

/// Where and how a mesh is placed.
#[derive(Clone, Copy)]
pub(crate) struct MeshPlace<'a> {
    pub(crate) path: ScenePath,
    /// That of all placements on the path.
    pub(crate) mask: u32,
    pub(crate) is_reversed: bool,
    /// Those of the mesh.
    pub(crate) masks: Option<&'a Masks>,
}

impl MeshPlace<'_> {
    pub(crate) fn triangle(
        &self,
        prim: PrimId,
        triangle: Triangle,
        matrix: &PlacementMatrix,
    ) -> PlacedPrimitive {
        let own = self.masks.map_or(u32::MAX, |masks| masks.get(prim));
        PlacedPrimitive::Triangle(PlacedTriangle {
            triangle,
            matrix: *matrix,
            mask: self.mask & own,
            reversed: self.is_reversed,
        })
    }
}

impl TriangleSink for PlacedSink<'_, '_> {
    fn t_limit(&self) -> f64 {
        self.collector.t_limit()
    }

    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> ControlFlow<()> {
        let path = self.place.path;
        let placed = self.place.triangle(prim, *triangle, self.chain.matrix());
        let more = self
            .collector
            .offer(ScenePrim::triangle(path, prim), &placed);
        self.is_done |= more.is_break();
        more
    }
}

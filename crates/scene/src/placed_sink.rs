//! Candidates of one placed mesh.

use crate::walk::Chain;
use core::ops::ControlFlow;
use estoc_bvh::TriangleSink;
use estoc_core::{
    Collector, Masks, PlacedPrimitive, PlacedTriangle, PlacementMatrix, PrimId, Ray64, ScenePath,
    ScenePrim, Seen, Triangle, Want,
};

/// Takes the triangles and shapes of a scene that a ray may hit.
pub(crate) trait WorldSink {
    fn t_limit(&self) -> f64;

    /// Returns whether the ray may see what has no bits of a mask but these.
    fn may_see(&self, mask: u32) -> bool;

    /// Returns whether only the first hit is wanted.
    fn wants_first(&self) -> bool;

    fn offer(&mut self, id: ScenePrim, placed: &PlacedPrimitive) -> ControlFlow<()>;
}

impl WorldSink for Collector<'_, PlacedPrimitive> {
    #[inline(always)]
    fn t_limit(&self) -> f64 {
        self.t_limit()
    }

    #[inline(always)]
    fn may_see(&self, mask: u32) -> bool {
        self.may_see(mask)
    }

    fn wants_first(&self) -> bool {
        self.want() == Want::First
    }

    #[inline(always)]
    fn offer(&mut self, id: ScenePrim, placed: &PlacedPrimitive) -> ControlFlow<()> {
        self.offer(id, placed)
    }
}

/// The collector of a ray in `f64`.
pub(crate) struct SeenSink<'a, 'c, 'r> {
    pub(crate) ray: &'r Ray64,
    pub(crate) collector: &'a mut Collector<'c, Seen<'r, PlacedPrimitive>>,
}

impl WorldSink for SeenSink<'_, '_, '_> {
    fn t_limit(&self) -> f64 {
        self.collector.t_limit()
    }

    fn may_see(&self, mask: u32) -> bool {
        self.collector.may_see(mask)
    }

    fn wants_first(&self) -> bool {
        self.collector.want() == Want::First
    }

    fn offer(&mut self, id: ScenePrim, placed: &PlacedPrimitive) -> ControlFlow<()> {
        let seen = Seen {
            ray: self.ray,
            primitive: *placed,
        };
        self.collector.offer(id, &seen)
    }
}

/// Offers the triangles of a placed mesh to a sink.
pub(crate) struct PlacedSink<'a, W> {
    pub(crate) sink: &'a mut W,
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

impl<W: WorldSink> TriangleSink for PlacedSink<'_, W> {
    fn t_limit(&self) -> f64 {
        self.sink.t_limit()
    }

    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> ControlFlow<()> {
        let path = self.place.path;
        let placed = self.place.triangle(prim, *triangle, self.chain.matrix());
        let more = self.sink.offer(ScenePrim::triangle(path, prim), &placed);
        self.is_done |= more.is_break();
        more
    }
}

//! Candidates of one placed mesh.

use crate::walk::Way;
use core::ops::ControlFlow;
use estoc_bvh::{Bvh, TriangleSink};
use estoc_core::{Collector, Engine, PlacedTriangle, PrimId, Ray64, ScenePrim, Seen, Triangle};

/// Takes the triangles of a scene that a ray may hit.
pub(crate) trait WorldSink {
    fn t_limit(&self) -> f64;

    /// Returns whether the ray may see what has no bits of a mask but these.
    fn may_see(&self, mask: u32) -> bool;

    fn offer(&mut self, id: ScenePrim, placed: &PlacedTriangle) -> ControlFlow<()>;
}

impl WorldSink for Collector<'_, PlacedTriangle> {
    #[inline(always)]
    fn t_limit(&self) -> f64 {
        self.t_limit()
    }

    #[inline(always)]
    fn may_see(&self, mask: u32) -> bool {
        self.may_see(mask)
    }

    #[inline(always)]
    fn offer(&mut self, id: ScenePrim, placed: &PlacedTriangle) -> ControlFlow<()> {
        self.offer(id, placed)
    }
}

/// The collector of a ray in `f64`.
pub(crate) struct SeenSink<'a, 'c, 'r> {
    pub(crate) ray: &'r Ray64,
    pub(crate) collector: &'a mut Collector<'c, Seen<'r, PlacedTriangle>>,
}

impl WorldSink for SeenSink<'_, '_, '_> {
    fn t_limit(&self) -> f64 {
        self.collector.t_limit()
    }

    fn may_see(&self, mask: u32) -> bool {
        self.collector.may_see(mask)
    }

    fn offer(&mut self, id: ScenePrim, placed: &PlacedTriangle) -> ControlFlow<()> {
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
    pub(crate) way: &'a Way<'a>,
    pub(crate) mesh: &'a Bvh,
}

impl<W: WorldSink> TriangleSink for PlacedSink<'_, W> {
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        let id = ScenePrim {
            path: self.way.path(),
            prim,
        };
        let placed = PlacedTriangle {
            triangle: *triangle,
            matrix: *self.way.matrix(),
            mask: self.way.mask & mask_of(self.mesh, prim),
            reversed: self.way.is_reversed,
        };
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

//! What takes the triangles of a scene that a ray may hit.

use core::ops::ControlFlow;
use estoc_bvh::Bvh;
use estoc_core::{Collector, Engine, PlacedTriangle, PrimId, Ray64, ScenePrim, Seen};

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

/// Returns the mask of a triangle of a mesh.
pub(crate) fn mask_of(mesh: &Bvh, prim: PrimId) -> u32 {
    mesh.masks().map_or(u32::MAX, |masks| masks.get(prim))
}

//! What takes the triangles and shapes of a scene that a ray may hit.

use core::ops::ControlFlow;
use estoc_bvh::Bvh;
use estoc_core::{Collector, Engine, PlacedPrimitive, PrimId, Ray64, ScenePrim, Seen, Want};

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

/// Returns the mask of a triangle of a mesh.
pub(crate) fn mask_of(mesh: &Bvh, prim: PrimId) -> u32 {
    mesh.masks().map_or(u32::MAX, |masks| masks.get(prim))
}

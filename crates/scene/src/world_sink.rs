//! What takes the triangles and shapes of a scene that a ray may hit.

use core::ops::ControlFlow;
use estoc_bvh::Bvh;
use estoc_core::{Collector, Engine, PlacedPrimitive, PrimId, RayKind, ScenePrim, Want};

/// Takes the triangles and shapes of a scene that a ray may hit.
pub(crate) trait WorldSink {
    fn t_limit(&self) -> f64;

    /// Returns whether the ray may see what has no bits of a mask but these.
    fn may_see(&self, mask: u32) -> bool;

    /// Returns whether only the first hit is wanted.
    fn wants_first(&self) -> bool;

    fn offer(&mut self, id: ScenePrim, placed: &PlacedPrimitive) -> ControlFlow<()>;
}

impl<R: RayKind> WorldSink for Collector<'_, PlacedPrimitive, R> {
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

/// Returns the mask of a triangle of a mesh.
pub(crate) fn mask_of(mesh: &Bvh, prim: PrimId) -> u32 {
    mesh.masks().map_or(u32::MAX, |masks| masks.get(prim))
}

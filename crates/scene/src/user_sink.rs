//! Candidates of placed primitives of the user.

use crate::UserShapes;
use crate::placement_chain::PlacementChain;
use estoc_bvh::object_space::{ItemSink, Visited};
use estoc_core::{
    Collector, ObjectRay, PlacedPrimitive, PlacedUserHit, PrimId, RayKind, ScenePrim, ShapeEnd,
    WorldLine,
};
use std::cell::OnceCell;

/// Offers the hits that a placed geometry of the user reports to a collector.
pub(crate) struct UserSink<'a, W> {
    pub(crate) sink: &'a mut W,
    pub(crate) chain: &'a PlacementChain<'a>,
    pub(crate) shapes: &'a UserShapes,
    pub(crate) line: WorldLine,
    /// The line in the object's space, once it is needed.
    pub(crate) ray: OnceCell<Option<ObjectRay>>,
}

impl<R: RayKind> ItemSink for UserSink<'_, Collector<'_, PlacedPrimitive, R>> {
    fn enter(&mut self, number: u32, _: f64) -> Visited {
        let (line, chain) = (&self.line, self.chain);
        let ray = self.ray.get_or_init(|| ObjectRay::of(line, chain.matrix()));
        let Some(ray) = ray else {
            return Some(self.sink.t_limit());
        };
        let prim = PrimId::new(number).expect("checked when the shapes were made");
        let (path, mask, sink) = (chain.path(), chain.mask, &mut *self.sink);
        let flow = self.shapes.visit(prim, ray, |number, hit| {
            let id = ScenePrim::shape(path, prim, ShapeEnd::Nth(number));
            sink.offer(id, &PlacedPrimitive::User(PlacedUserHit { hit, mask }))
        });
        flow.continue_value()?;
        Some(self.sink.t_limit())
    }
}

//! Candidates of one placed list of shapes.

use crate::ShapeList;
use crate::placement_chain::PlacementChain;
use estoc_bvh::object_space::{ItemSink, Visited};
use estoc_core::{
    Collector, PlacedPrimitive, PlacedShape, PrimId, RayKind, ScenePrim, ShapeEnd, Want,
};

/// Offers the shapes of a placed list to a collector.
pub(crate) struct ShapeSink<'a, W> {
    pub(crate) sink: &'a mut W,
    pub(crate) chain: &'a PlacementChain<'a>,
    pub(crate) shapes: &'a ShapeList,
}

impl<R: RayKind> ItemSink for ShapeSink<'_, Collector<'_, PlacedPrimitive, R>> {
    fn enter(&mut self, number: u32, _: f64) -> Visited {
        let prim = PrimId::new(number).expect("checked when the list was made");
        let shape = self.shapes.get(prim);
        let placed = PlacedPrimitive::Shape(PlacedShape {
            shape: *shape.expect("the tree has the numbers of shapes"),
            matrix: *self.chain.matrix(),
            mask: self.chain.mask,
        });
        let path = self.chain.path();
        let limit = self.sink.t_limit();
        let entry = ScenePrim::shape(path, prim, ShapeEnd::Entry);
        self.sink.offer(entry, &placed).continue_value()?;
        // The ray enters before it leaves.
        if !(self.sink.want() == Want::First && self.sink.t_limit() < limit) {
            let exit = ScenePrim::shape(path, prim, ShapeEnd::Exit);
            self.sink.offer(exit, &placed).continue_value()?;
        }
        Some(self.sink.t_limit())
    }
}

//! Candidates of one placed list of shapes.

use crate::ShapeList;
use crate::walk::Chain;
use core::ops::ControlFlow;
use estoc_bvh::ItemSink;
use estoc_core::{
    Collector, PlacedPrimitive, PlacedShape, PrimId, ScenePath, ScenePrim, ShapeEnd, Want,
};

/// Offers the shapes of a placed list to the collector of a ray.
pub(crate) struct ShapeSink<'a, 'r> {
    pub(crate) collector: &'a mut Collector<'r, PlacedPrimitive>,
    pub(crate) shapes: &'a ShapeList,
    pub(crate) chain: &'a Chain<'a>,
    pub(crate) path: ScenePath,
    /// That of all placements on the path.
    pub(crate) mask: u32,
}

impl ItemSink for ShapeSink<'_, '_> {
    fn t_limit(&self) -> f64 {
        self.collector.t_limit()
    }

    fn enter(&mut self, number: u32, _: f64) -> ControlFlow<()> {
        let prim = PrimId::new(number).expect("checked when the list was made");
        let shape = self.shapes.get(prim);
        let placed = PlacedPrimitive::Shape(PlacedShape {
            shape: *shape.expect("the tree has the numbers of shapes"),
            matrix: *self.chain.matrix(),
            mask: self.mask,
        });
        let id = |end| ScenePrim::shape(self.path, prim, end);
        let limit = self.collector.t_limit();
        self.collector.offer(id(ShapeEnd::Entry), &placed)?;
        // The ray enters before it leaves.
        if self.collector.want() == Want::First && self.collector.t_limit() < limit {
            return ControlFlow::Continue(());
        }
        self.collector.offer(id(ShapeEnd::Exit), &placed)
    }
}

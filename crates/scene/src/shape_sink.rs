//! Candidates of one placed list of shapes.

use crate::ShapeList;
use crate::placed_sink::WorldSink;
use crate::walk::Chain;
use core::ops::ControlFlow;
use estoc_bvh::ItemSink;
use estoc_core::{PlacedPrimitive, PlacedShape, PrimId, ScenePath, ScenePrim, ShapeEnd};

/// Offers the shapes of a placed list to a sink.
pub(crate) struct ShapeSink<'a, W> {
    pub(crate) sink: &'a mut W,
    pub(crate) shapes: &'a ShapeList,
    pub(crate) chain: &'a Chain<'a>,
    pub(crate) path: ScenePath,
    /// That of all placements on the path.
    pub(crate) mask: u32,
}

impl<W: WorldSink> ItemSink for ShapeSink<'_, W> {
    fn t_limit(&self) -> f64 {
        self.sink.t_limit()
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
        let limit = self.sink.t_limit();
        self.sink.offer(id(ShapeEnd::Entry), &placed)?;
        // The ray enters before it leaves.
        if self.sink.wants_first() && self.sink.t_limit() < limit {
            return ControlFlow::Continue(());
        }
        self.sink.offer(id(ShapeEnd::Exit), &placed)
    }
}

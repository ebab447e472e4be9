//! Trees over boxes of numbered items, for structures that hold whole objects.

mod box_refit;
mod placed_items;

pub use placed_items::{PlacedItem, PlacedItems, PlacedObject, PlacedWorld};

use super::BvhBuilder;
use crate::builder::bounds::ReferenceBounds;
use crate::builder::boxes::Boxes;
use crate::builder::item_leaves::tree_over_boxes;
use crate::traverse::mapped::{ItemSink, MappedRay, Visited, visit_items, visit_items_by_boxes};
use crate::traverse::near::{
    MappedPoint, NearItemSink, visit_near_items, visit_near_items_by_boxes,
};
use crate::wide::{ItemFrame, ItemTree, WideBounds};
use box_refit::Links;
use core::ops::ControlFlow;
use estoc_core::exact::PreparedRay;
use fearless_simd::Level;

/// A tree over boxes of numbered items, such as those that a scene places.
#[derive(Clone, Debug)]
pub struct BoxTree {
    tree: ItemTree,
    /// Items whose boxes are too large or too far out for the tree: always visited.
    beyond: Vec<u32>,
    token: Level,
    links: Option<Links>,
}

/// The boxes of items in the frame of a tree.
struct ItemBoxes<'a> {
    boxes: &'a [(u32, WideBounds)],
    frame: ItemFrame,
}

impl Boxes for ItemBoxes<'_> {
    fn count(&self) -> usize {
        self.boxes.len()
    }

    fn bounds(&self, number: usize) -> ReferenceBounds {
        let bounds = self.frame.bounds(self.boxes[number].1);
        let [min, max] = bounds.expect("the frame is around all boxes");
        ReferenceBounds { min, max }
    }
}

impl BoxTree {
    /// Builds a tree over boxes, which are not empty, each with the number of its item. Returns `None`
    /// if there is not enough memory.
    pub fn build(mut boxes: Vec<(u32, WideBounds)>) -> Option<Self> {
        // In this form NaN is beyond.
        let is_usual = |(_, [min, max]): &(u32, WideBounds)| {
            let all = min.iter().chain(max);
            all.into_iter().all(|x| x.abs() <= ItemFrame::MOST)
        };
        let mut beyond = Vec::new();
        if !boxes.iter().all(is_usual) {
            beyond.extend(
                boxes
                    .iter()
                    .filter(|of| !is_usual(of))
                    .map(|(item, _)| *item),
            );
            boxes.retain(is_usual);
        }
        let mut all = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for (_, of) in &boxes {
            all = join(all, *of);
        }
        let frame = match boxes.is_empty() {
            true => ItemFrame::around([[0.0; 3]; 2]),
            false => ItemFrame::around(all),
        };
        let token = BvhBuilder::default().level();
        let of_frame = ItemBoxes {
            boxes: &boxes,
            frame,
        };
        let (nodes, mut items) = tree_over_boxes(&of_frame, token).ok()?;
        for item in items.iter_mut() {
            *item = boxes[*item as usize].0;
        }
        Some(BoxTree {
            tree: ItemTree::new(nodes, items, frame),
            beyond,
            token,
            links: None,
        })
    }

    /// Numbers the items again, in the order of the leaves, so that what is known of them can be kept in
    /// that order. Returns their numbers before, by the new ones.
    pub fn number_by_leaves(&mut self) -> Vec<u32> {
        let numbers = [&self.tree.items[..], &self.beyond[..]].concat();
        self.links = None;
        for (new, item) in (0..).zip(self.tree.items.iter_mut().chain(&mut self.beyond)) {
            *item = new;
        }
        numbers
    }

    /// Returns the tree with other instructions for its queries, or unchanged if the machine does not have
    /// them.
    #[cfg(feature = "kernels")]
    pub fn with_simd_level(self, level: crate::SimdLevel) -> Self {
        let token = level.token().unwrap_or(self.token);
        BoxTree { token, ..self }
    }

    /// Returns the size of the tree in bytes.
    pub fn bytes(&self) -> usize {
        let links = self.links.as_ref().map_or(0, Links::bytes);
        self.tree.nodes.bytes() + self.tree.items.bytes() + 4 * self.beyond.len() + links
    }

    /// Offers every item whose box the ray may meet up to the limit, nearer ones first. Returns `None`,
    /// and offers nothing, for a ray that is unfit for `f32`; use
    /// [`visit_by_boxes`](BoxTree::visit_by_boxes) for it. `own` is the ray if it was given in the space of
    /// the boxes, and not mapped.
    pub fn visit(
        &self,
        ray: &MappedRay,
        own: Option<&PreparedRay<'_>>,
        t_limit: f64,
        sink: &mut dyn ItemSink,
    ) -> Option<Visited> {
        let visited = visit_items(&self.tree, self.token, (ray, own), t_limit, sink)?;
        Some(self.then_beyond(visited, sink))
    }

    /// Returns whether many rays may share a traversal of this tree.
    pub fn has_bundles(&self) -> bool {
        crate::traverse::for_many!(self.token, _simd => ()).is_some()
    }

    /// Offers every item in boxes that `enter` does not refuse. It takes the two corners of a box and
    /// the limit, and returns a lower bound of the parameters at which the ray is in the box.
    pub fn visit_by_boxes(
        &self,
        enter: &dyn Fn(WideBounds, f64) -> Option<f64>,
        t_limit: f64,
        sink: &mut dyn ItemSink,
    ) -> Visited {
        let visited = visit_items_by_boxes(&self.tree, enter, t_limit, sink);
        self.then_beyond(visited, sink)
    }

    /// Offers every item whose box may be near a point, nearer ones first. Returns `None`, and offers
    /// nothing, for a point that is unfit for `f32`; use
    /// [`visit_near_by_boxes`](BoxTree::visit_near_by_boxes) for it.
    pub fn visit_near(
        &self,
        point: &MappedPoint,
        sink: &mut dyn NearItemSink,
    ) -> Option<ControlFlow<()>> {
        let visited = visit_near_items(&self.tree, self.token, point, sink)?;
        Some(match visited {
            ControlFlow::Continue(()) => self.enter_beyond(sink),
            ControlFlow::Break(()) => visited,
        })
    }

    /// Offers every item in boxes whose squared distance is within the limit of the sink. `square_of`
    /// takes the two corners of a box and returns a lower bound.
    pub fn visit_near_by_boxes(
        &self,
        square_of: &dyn Fn(WideBounds) -> f64,
        sink: &mut dyn NearItemSink,
    ) -> ControlFlow<()> {
        visit_near_items_by_boxes(&self.tree, square_of, sink)?;
        self.enter_beyond(sink)
    }

    fn enter_beyond(&self, sink: &mut dyn NearItemSink) -> ControlFlow<()> {
        self.beyond.iter().try_for_each(|&item| sink.enter(item))
    }

    #[inline]
    fn then_beyond(&self, before: Visited, sink: &mut dyn ItemSink) -> Visited {
        let mut t_limit = before?;
        for &item in &self.beyond {
            t_limit = sink.enter(item, f64::NEG_INFINITY)?;
        }
        Some(t_limit)
    }
}

/// Returns the box around two.
fn join(a: WideBounds, b: WideBounds) -> WideBounds {
    let each = |corner: usize, of: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|axis| of(a[corner][axis], b[corner][axis]))
    };
    [each(0, f64::min), each(1, f64::max)]
}

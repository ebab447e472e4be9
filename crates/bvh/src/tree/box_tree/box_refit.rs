//! Moves items of a tree over boxes.

use super::{BoxTree, join};
use crate::builder::bounds::ReferenceBounds;
use crate::wide::{Child, ItemFrame, Measures, Node, WIDTH, WideBounds};

/// Where the items and nodes of a tree are, and what its boxes cost.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// By item, the lane of its leaf: eight times the node, and the lane.
    items: Vec<u32>,
    /// By node, the lane above it; unused for the root.
    nodes: Vec<u32>,
    /// The sum of the areas of all boxes.
    area: f64,
    /// The least that it was since the tree was built.
    least_area: f64,
    /// That sum when the tree was built, divided by the area of the box of everything.
    built_share: f64,
}

/// The corners of a box.
type Corners = ([f32; 3], [f32; 3]);

/// A tree whose boxes have grown to this many times their area, as it is or divided by that of the box of
/// everything, is built again.
const WORN: f64 = 1.5;

impl Links {
    fn of(tree: &BoxTree) -> Option<Self> {
        let nodes: &[Node] = &tree.tree.nodes;
        u32::try_from(nodes.len() * WIDTH).ok()?;
        let most = tree
            .tree
            .items
            .iter()
            .max()
            .map_or(0, |&item| item as usize + 1);
        let mut links = Links {
            items: vec![u32::MAX; most],
            nodes: vec![u32::MAX; nodes.len()],
            area: 0.0,
            least_area: 0.0,
            built_share: 0.0,
        };
        for (place, node) in nodes.iter().enumerate() {
            for lane in node.lanes() {
                let at = (place * WIDTH + lane) as u32;
                match node.child(lane) {
                    Child::Node(below) => links.nodes[below] = at,
                    Child::Leaf { first, .. } => {
                        links.items[tree.tree.item(first) as usize] = at;
                    }
                }
                links.area += area(node, lane);
            }
        }
        links.least_area = links.area;
        links.built_share = links.area / tree.root_area();
        Some(links)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<u32>() * (self.items.len() + self.nodes.len())
    }
}

impl BoxTree {
    /// Moves items to other boxes, which are not empty. Returns whether that was possible and pays;
    /// otherwise the tree is to be built again.
    #[must_use]
    pub fn refit(&mut self, moved: &[(u32, WideBounds)]) -> bool {
        if !self.beyond.is_empty() {
            return false;
        }
        let Some(mut links) = self.links.take().or_else(|| Links::of(self)) else {
            return false;
        };
        for &(item, of) in moved {
            let Some(&at) = links.items.get(item as usize).filter(|at| **at != u32::MAX) else {
                return false;
            };
            let Some([min, max]) = self.tree.frame.bounds(of) else {
                return false;
            };
            self.set(&mut links, at as usize, Node::grown(min, max));
        }
        self.has_refitted(links)
    }

    /// Moves all items to the boxes that `of` has for them, which are not empty; otherwise as
    /// [`refit`](Self::refit). A tree in a frame of its own, or that would be in one, is to be built again.
    #[must_use]
    pub(super) fn refit_all(&mut self, of: impl Fn(u32) -> Option<WideBounds>) -> bool {
        if !self.beyond.is_empty() || !self.tree.frame.is_own() {
            return false;
        }
        let Some(mut links) = self.links.take().or_else(|| Links::of(self)) else {
            return false;
        };
        links.area = 0.0;
        let mut all = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        // A node comes before those below it.
        for place in (0..self.tree.nodes.len()).rev() {
            let mut node = self.tree.nodes[place];
            for lane in node.lanes() {
                let of = match node.child(lane) {
                    Child::Node(below) => self.tree.nodes[below].hull(),
                    Child::Leaf { first, .. } => {
                        let Some(of) = of(self.tree.item(first)) else {
                            return false;
                        };
                        let Some([min, max]) = self.tree.frame.bounds(of) else {
                            return false;
                        };
                        all = join(all, of);
                        Node::grown(min, max)
                    }
                };
                node.set_bounds(lane, of);
                links.area += area(&node, lane);
            }
            self.tree.nodes[place] = node;
        }
        self.has_refitted(links) && ItemFrame::around(all).is_own()
    }

    /// Returns whether boxes are still about as large as when the tree was built, or smaller.
    fn has_refitted(&mut self, mut links: Links) -> bool {
        self.tree.measure();
        let share = links.area / self.root_area();
        let is_worn = links.area > links.least_area * WORN || share > links.built_share * WORN;
        links.least_area = links.least_area.min(links.area);
        self.links = Some(links);
        !is_worn
    }

    /// Returns the area of the box of everything.
    fn root_area(&self) -> f64 {
        let Measures { min, max, .. } = self.tree.measures;
        ReferenceBounds { min, max }.half_area()
    }

    /// Sets the box of a lane, and the boxes around it.
    fn set(&mut self, links: &mut Links, at: usize, of: Corners) {
        let (mut at, mut of) = (at, of);
        loop {
            let (place, lane) = (at / WIDTH, at % WIDTH);
            let node = &mut self.tree.nodes[place];
            if node.bounds(lane) == of {
                return;
            }
            links.area -= area(node, lane);
            node.set_bounds(lane, of);
            links.area += area(node, lane);
            if place == 0 {
                return;
            }
            of = node.hull();
            at = links.nodes[place] as usize;
        }
    }
}

fn area(node: &Node, lane: usize) -> f64 {
    let (min, max) = node.bounds(lane);
    ReferenceBounds { min, max }.half_area()
}

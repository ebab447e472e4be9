//! From two children a node to eight: which binary nodes become wide ones, and which are
//! dissolved, so that a random ray is expected to cost least (Ylitie, Karras and Laine 2017,
//! "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", section 3).

use super::WideTree;
use super::leaves::LeafWriter;
use super::node::{Child, Node, WIDTH};
use super::scale::Scale;
use crate::build::{Bounds, BuildNode};
use estoc_core::{PrimId, Triangle};

/// What testing the eight boxes of a node costs, and what a leaf of any size does: its
/// triangles are tested together.
pub(crate) const NODE_COST: f64 = 1.0;
pub(crate) const LEAF_COST: f64 = 0.8;

/// What is known of a binary node: how the cheapest ways cost to give it up to `i + 1` places
/// among the children of a wide node.
struct Plan {
    /// By the number of places less one. Never rises.
    cost: [f64; WIDTH - 1],
    /// For more than one place: how many of these the first child gets; 0 if one is as good.
    first: [u8; WIDTH - 1],
    /// With one place: as a leaf, or as a wide node whose children are split so.
    leaf: bool,
    split: u8,
    triangles: usize,
    children: Option<Box<[Plan; 2]>>,
}

impl Plan {
    fn of(node: &BuildNode) -> Plan {
        let area = node.bounds().half_area();
        match node {
            BuildNode::Leaf { len, .. } => {
                // A leaf too large for one becomes a chain of nodes on the same box.
                let leaves = len.div_ceil(WIDTH) as f64;
                Plan {
                    cost: [area * leaves * LEAF_COST; WIDTH - 1],
                    first: [0; WIDTH - 1],
                    leaf: true,
                    split: 0,
                    triangles: *len,
                    children: None,
                }
            }
            BuildNode::Inner { children, .. } => {
                let [left, right] = &**children;
                let plans = Box::new([Plan::of(left), Plan::of(right)]);
                Plan::join(area, plans)
            }
        }
    }

    fn join(area: f64, children: Box<[Plan; 2]>) -> Plan {
        let [left, right] = &*children;
        let triangles = left.triangles + right.triangles;
        // The cheapest way to part so many places, at least one for each.
        let parted = |places: usize| {
            let ways = (1..places).map(|first| {
                (
                    left.cost[first - 1] + right.cost[places - first - 1],
                    first as u8,
                )
            });
            ways.fold(
                (f64::INFINITY, 1),
                |best, way| if way.0 < best.0 { way } else { best },
            )
        };
        let (inner, split) = parted(WIDTH);
        let as_node = inner + area * NODE_COST;
        let as_leaf = match triangles <= WIDTH {
            true => area * LEAF_COST,
            false => f64::INFINITY,
        };
        let leaf = as_leaf <= as_node;
        let mut cost = [as_leaf.min(as_node); WIDTH - 1];
        let mut first = [0; WIDTH - 1];
        for places in 2..WIDTH {
            let (dissolved, way) = parted(places);
            (cost[places - 1], first[places - 1]) = match dissolved < cost[places - 2] {
                true => (dissolved, way),
                false => (cost[places - 2], 0),
            };
        }
        Plan {
            cost,
            first,
            leaf,
            split,
            triangles,
            children: Some(children),
        }
    }
}

/// The wide tree of a binary one. `triangle` tells what is in a slot of the binary tree.
pub(crate) fn collapse(
    root: Option<&BuildNode>,
    triangles: usize,
    scale: Scale,
    triangle: impl Fn(usize) -> (PrimId, Triangle),
) -> WideTree {
    let mut writer = Writer {
        nodes: Vec::new(),
        leaves: LeafWriter::with_capacity(triangles),
        scale,
        triangle,
    };
    if let Some(root) = root {
        let plan = Plan::of(root);
        writer.nodes.push(Node::EMPTY);
        let mut children = Vec::with_capacity(WIDTH);
        match plan.leaf {
            true => children.push((root, &plan)),
            false => writer.spread(root, &plan, usize::from(plan.split), WIDTH, &mut children),
        }
        writer.node(0, children);
    }
    WideTree::new(writer.nodes, writer.leaves.finish(), scale)
}

struct Writer<F> {
    nodes: Vec<Node>,
    leaves: LeafWriter,
    scale: Scale,
    triangle: F,
}

type Planned<'a> = (&'a BuildNode, &'a Plan);

impl<F: Fn(usize) -> (PrimId, Triangle)> Writer<F> {
    /// Parts the places of a node among its children: `first` for the first of the two.
    fn spread<'a>(
        &self,
        node: &'a BuildNode,
        plan: &'a Plan,
        first: usize,
        places: usize,
        children: &mut Vec<Planned<'a>>,
    ) {
        let (
            BuildNode::Inner {
                children: nodes, ..
            },
            Some(plans),
        ) = (node, &plan.children)
        else {
            children.push((node, plan));
            return;
        };
        for (i, places) in [(0, first), (1, places - first)] {
            self.give(&nodes[i], &plans[i], places, children);
        }
    }

    /// Takes up to so many places for a node, as planned.
    fn give<'a>(
        &self,
        node: &'a BuildNode,
        plan: &'a Plan,
        places: usize,
        children: &mut Vec<Planned<'a>>,
    ) {
        // The fewest places that are as good.
        let used = (1..places)
            .rev()
            .take_while(|&n| plan.first[n] == 0)
            .count();
        let places = places - used;
        match places {
            1 => children.push((node, plan)),
            _ => self.spread(node, plan, plan.first[places - 1].into(), places, children),
        }
    }

    /// Writes a node and all below it. Its children that are nodes get places side by side.
    fn node(&mut self, place: usize, mut children: Vec<Planned<'_>>) {
        // The largest first: queries that want any hit try them in this order.
        let area = |child: &Planned<'_>| child.0.bounds().half_area();
        children.sort_by(|a, b| area(b).total_cmp(&area(a)));
        let mut wide = Node::EMPTY;
        let mut below = Vec::new();
        let next = self.nodes.len();
        for (lane, (node, plan)) in children.into_iter().enumerate() {
            let bounds = self.scaled(node.bounds());
            let len = match node {
                BuildNode::Leaf { len, .. } => *len,
                BuildNode::Inner { .. } => plan.triangles,
            };
            let child = if plan.leaf && len <= WIDTH {
                let first = self.leaves.len();
                self.leaf(node.first_slot(), len);
                Child::Leaf { first, len }
            } else {
                below.push((node, plan));
                Child::Node(next + below.len() - 1)
            };
            wide.set(lane, bounds.min, bounds.max, child);
        }
        self.nodes[place] = wide;
        self.nodes.resize(next + below.len(), Node::EMPTY);
        for (i, (node, plan)) in below.into_iter().enumerate() {
            let parts;
            let mut children = Vec::with_capacity(WIDTH);
            if plan.leaf {
                parts = node.parts(WIDTH);
                children.extend(parts.iter().map(|part| (part, plan)));
            } else {
                self.spread(node, plan, plan.split.into(), WIDTH, &mut children);
            }
            self.node(next + i, children);
        }
    }

    fn leaf(&mut self, slot: usize, len: usize) {
        let (scale, triangle) = (self.scale, &self.triangle);
        self.leaves.push((slot..slot + len).map(|slot| {
            let (prim, t) = triangle(slot);
            let [p0, p1, p2] = t.corners().map(|p| p.map(|x| scale.up(x)));
            (prim, Triangle::new(p0, p1, p2))
        }));
    }

    fn scaled(&self, bounds: &Bounds) -> Bounds {
        Bounds {
            min: bounds.min.map(|x| self.scale.up(x)),
            max: bounds.max.map(|x| self.scale.up(x)),
        }
    }
}

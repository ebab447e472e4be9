//! From two children a node to eight.

use super::WideTree;
use super::leaves::LeafWriter;
use super::node::{Child, Node, WIDTH};
use super::plan::Plan;
use super::scale::Scale;
use crate::Mesh;
use crate::build::BinaryTree;
use arrayvec::ArrayVec;
use estoc_core::PrimId;

/// The wide tree of a binary one, over the triangles of a mesh. The binary tree is in units of
/// the scale.
pub(crate) fn collapse(tree: &BinaryTree, mesh: &Mesh, scale: Scale) -> WideTree {
    let plan = Plan::of(tree);
    let mut writer = Writer {
        tree,
        plan,
        mesh,
        scale,
        nodes: Vec::new(),
        leaves: LeafWriter::with_triangles(tree.order.len()),
    };
    if !tree.nodes.is_empty() {
        writer.nodes.push(Node::EMPTY);
        let mut children = Children::new();
        let decision = writer.plan.decision(0);
        match decision.is_leaf() {
            true => children.push(0),
            false => writer.spread(0, decision.split(), WIDTH, &mut children),
        }
        writer.node(0, children);
    }
    WideTree::new(writer.nodes, writer.leaves.finish(), scale)
}

/// Binary nodes that become the children of a wide one.
type Children = ArrayVec<usize, WIDTH>;

struct Writer<'a> {
    tree: &'a BinaryTree,
    plan: Plan,
    mesh: &'a Mesh,
    scale: Scale,
    nodes: Vec<Node>,
    leaves: LeafWriter,
}

impl Writer<'_> {
    /// Parts the places of a wide node among the children of a binary one: `first` for the
    /// first of the two.
    fn spread(&self, node: usize, first: usize, places: usize, children: &mut Children) {
        let left = self.tree.nodes[node].first as usize;
        for (node, places) in [(left, first), (left + 1, places - first)] {
            match self.plan.decision(node).dissolved(places) {
                Some((places, first)) => self.spread(node, first, places, children),
                None => children.push(node),
            }
        }
    }

    /// Writes a node and all below it. Its children that are nodes get places side by side.
    fn node(&mut self, place: usize, mut children: Children) {
        // The largest first: queries that want any hit try them in this order.
        let area = |child: &usize| self.tree.nodes[*child].bounds().half_area();
        children.sort_by(|a, b| area(b).total_cmp(&area(a)));
        let mut wide = Node::EMPTY;
        let mut below = Children::new();
        let next = self.nodes.len();
        for (lane, node) in children.into_iter().enumerate() {
            let child = if self.plan.decision(node).is_leaf() {
                self.leaf(node)
            } else {
                below.push(node);
                Child::Node(next + below.len() - 1)
            };
            let bounds = self.tree.nodes[node].bounds();
            wide.set(lane, bounds.min, bounds.max, child);
        }
        self.nodes[place] = wide;
        self.nodes.resize(next + below.len(), Node::EMPTY);
        for (i, node) in below.into_iter().enumerate() {
            let mut children = Children::new();
            let split = self.plan.decision(node).split();
            self.spread(node, split, WIDTH, &mut children);
            self.node(next + i, children);
        }
    }

    /// Writes the leaf of all triangles below a node.
    fn leaf(&mut self, node: usize) -> Child {
        let range = self.tree.range(node);
        let (first, len) = (range.start, range.len());
        let triangles = self.tree.order[range].iter().map(|&name| {
            let prim = PrimId::new(name).expect("no mesh has more triangles than names");
            let triangle = self.mesh.triangle(prim);
            let triangle = triangle.expect("the order names triangles of the mesh");
            (prim, self.scale.triangle_up(triangle))
        });
        self.leaves.write(first, triangles);
        Child::Leaf { first, len }
    }
}

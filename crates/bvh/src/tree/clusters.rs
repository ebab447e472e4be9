//! The triangles below each child as seen from far away, for estimates of winding numbers.

use crate::wide::{Child, WIDTH, WideTree};
use estoc_core::{Triangle, TriangleCluster, WindingCollector};

/// By node: the cluster of each child.
#[derive(Clone, Debug)]
pub(super) struct Clusters(Vec<[TriangleCluster; WIDTH]>);

impl Clusters {
    /// Returns the clusters of a tree. Takes each triangle once for each node above it.
    pub(super) fn of(tree: &WideTree) -> Self {
        let mut clusters = Clusters(vec![Default::default(); tree.nodes.len()]);
        if !tree.nodes.is_empty() {
            clusters.gather(tree, 0, &mut Vec::new());
        }
        clusters
    }

    /// Makes the clusters of all children below a node, and appends its triangles to a list.
    fn gather(&mut self, tree: &WideTree, node: usize, triangles: &mut Vec<Triangle>) {
        for lane in tree.nodes[node].lanes() {
            let first = triangles.len();
            match tree.nodes[node].child(lane) {
                Child::Node(child) => self.gather(tree, child, triangles),
                Child::Leaf { first, len } => {
                    triangles.extend((0..len).map(|place| tree.triangle(first, len, place).1));
                }
            }
            self.0[node][lane] = TriangleCluster::of(&triangles[first..]);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val::<[[TriangleCluster; WIDTH]]>(&self.0)
    }

    /// Offers the collector every triangle once, alone or in a cluster that it takes.
    pub(super) fn visit(&self, tree: &WideTree, collector: &mut WindingCollector) {
        if !tree.nodes.is_empty() {
            self.visit_node(tree, 0, collector);
        }
    }

    fn visit_node(&self, tree: &WideTree, node: usize, collector: &mut WindingCollector) {
        for lane in tree.nodes[node].lanes() {
            if collector.offer_cluster(&self.0[node][lane]) {
                continue;
            }
            match tree.nodes[node].child(lane) {
                Child::Node(child) => self.visit_node(tree, child, collector),
                Child::Leaf { first, len } => {
                    for place in 0..len {
                        collector.offer(&tree.triangle(first, len, place).1);
                    }
                }
            }
        }
    }
}

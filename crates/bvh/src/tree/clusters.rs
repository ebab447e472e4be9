//! The triangles below each child as seen from far away, for estimates of winding numbers.

use crate::traverse::mesh_space::MeshSpace;
use crate::wide::{Child, WIDTH, WideTree};
use estoc_core::{Triangle64, TriangleCluster, WindingCollector};

/// By node: the cluster of each child.
#[derive(Clone, Debug)]
pub(super) struct Clusters(Vec<[TriangleCluster; WIDTH]>);

impl Clusters {
    /// Returns the clusters of a tree. Takes each triangle once for each node above it.
    pub(super) fn of(tree: &WideTree, space: &impl MeshSpace) -> Self {
        let mut clusters = Clusters(vec![Default::default(); tree.nodes.len()]);
        if !tree.nodes.is_empty() {
            clusters.gather((tree, space), 0, &mut Vec::new());
        }
        clusters
    }

    /// Makes the clusters of all children below a node, and appends its triangles to a list.
    fn gather(
        &mut self,
        of: (&WideTree, &impl MeshSpace),
        node: usize,
        triangles: &mut Vec<Triangle64>,
    ) {
        let nodes = &of.0.nodes;
        for lane in nodes[node].lanes() {
            let first = triangles.len();
            match nodes[node].child(lane) {
                Child::Node(child) => self.gather(of, child, triangles),
                Child::Leaf { first, len } => triangles.extend(in_leaf(of, first, len)),
            }
            self.0[node][lane] = TriangleCluster::of(&triangles[first..]);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val::<[[TriangleCluster; WIDTH]]>(&self.0)
    }

    /// Offers the collector every triangle once, alone or in a cluster that it takes.
    pub(super) fn visit(&self, of: (&WideTree, &impl MeshSpace), collector: &mut WindingCollector) {
        if !of.0.nodes.is_empty() {
            self.visit_node(of, 0, collector);
        }
    }

    fn visit_node(
        &self,
        of: (&WideTree, &impl MeshSpace),
        node: usize,
        collector: &mut WindingCollector,
    ) {
        let nodes = &of.0.nodes;
        for lane in nodes[node].lanes() {
            if collector.offer_cluster(&self.0[node][lane]) {
                continue;
            }
            match nodes[node].child(lane) {
                Child::Node(child) => self.visit_node(of, child, collector),
                Child::Leaf { first, len } => {
                    in_leaf(of, first, len).for_each(|triangle| collector.offer(&triangle));
                }
            }
        }
    }
}

/// Returns the triangles of a leaf.
fn in_leaf<'a>(
    (tree, space): (&'a WideTree, &'a impl MeshSpace),
    first: usize,
    len: usize,
) -> impl Iterator<Item = Triangle64> + 'a {
    let leaves = tree.view();
    (0..len).filter_map(move |place| Some(space.triangle(leaves, (first, len, place))?.1))
}

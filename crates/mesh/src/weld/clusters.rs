//! Clusters of positions that chains of short distances connect.

use super::corners::Point;
use super::distance::Reach;
use super::point_tree::{Node, PairVisitor, PointTree};
use super::work::Work;
use crate::error::MeshError;

/// Disjoint sets of numbers, each named by its least one.
pub(super) struct Clusters {
    parents: Vec<u32>,
}

impl Clusters {
    /// Returns the clusters of the positions of a tree: those within the distance are connected.
    pub(super) fn of(tree: &PointTree, reach: Reach, work: &Work<'_>) -> Result<Self, MeshError> {
        let mut connector = Connector {
            clusters: Clusters::separate(tree.points(tree.root()).len(), work)?,
            is_one: work.filled(tree.nodes(), false)?,
        };
        tree.visit_pairs(reach, &mut connector, work)?;
        Ok(connector.clusters)
    }

    /// Returns `count` clusters of one number each.
    pub(super) fn separate(count: usize, work: &Work<'_>) -> Result<Self, MeshError> {
        let mut parents = work.reserved(count)?;
        parents.extend(0..count as u32);
        Ok(Clusters { parents })
    }

    /// Returns the least number of a cluster, and halves the path to it (Tarjan and van Leeuwen 1984).
    pub(super) fn find(&mut self, mut id: u32) -> u32 {
        loop {
            let parent = self.parents[id as usize];
            if parent == id {
                return id;
            }
            let next = self.parents[parent as usize];
            self.parents[id as usize] = next;
            id = next;
        }
    }

    /// Joins the clusters of two numbers.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

/// Connects the points of each pair. Nodes whose points are all in one cluster are not traversed, so
/// that a dense mesh does not take the square of its points.
struct Connector {
    clusters: Clusters,
    /// Whether the points of each node are known to be in one cluster.
    is_one: Vec<bool>,
}

impl Connector {
    /// Returns the cluster of all points of a node, if it is one and known.
    fn cluster(&mut self, tree: &PointTree, node: Node) -> Option<u32> {
        let clusters = &mut self.clusters;
        let first = clusters.find(tree.points(node)[0].id);
        if !self.is_one[node.index] {
            let is_one = match node.children() {
                Some([left, right]) => {
                    let second = clusters.find(tree.points(right)[0].id);
                    self.is_one[left.index] && self.is_one[right.index] && first == second
                }
                None => {
                    let mut points = tree.points(node).iter();
                    points.all(|point| clusters.find(point.id) == first)
                }
            };
            self.is_one[node.index] = is_one;
        }
        self.is_one[node.index].then_some(first)
    }
}

impl PairVisitor for Connector {
    fn skips(&mut self, tree: &PointTree, a: Node, b: Node) -> bool {
        let cluster = self.cluster(tree, a);
        match a == b {
            true => cluster.is_some(),
            false => self.cluster(tree, b) == cluster && cluster.is_some(),
        }
    }

    fn visit(&mut self, a: &Point, b: &Point) {
        self.clusters.join(a.id, b.id);
    }
}

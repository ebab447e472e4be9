//! Clusters of positions that chains of short distances connect.

use super::distance::WeldReach;
use super::point_tree::{Node, PointTree};
use crate::error::MeshError;
use estoc_core::CancelToken;
use estoc_system::collected;
use std::iter::repeat_n;

/// Disjoint sets of numbers, each named by its least one.
pub(super) struct CornerClusters {
    parents: Vec<u32>,
}

impl CornerClusters {
    /// Returns the clusters of `count` positions, of which those in the tree are connected where they
    /// are within the distance.
    pub(super) fn of(
        tree: &PointTree,
        count: usize,
        reach: WeldReach,
        cancel: &CancelToken,
    ) -> Result<Self, MeshError> {
        let parents = collected(0..count as u32)?;
        let mut connector = Connector {
            tree,
            reach,
            cancel,
            clusters: CornerClusters { parents },
            is_one: collected(repeat_n(false, tree.nodes()))?,
        };
        connector.connect(tree.root(), tree.root())?;
        Ok(connector.clusters)
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

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

/// Connects the points of a tree that are near each other. Nodes whose points are all in one cluster
/// are not traversed, so that a dense mesh does not take the square of its points.
struct Connector<'a> {
    tree: &'a PointTree,
    reach: WeldReach,
    cancel: &'a CancelToken,
    clusters: CornerClusters,
    /// Whether the points of each node are known to be in one cluster.
    is_one: Vec<bool>,
}

impl Connector<'_> {
    /// Connects the points of one node with those of another, or of one with each other.
    fn connect(&mut self, a: Node, b: Node) -> Result<(), MeshError> {
        let [box_a, box_b] = [a, b].map(|node| self.tree.bounds(node));
        if self.reach.is_beyond(box_a, box_b) || self.is_connected(a, b) {
            return Ok(());
        }
        if a.len().max(b.len()) > Node::LARGE {
            MeshError::check_cancelled(self.cancel)?;
        }
        match (a.children(), b.children()) {
            (Some([left, right]), _) if a == b => {
                self.connect(left, left)?;
                self.connect(right, right)?;
                self.connect(left, right)?;
            }
            (Some([left, right]), _) if a.len() >= b.len() => {
                self.connect(left, b)?;
                self.connect(right, b)?;
            }
            (_, Some([left, right])) => {
                self.connect(a, left)?;
                self.connect(a, right)?;
            }
            _ => {
                for (i, first) in self.tree.points(a).iter().enumerate() {
                    // Of a leaf with itself, each pair once.
                    let from = if a == b { i + 1 } else { 0 };
                    for second in &self.tree.points(b)[from..] {
                        if self.reach.holds(first.at, second.at) {
                            self.clusters.join(first.id, second.id);
                        }
                    }
                }
            }
        }
        // Notes what has become one cluster.
        self.is_connected(a, b);
        Ok(())
    }

    /// Returns whether the points of both nodes are known to be in one cluster.
    fn is_connected(&mut self, a: Node, b: Node) -> bool {
        let (a, b) = (self.cluster(a), self.cluster(b));
        a.is_some() && a == b
    }

    /// Returns the cluster of all points of a node, if it is one and known.
    fn cluster(&mut self, node: Node) -> Option<u32> {
        let clusters = &mut self.clusters;
        let points = self.tree.points(node);
        let first = clusters.find(points.first()?.id);
        if !self.is_one[node.index] {
            self.is_one[node.index] = match node.children() {
                Some([left, right]) => {
                    let second = clusters.find(self.tree.points(right)[0].id);
                    self.is_one[left.index] && self.is_one[right.index] && first == second
                }
                None => points.iter().all(|point| clusters.find(point.id) == first),
            };
        }
        self.is_one[node.index].then_some(first)
    }
}
